package config

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// printed returns the TOML of a configuration.
func printed(t *testing.T, c Config) string {
	t.Helper()
	var b strings.Builder
	if err := Print(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fields adds the dotted TOML names of a struct's fields to names.
func fields(kind reflect.Type, prefix string, names map[string]bool) {
	for i := range kind.NumField() {
		f := kind.Field(i)
		name := prefix + f.Tag.Get("toml")
		if f.Type.Kind() == reflect.Struct {
			fields(f.Type, name+".", names)
		} else {
			names[name] = true
		}
	}
}

func TestTheTableHasEachFieldOnceAndInItsPlace(t *testing.T) {
	want := map[string]bool{}
	fields(reflect.TypeFor[Config](), "", want)
	known := map[string]bool{}
	for _, s := range sections {
		known[s.name] = true
	}
	for i := range keys {
		k := &keys[i]
		if !want[k.Name] {
			t.Errorf("key %s has no field, or stands twice", k.Name)
		}
		delete(want, k.Name)
		if !known[k.section()] {
			t.Errorf("key %s is in a section that is not printed", k.Name)
		}
		if k.Doc == "" || k.Values == "" || !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("key %s is not documented in sentences", k.Name)
		}
		// The pointer belongs to the field of the key's name: what TOML sets under the name, the pointer sees.
		c := Default()
		other := sample(k, &c)
		changed := c.Clone()
		if err := decodeInto([]byte(assignment(k, other)), &changed); err != nil {
			t.Errorf("key %s: %v", k.Name, err)
		} else if got := k.format(&changed); got != other {
			t.Errorf("key %s reads %s after TOML set it to %s", k.Name, got, other)
		}
	}
	for name := range want {
		t.Errorf("field %s has no key", name)
	}
}

// sample returns a value in TOML that differs from the key's.
func sample(k *Key, c *Config) string {
	switch k.get(c).(type) {
	case float64:
		return "0.123"
	case string:
		return `"other"`
	case []string:
		return `["other", "agents"]`
	default:
		return "7654"
	}
}

func TestEachPresetIsValidAndRoundTrips(t *testing.T) {
	for _, name := range PresetNames() {
		c, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err != nil {
			t.Errorf("preset %s: %v", name, err)
		}
		text := printed(t, c)
		// The base is another one, so that a key that is not printed would be noticed.
		base := Default()
		for i := range keys {
			if err := decodeInto([]byte(assignment(&keys[i], sample(&keys[i], &base))), &base); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Parse([]byte(text), base)
		if err != nil {
			t.Fatalf("preset %s: %v", name, err)
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Errorf("preset %s (-printed +read):\n%s", name, diff)
		}
		if again := printed(t, got); again != text {
			t.Errorf("preset %s prints otherwise after it was read", name)
		}
	}
	if diff := cmp.Diff(Default(), quick()); diff != "" {
		t.Errorf("the default is not the preset quick:\n%s", diff)
	}
}

// assignment returns TOML that sets one key.
func assignment(k *Key, value string) string {
	return strings.Replace("["+k.section()+"]\n"+k.local()+" = "+value+"\n", "[]\n", "", 1)
}

func TestExtremeValuesRoundTrip(t *testing.T) {
	c := Default()
	c.Seed = math.MaxInt64
	c.Rules = `a "quoted" \ é`
	c.Training.LearningRate = math.Nextafter(0.1, 1)
	c.Training.FinalLearningRate = 0
	c.Search.CVisit = 1e6
	c.Evaluation.Opponents = []string{"zero:runs/a b é,sims=64", "random"}
	got, err := Parse([]byte(printed(t, c)), Default())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, got); diff != "" {
		t.Errorf("(-printed +read):\n%s", diff)
	}
}

func TestQuoteIsTOMLForAnyText(t *testing.T) {
	for _, s := range []string{"", "\x00\x1f\x7f", "a\nb\tc", `"\`, "é∀😀", "\u2028"} {
		c := Config{}
		if err := decodeInto([]byte("rules = "+quote(s)), &c); err != nil || c.Rules != s {
			t.Errorf("%q is written as %s and read as %q (%v)", s, quote(s), c.Rules, err)
		}
	}
}

func TestPrintSaysWhatEachKeyMeans(t *testing.T) {
	text := printed(t, Default())
	for _, word := range []string{
		"# The game.\n# Valid: \"kiothi\" or \"rio-kadalis\". Default: \"kiothi\".\ngame = \"kiothi\"\n",
		"[selfplay]\n", "[evaluation]\n", "opponents = [\"random\", \"greedy\"]\n", "May change when a run goes on.",
	} {
		if !strings.Contains(text, word) {
			t.Errorf("found no %q in\n%s", word, text)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > printWidth+1 {
			t.Errorf("a line is longer than %d: %s", printWidth, line)
		}
	}
}

func TestAFileChangesTheBaseOnlyWhereItSpeaks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "é 1.toml")
	text := "seed = 5\n[training]\nlearning_rate = 1\n[evaluation]\nopponents = [\"x\"]\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	base := small()
	got, err := Load(path, base)
	if err != nil {
		t.Fatal(err)
	}
	want := small()
	want.Seed, want.Training.LearningRate, want.Evaluation.Opponents = 5, 1, []string{"x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(small(), base); diff != "" {
		t.Errorf("the base changed:\n%s", diff)
	}
}

func TestLoadNamesThePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.toml")
	if _, err := Load(path, Default()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Load of a missing file returned %v", err)
	}
	for word, text := range map[string]string{"unknown key": "x = 1", "column": "seed = ", "found 0": "[training]\nbatch = 0", "at most": strings.Repeat("#", maxFile+1)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, Default()); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), word) {
			t.Errorf("Load returned %v, want the path and %q", err, word)
		}
	}
}

func TestParseSaysWhatIsWrongAndWhatWasMeant(t *testing.T) {
	for _, c := range []struct {
		text  string
		words []string
	}{
		{"[training]\nlearning_rte = 3", []string{`unknown key "training.learning_rte", did you mean "training.learning_rate"?`, "2| learning_rte = 3", "~~~~"}},
		{"simulations = 3", []string{`unknown key "simulations", did you mean "selfplay.simulations"?`}},
		{"[training]\nstreams = 3", []string{`did you mean "selfplay.streams"?`}},
		{"[trainig]\nbatch = 3", []string{`did you mean "training`, "1| [trainig]"}},
		{"[training]\nbatch = 1\nx = 1\n[zzzzzzz]\ny = 1", []string{`unknown key "training.x"`, `"zzzzzzz`, "--print-config"}},
		{"[training]\nbatch = 'big'", []string{"line 2: key training.batch: found batch = 'big', expected a whole number from 1 to 65536"}},
		{"[training]\nbatch = 1.5", []string{"key training.batch"}},
		{"seed = -1", []string{"key seed", "from 0 to 9223372036854775807"}},
		{"seed = 9223372036854775808", []string{"key seed"}},
		{"[evaluation]\nopponents = 'random'", []string{"key evaluation.opponents", "a list of agents"}},
		{"training = 3", []string{"key training: found training = 3, expected a section"}},
		{"seed = 1\nseed = 2", []string{"line 2", "already defined", "2| seed = 2"}},
		{"seed =", []string{"line 1", "expected TOML", "1| seed ="}},
		{"[training]\nlearning_rate = nan", []string{"key training.learning_rate: found nan, expected a number above 0, at most 1"}},
		{"[training]\nlearning_rate = -inf", []string{"key training.learning_rate: found -inf"}},
	} {
		_, err := Parse([]byte(c.text), Default())
		if err == nil {
			t.Errorf("Parse took %q", c.text)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q: the error has no %q: %v", c.text, word, err)
			}
		}
		if strings.Contains(err.Error(), "struct") {
			t.Errorf("%q: the error speaks of Go: %v", c.text, err)
		}
	}
}

