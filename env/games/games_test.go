package games

import (
	"strings"
	"testing"

	"kiothi/env/mancala"
)

func TestEveryRuleSetOpensByItsName(t *testing.T) {
	for _, e := range All() {
		for _, set := range e.Sets {
			g, err := Open(e.Name, set.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := g.(mancala.Sampler); !ok {
				t.Errorf("%s is no mancala.Sampler", e.Name)
			}
			if g.Name() != e.Name || g.Rules() != set.Name {
				t.Errorf("opening %s %s gives %s %s", e.Name, set.Name, g.Name(), g.Rules())
			}
		}
		g, err := Open(e.Name, "")
		if err != nil || g.Rules() != e.Sets[0].Name {
			t.Errorf("without rules %s opens as %v, %v, want the first set", e.Name, g, err)
		}
	}
}

func TestEveryOptionOpensWithTheValueOfEverySet(t *testing.T) {
	for _, e := range All() {
		for _, o := range e.Options {
			for i, value := range o.Settings {
				if _, err := Open(e.Name, e.Sets[i].Name+","+o.Name+"="+value); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestOnlyTheFirstRuleSetIsTheDefault(t *testing.T) {
	for _, e := range All() {
		for rules, want := range map[string]bool{"": true, e.Sets[0].Name: true, e.Sets[1].Name: false, e.Sets[0].Name + ",lap_limit=7": false} {
			g, err := Open(e.Name, rules)
			if err != nil {
				t.Fatal(err)
			}
			if got := IsDefault(g); got != want {
				t.Errorf("%s %q is the default: %v, want %v", e.Name, rules, got, want)
			}
		}
	}
}

func TestAGameKnowsItsLimits(t *testing.T) {
	for _, e := range All() {
		g, err := Open(e.Name, e.Sets[0].Name+",lap_limit=7,no_capture_limit=9")
		if err != nil {
			t.Fatal(err)
		}
		if laps, clock := g.LapLimit(), g.ClockLimit(); laps != 7 || clock != 9 {
			t.Errorf("%s %s: %d laps and %d turns, want 7 and 9", e.Name, g.Rules(), laps, clock)
		}
	}
}

func TestWhatIsUnknownIsAnErrorThatListsTheValid(t *testing.T) {
	for _, c := range []struct{ game, rules, want string }{
		{"kiotih", "", `unknown game "kiotih", did you mean "kiothi"? Valid games: kiothi, rio-kadalis`},
		{"", "", `unknown game "". Valid games: kiothi, rio-kadalis`},
		{"kiothi", "mancala-wrld", `game kiothi: unknown rule set "mancala-wrld", did you mean "mancala-world"?`},
		{"rio-kadalis", "standard,hole=5", `unknown option "hole", did you mean "holes"?`},
		{"kiothi", "mancala-world,bonus=two", `option bonus="two"`},
	} {
		if _, err := Open(c.game, c.rules); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%q, %q) = %v, want an error with %q", c.game, c.rules, err, c.want)
		}
	}
}

func TestHelpNamesEverySetAndOption(t *testing.T) {
	help := Help()
	for _, e := range All() {
		words := []string{e.Name}
		for _, set := range e.Sets {
			words = append(words, set.Name)
		}
		for _, o := range e.Options {
			words = append(words, o.Name)
		}
		for _, word := range words {
			if !strings.Contains(help, word) {
				t.Errorf("the help does not name %s", word)
			}
		}
	}
}
