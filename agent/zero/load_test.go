package zero

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kiothi/agent/features"
	"kiothi/agent/model"
	"kiothi/agent/release"
	"kiothi/env/mancala"
)

// save writes a network of a game into a new folder and returns it.
func save(t *testing.T, g mancala.Game) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a bot")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Save(dir, g, newWeights(t, g, 1), model.Description{Steps: 12, CreatedWith: "v1"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLoadGivesWhatSaveWasGiven(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		want := newWeights(t, g, 1)
		got, d, err := Load(save(t, g), g)
		if err != nil {
			t.Fatal(err)
		}
		if got.Config() != want.Config() {
			t.Errorf("%s: a network of %+v, want %+v", name, got.Config(), want.Config())
		}
		for i, tensor := range got.Tensors() {
			if w := want.Tensors()[i]; tensor.Name != w.Name || !slices.Equal(tensor.Data, w.Data) {
				t.Errorf("%s: tensor %s differs", name, tensor.Name)
			}
		}
		if d.Game != name || d.Rules != g.Rules() || d.Steps != 12 || d.FeatureEncoding != features.Version ||
			d.ActionEncoding != mancala.ActionEncoding || d.Parameters != want.Count() {
			t.Errorf("%s: the description is %+v", name, d)
		}
	}
}

func TestLoadTakesTheFolderOfARun(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	run := t.TempDir()
	if err := os.MkdirAll(filepath.Join(run, model.CheckpointsDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(save(t, g), filepath.Join(run, model.CheckpointsDir, "000003")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(run, g); err != nil {
		t.Error(err)
	}
}

// edit changes the fields of a model's description.
func edit(t *testing.T, dir string, change func(fields map[string]any)) {
	t.Helper()
	path := filepath.Join(dir, model.DescriptionFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	change(fields)
	if data, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each mistake is one line that names the folder, what was expected and what was found.
func TestLoadRefusesAnotherNetwork(t *testing.T) {
	kiothi := openGame(t, "kiothi", "")
	rio := openGame(t, "rio-kadalis", "")
	field := func(name string, value any) func(map[string]any) {
		return func(fields map[string]any) { fields[name] = value }
	}
	size := func(name string, value int) func(map[string]any) {
		return func(fields map[string]any) { fields["architecture"].(map[string]any)[name] = value }
	}
	for _, c := range []struct {
		name string
		game mancala.Game
		edit func(map[string]any)
		want string
	}{
		{"game", rio, nil, "game: expected rio-kadalis, found kiothi; choose --game kiothi"},
		{"rule set", openGame(t, "kiothi", "wikipedia-it"), nil, "rule set: expected wikipedia-it, found mancala-world; choose --rules mancala-world"},
		{"option", openGame(t, "kiothi", "mancala-world,bonus=run"), nil, "rule set: expected mancala-world,bonus=run, found mancala-world;"},
		{"actions", kiothi, field("action_encoding", 9), "action encoding: expected 1, found 9; use the kiothi that trained it (v1)"},
		{"features", kiothi, field("feature_encoding", 9), "feature encoding: expected 1, found 9; use the kiothi that trained it (v1)"},
		{"inputs", kiothi, size("inputs", 9), "architecture: expected inputs 367, width 32"},
		{"bins", kiothi, size("bins", 9), "bins 61, value width 16, found inputs 367, width 32, blocks 1, actions 631, bins 9"},
		{"width", kiothi, size("width", 33), "weights: expected "},
		{"huge width", kiothi, size("width", 1<<16), "weights: expected "},
		{"huge depth", kiothi, size("blocks", 1<<16), "weights: expected "},
		{"impossible width", kiothi, size("width", -1), "width is -1, expected 1 to 65536"},
		{"impossible depth", kiothi, size("blocks", 1<<40), "blocks is 1099511627776, expected 0 to 65536"},
	} {
		dir := save(t, kiothi)
		if c.edit != nil {
			edit(t, dir, c.edit)
		}
		w, _, err := Load(dir, c.game)
		if err == nil || w != nil {
			t.Errorf("%s: the network is accepted", c.name)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, dir+": ") || !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: the error is %q, want one line about %s with %q", c.name, got, dir, c.want)
		}
	}
}

// A network whose layers have as many weights as the description says, but not in its shapes.
func TestLoadRefusesTensorsOfAnotherShape(t *testing.T) {
	g := openGame(t, "kiothi", "")
	w := newWeights(t, g, 1)
	tensors := ToModel(w.Tensors())
	tensors[0].Shape = []int{tensors[0].Shape[1], tensors[0].Shape[0]}
	d := model.Description{Game: g.Name(), Rules: g.Rules(), ActionEncoding: mancala.ActionEncoding, FeatureEncoding: features.Version,
		Architecture: model.Architecture(w.Config())}
	dir := t.TempDir()
	if err := model.Write(dir, d, tensors); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load(dir, g)
	want := dir + ": network: tensor input.weight has shape [32 367], expected [367 32]"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestLoadRefusesDamagedWeights(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	dir := save(t, g)
	path := filepath.Join(dir, model.WeightsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err = Load(dir, g)
	if mismatch := (*model.MismatchError)(nil); !errors.As(err, &mismatch) || mismatch.What != "checksum" {
		t.Errorf("the error is %v, want one about the checksum", err)
	}
}

// Package release tells by the name of the file, without reading it, whether there is a network.
func TestAReleaseWithADescriptionHasAPolicyNetwork(t *testing.T) {
	if string(release.Policy) != model.DescriptionFile {
		t.Errorf("a release with %s has a network, but %s describes one", release.Policy, model.DescriptionFile)
	}
}
