package release

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// This file is what a release says about itself.

// Format is the version of the fields of a release.json.
const Format = 1

// File is the name of the file in a release's folder that says what it is.
const File = "release.json"

// A Release is a bot that is ready to play.
type Release struct {
	Name string `json:"-"` // of its folder

	Format int    `json:"format"` // see Format
	Game   string `json:"game"`
	Rules  string `json:"rules"` // the rule set in canonical text
	// Agent is the text of the agent that plays best with what is in the folder, whose files are named by paths such as
	// "kiothi-quick", the folder, or "kiothi-quick/eval.nnue".
	Agent string `json:"agent"`
	// Rating is how strong the release is, in Elo points above the agent greedy. It compares releases for one game and rule
	// set; the card of each says how it was measured.
	Rating   float64 `json:"rating"`
	Released string  `json:"released"` // the day, as 2006-01-02
}

// Carried returns the releases that the program carries, sorted by name.
func Carried() ([]Release, error) { return list(carried) }

func list(files fs.FS) ([]Release, error) {
	if files == nil {
		return nil, nil
	}
	folders, err := fs.ReadDir(files, ".") // sorted by name
	if err != nil {
		return nil, fmt.Errorf("looking for releases: %w", err)
	}
	var all []Release
	for _, folder := range folders {
		r, err := read(files, folder.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// read reads what the release in a folder says.
func read(files fs.FS, folder string) (Release, error) {
	file := path.Join(folder, File)
	data, err := fs.ReadFile(files, file)
	if err != nil {
		return Release{}, err
	}
	r := Release{Name: folder}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return Release{}, fmt.Errorf("%s: %w", file, err)
	}
	if _, err := time.Parse(time.DateOnly, r.Released); err != nil {
		return Release{}, fmt.Errorf("%s: the day of the release is %q, expected one such as 2006-01-02", file, r.Released)
	}
	if r.Format != Format || r.Game == "" || r.Rules == "" || r.Agent == "" {
		return Release{}, fmt.Errorf("%s: found format %d, game %q, rules %q, agent %q; expected format %d, and none of them empty",
			file, r.Format, r.Game, r.Rules, r.Agent, Format)
	}
	return r, nil
}

// Best returns the strongest release for a game and rule set, of equally strong ones the newest. An error lists what there
// is.
func Best(releases []Release, game, rules string) (Release, error) {
	var names []string
	var best *Release
	for i := range releases {
		r := &releases[i]
		names = append(names, fmt.Sprintf("%s (%s, %s)", r.Name, r.Game, r.Rules))
		if r.Game != game || r.Rules != rules {
			continue
		}
		if best == nil || r.Rating > best.Rating || r.Rating == best.Rating && r.Released > best.Released {
			best = r
		}
	}
	if best != nil {
		return *best, nil
	}
	if names == nil {
		names = []string{"none"}
	}
	slices.Sort(names)
	return Release{}, fmt.Errorf("no released bot plays %s by the rules %s; those that this program carries: %s", game, rules, strings.Join(names, ", "))
}