func TestOverridesReadEachKind(t *testing.T) {
	c := Default()
	for _, assignment := range []string{"game=rio-kadalis", "rules=five-holes,no_capture_limit=50", "seed=9", "search.c_scale=0.5", "training.batch = 64", "evaluation.opponents=random; zero:a,sims=4"} {
		if err := c.Set(assignment); err != nil {
			t.Fatal(err)
		}
	}
	want := Default()
	want.Game, want.Rules, want.Seed, want.Search.CScale, want.Training.Batch = "rio-kadalis", "five-holes,no_capture_limit=50", 9, 0.5, 64
	want.Evaluation.Opponents = []string{"random", "zero:a,sims=4"}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for value, want := range map[string][]string{`["greedy", "zero:a,sims=4"]`: {"greedy", "zero:a,sims=4"}, "[]": {}, "": nil} {
		if err := c.Override("evaluation.opponents", value); err != nil || !slices.Equal(c.Evaluation.Opponents, want) {
			t.Errorf("a list of %s is read as %q, %v; want %q", value, c.Evaluation.Opponents, err, want)
		}
	}
	if diff := cmp.Diff(quick(), Default()); diff != "" {
		t.Errorf("the default changed:\n%s", diff)
	}
}

func TestAWrongOverrideSaysWhatIsRightAndChangesNothing(t *testing.T) {
	c := Default()
	for assignment, word := range map[string]string{
		"training.batch":                 "expected key=value",
		"search.dirichlet_share=1":       "a number from 0, below 1",
		`evaluation.opponents=["greedy"`: "a list of agents",
		`evaluation.opponents=[3]`:       "a list of agents",
		"training.bach=1":                `did you mean "training.batch"?`,
		"training.batch=many":            `key training.batch: found "many", expected a whole number from 1 to 65536`,
		"training.batch=0":               `found "0"`,
		"training.batch=":                `found ""`,
		"seed=-1":                        `found "-1"`,
		"training.clip=NaN":              `found "NaN", expected a number from 0 to`,
		"game=chess":                     `expected "kiothi" or "rio-kadalis"`,
		"search.considered=1":            "expected 0, or a whole number from 2",
		"evaluation.games=3":             "expected 0, or an even number",
		"search.c_puct=0":                "expected a number above 0",
		"evaluation.opponents=":          "",
	} {
		err := c.Set(assignment)
		if word == "" && err != nil || word != "" && (err == nil || !strings.Contains(err.Error(), word)) {
			t.Errorf("Set(%q) returned %v, want %q", assignment, err, word)
		}
	}
	want := Default()
	want.Evaluation.Opponents = nil // an empty list is one
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("a wrong override changed the configuration (-want +got):\n%s", diff)
	}
}

