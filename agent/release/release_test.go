package release

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// described is the file of a release.
func described(game, rules, rating, day string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(`{"format": 1, "game": "` + game + `", "rules": "` + rules + `", "agent": "greedy", "rating": ` +
		rating + `, "released": "` + day + `"}`)}
}

func TestReleasesAreFoldersThatSayWhatTheyAre(t *testing.T) {
	all, err := list(fstest.MapFS{
		"b/release.json": described("kiothi", "x", "-3.5", "2026-11-30"),
		"a/release.json": described("rio", "y", "7", "2026-12-24"),
		"c/model.json":   {},
		"README.md":      {},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Release{
		{Name: "a", Format: 1, Game: "rio", Rules: "y", Agent: "greedy", Rating: 7, Released: "2026-12-24"},
		{Name: "b", Format: 1, Game: "kiothi", Rules: "x", Agent: "greedy", Rating: -3.5, Released: "2026-11-30"},
	}
	if len(all) != 2 || all[0] != want[0] || all[1] != want[1] {
		t.Errorf("releases %+v, want %+v", all, want)
	}
	if all, err := list(nil); err != nil || all != nil {
		t.Errorf("a program that carries nothing has the releases %v, %v", all, err)
	}
}

func TestABrokenReleaseIsNamed(t *testing.T) {
	for _, c := range []struct {
		file *fstest.MapFile
		want string
	}{
		{&fstest.MapFile{Data: []byte("{")}, "unexpected EOF"},
		{&fstest.MapFile{Data: []byte(`{"format": 1, "elo": 3}`)}, `unknown field "elo"`},
		{described("", "x", "0", "2026-11-30"), `game ""`},
		{described("kiothi", "x", "0", "tomorrow"), `the day of the release is "tomorrow"`},
		{&fstest.MapFile{Data: []byte(`{"format": 2, "released": "2026-11-30"}`)}, "expected format 1"},
	} {
		_, err := list(fstest.MapFS{"a bot/release.json": c.file})
		if err == nil || !strings.HasPrefix(err.Error(), "a bot/release.json: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want one about the file with %q", err, c.want)
		}
	}
}

func TestTheStrongestIsTheBestAndThenTheNewest(t *testing.T) {
	releases := []Release{
		{Name: "old", Game: "kiothi", Rules: "x", Rating: 9, Released: "2026-01-01"},
		{Name: "new", Game: "kiothi", Rules: "x", Rating: 9, Released: "2026-02-01"},
		{Name: "weak", Game: "kiothi", Rules: "x", Rating: 8, Released: "2026-03-01"},
		{Name: "other rules", Game: "kiothi", Rules: "y", Rating: 10, Released: "2026-03-01"},
		{Name: "other game", Game: "rio", Rules: "x", Rating: 10, Released: "2026-03-01"},
	}
	for rules, want := range map[string]string{"x": "new", "y": "other rules"} {
		if r, err := Best(releases, "kiothi", rules); err != nil || r.Name != want {
			t.Errorf("rules %s: the best is %q, %v; want %q", rules, r.Name, err, want)
		}
	}
	_, err := Best(releases[:3], "kiothi", "z")
	want := "no released bot plays kiothi by the rules z; those that this program carries: new (kiothi, x), old (kiothi, x), weak (kiothi, x)"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if _, err := Best(nil, "kiothi", "z"); err == nil || !strings.HasSuffix(err.Error(), "carries: none") {
		t.Errorf("without releases the error is %v", err)
	}
}

// What lies on the disk goes before what is carried.
func TestFindLooksOnTheDiskFirst(t *testing.T) {
	files := fstest.MapFS{"bot/model.json": {}, "bot/eval.nnue": {}}
	t.Chdir(t.TempDir())
	for path, found := range map[string]bool{
		"bot": true, "bot/eval.nnue": true, "other": false, "bot/none": false, "/bot": false, "../bot": false, "": false, ".": false, `bot\x`: false,
	} {
		if got, name := find(files, path); (got != nil) != found || found && name != path {
			t.Errorf("%q is found: %v as %q, want %v", path, got, name, found)
		}
	}
	if got, _ := find(nil, "bot"); got != nil {
		t.Error("a program that carries nothing finds something")
	}
	if err := os.Mkdir("bot", 0o755); err != nil {
		t.Fatal(err)
	}
	if got, _ := find(files, "bot"); got != nil {
		t.Error("the folder on the disk is passed over")
	}
	// After the prefix, only what is carried counts.
	got, name := find(files, "release:bot/eval.nnue")
	if name != "bot/eval.nnue" || got == nil {
		t.Errorf("release:bot/eval.nnue is %q in %v", name, got)
	}
	if _, err := got.Open(name); err != nil {
		t.Error(err)
	}
	if got, name := find(nil, "release:bot"); got == nil {
		t.Error("a program that carries nothing looks for release:bot on the disk")
	} else if _, err := got.Open(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("release:bot of nothing is opened: %v", err)
	}
}
