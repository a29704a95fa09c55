// This file is what a folder of games says of them: who played them, and by which options.

package distill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kiothi/agent"
	"kiothi/agent/folders"
	"kiothi/agent/nnue"
	"kiothi/env/durable"
	"kiothi/train/replay"
)

// optionsFile is where a folder of games says how they were played.
const optionsFile = folders.GamesFile

// An origin is the content of that file. Its number of games is the most that were asked for.
type origin struct {
	replay.Header
	GamesOptions
	Network string `json:"network,omitempty"` // checksum of the player's network; older versions of the program wrote none
}

// Files returns the paths of the files of games in a folder, in order.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return nil, fmt.Errorf("files of games: %w: expected a folder that distill games made", err)
	}
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && filepath.Ext(e.Name()) == replay.Extension {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

// readOrigin reads the origin of the games in a folder.
func readOrigin(dir string) (o origin, err error) {
	path := filepath.Join(dir, optionsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("%s is damaged: %w: remove it to learn from the games as they are; more of them need another folder", path, err)
	}
	return o, nil
}

// claim sees that the games in a folder are of the same origin, and writes it down. Another number of games may be asked for.
func claim(dir string, want origin) error {
	found, err := readOrigin(dir)
	if err == nil {
		most := max(found.Games, want.Games)
		found.Games, want.Games = most, most
		if samePlayer(found, want) {
			want.Agent, found.Network = found.Agent, want.Network
		}
		if d := difference(found, want); d != "" {
			return fmt.Errorf("%s holds games of other options: %s: give the same, or another folder", dir, d)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.WriteJSON(filepath.Join(dir, optionsFile), want)
}

// samePlayer reports whether two origins are of the same player, however the path of its network is written.
func samePlayer(a, b origin) bool {
	settings, netA := withoutNetwork(a.Agent)
	others, netB := withoutNetwork(b.Agent)
	if settings != others {
		return false
	}
	if a.Network != "" && b.Network != "" {
		return a.Network == b.Network
	}
	absA, errA := filepath.Abs(netA)
	absB, errB := filepath.Abs(netB)
	return netA == netB || netA != "" && netB != "" && errA == nil && errB == nil && absA == absB
}

// withoutNetwork returns the text of an agent without its network, and the path of that, "" where it has none.
func withoutNetwork(text string) (rest, network string) {
	spec, err := agent.ParseSpec(text)
	if err != nil {
		return text, ""
	}
	isNet := func(s agent.Setting) bool { return s.Option == "net" }
	if i := slices.IndexFunc(spec.Settings, isNet); i >= 0 {
		network = spec.Settings[i].Value
	}
	spec.Settings = slices.DeleteFunc(spec.Settings, isNet)
	return spec.String(), network
}

// Teacher returns who played the games in some folders, each player once, and "" for those of unknown origin.
func Teacher(dirs ...string) (string, error) {
	var teachers []string
	for _, dir := range dirs {
		o, err := readOrigin(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("who played the games: %w", err)
		}
		if t := teacherName(o.Agent); t != "" && !slices.Contains(teachers, t) {
			teachers = append(teachers, t)
		}
	}
	return strings.Join(teachers, "; "), nil
}

// teacherName returns the text of an agent with the name of its network in place of the path.
func teacherName(text string) string {
	spec, err := agent.ParseSpec(text)
	if err != nil {
		return text
	}
	for i := range spec.Settings {
		if s := &spec.Settings[i]; s.Option == "net" {
			s.Value = Name(s.Value)
		}
	}
	return spec.String()
}

// Name returns what a folder or a network is called wherever it lies: the last part of its path, and for a file FileName of package
// nnue that of its folder. It is what a network says of its origin, which may be published.
func Name(path string) string {
	if dir, file := filepath.Split(path); file == nnue.FileName && dir != "" {
		path = dir
	}
	return filepath.Base(path)
}