func TestEachRangeHasItsEnds(t *testing.T) {
	for name, c := range map[string]struct{ in, out []string }{
		"workers":                      {[]string{"0", "1024"}, []string{"-1", "1025"}},
		"network.width":                {[]string{"1", "4096"}, []string{"0", "4097"}},
		"network.blocks":               {[]string{"0", "64"}, []string{"-1", "65"}},
		"selfplay.temperature":         {[]string{"0", "10"}, []string{"-0.1", "10.1"}},
		"selfplay.random_openings":     {[]string{"0", "1"}, []string{"-0.1", "1.1"}},
		"search.considered":            {[]string{"0", "2"}, []string{"1", "-1"}},
		"search.margin_share":          {[]string{"0", "1"}, []string{"1.5"}},
		"training.window":              {[]string{"1000"}, []string{"999"}},
		"training.final_learning_rate": {[]string{"0"}, []string{"-1", "2"}},
		"run.keep":                     {[]string{"1"}, []string{"0"}},
		"evaluation.every":             {[]string{"0"}, []string{"-1"}},
		"evaluation.interim_games":     {[]string{"2"}, []string{"0", "1", "3"}},
	} {
		for _, value := range c.in {
			d := Default()
			if err := d.Override(name, value); err != nil {
				t.Error(err)
			}
		}
		for _, value := range c.out {
			d := Default()
			if err := d.Override(name, value); err == nil {
				t.Errorf("%s=%s is taken", name, value)
			}
		}
	}
}

func TestValuesThatDoNotGoTogetherAreRefused(t *testing.T) {
	for word, change := range map[string]func(*Config){
		"key selfplay.games: found 513, expected a multiple of selfplay.streams, which is 4":                          func(c *Config) { c.SelfPlay.Games = 513 },
		"key training.final_learning_rate: found 0.01, expected at most training.learning_rate, which is 0.004":       func(c *Config) { c.Training.FinalLearningRate = 0.01 },
		"key network.width: found 0, expected a whole number from 1 to 4096\nkey network.value_width: found -1, expe": func(c *Config) { c.Network.Width, c.Network.ValueWidth = 0, -1 },
	} {
		c := Default()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("Validate returned %v, want %q", err, word)
		}
	}
}

func TestCompatibleListsWhatMayNotChange(t *testing.T) {
	old := Default()
	old.Seed = 7
	free := old.Clone()
	free.Workers = 3
	free.Run = Run{Iterations: 5, CheckpointEvery: 2, Keep: 9}
	free.Evaluation = Evaluation{Every: 1, InterimGames: 2, Games: 4, Simulations: 8}
	if err := Compatible(old, free); err != nil {
		t.Errorf("what may change is refused: %v", err)
	}
	other := old.Clone()
	other.Seed, other.Network.Width, other.Rules = 8, 64, "mancala-world,bonus=run"
	err := Compatible(old, other)
	if err == nil {
		t.Fatal("another network is taken")
	}
	for _, word := range []string{"key seed: found 8, expected the run's 7", "key network.width: found 64, expected the run's 128", `key rules: found "mancala-world,bonus=run", expected the run's ""`} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error has no %q: %v", word, err)
		}
	}
	if n := strings.Count(err.Error(), "\n"); n != 3 {
		t.Errorf("the error lists %d keys, want 3: %v", n, err)
	}
}

func TestDrawSeedOnlyWhereThereIsNone(t *testing.T) {
	c := Config{Seed: 5}
	if c.DrawSeed(); c.Seed != 5 {
		t.Errorf("a seed was drawn in the place of 5: %d", c.Seed)
	}
	one, two := Config{}, Config{}
	one.DrawSeed()
	two.DrawSeed()
	if one.Seed == 0 || one.Seed == two.Seed || one.Seed > maxSeed {
		t.Errorf("the seeds drawn are %d and %d", one.Seed, two.Seed)
	}
}

func TestUnknownPresetsAreListed(t *testing.T) {
	if _, err := Preset("quik"); err == nil || !strings.Contains(err.Error(), `did you mean "quick"? Valid presets: quick, small, strong`) {
		t.Errorf("Preset returned %v", err)
	}
	if docs := PresetDocs(); len(docs) != len(presets) || !strings.HasPrefix(docs[0], "quick ") {
		t.Errorf("PresetDocs returned %q", docs)
	}
}

func TestKeysCannotBeChangedFromOutside(t *testing.T) {
	Keys()[0].Name = "x"
	if Keys()[0].Name != "game" {
		t.Error("a change of what Keys returned changed the table")
	}
}
