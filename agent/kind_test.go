package agent

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"kiothi/env/mancala"
)

type nobody struct{}

func (nobody) Choose(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
	return 0, nil
}

var testKinds = Kinds{
	{Name: "random", Doc: "Plays anything.", New: func(mancala.Game, Spec) (Agent, error) { return nobody{}, nil }},
	{
		Name: "zero", Argument: "PATH", Doc: "Searches.",
		Options: []Option{{Name: "sims", Default: "64", Doc: "simulations a move"}, {Name: "seed", Default: "0", Doc: "seed"}},
		New: func(_ mancala.Game, spec Spec) (Agent, error) {
			if _, err := spec.Int("sims", 64, 1, 1000); err != nil {
				return nil, err
			}
			if spec.Argument == "missing" {
				return nil, &fs.PathError{Op: "open", Path: spec.Argument, Err: fs.ErrNotExist}
			}
			return nobody{}, nil
		},
	},
}

func TestOpenMakesThePlayerThatTheTextNames(t *testing.T) {
	for _, text := range []string{"random", "zero:somewhere", "zero:some,,where,sims=8"} {
		if _, err := testKinds.Open(nil, text); err != nil {
			t.Errorf("Open(%q): %v", text, err)
		}
	}
}

func TestAWrongTextListsWhatIsValidAndSuggestsTheNearest(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"randm", `unknown agent "randm", did you mean "random"? Valid agents: random, zero`},
		{"chess", `unknown agent "chess". Valid agents: random, zero`},
		{"zero", "zero needs an argument; it is written zero:PATH[,sims=64][,seed=0]"},
		{"random:x", "random takes no argument; it is written random"},
		{"zero:x,sim=3", `unknown option "sim", did you mean "sims"? Valid options: sims, seed`},
		{"random,sims=3", `unknown option "sims": random has no options`},
		{"zero:x,sims=0", "option sims: 0 is not from 1 to 1000"},
		{"", "no name"},
	} {
		_, err := testKinds.Open(nil, c.text)
		var mistake *SpecError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%q) = %v, want a SpecError with %q", c.text, err, c.want)
		}
	}
}

func TestAFailureToMakeAPlayerIsNoMistakeInItsText(t *testing.T) {
	_, err := testKinds.Open(nil, "zero:missing")
	var mistake *SpecError
	if errors.As(err, &mistake) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want the error of the file system and no SpecError", err)
	}
	if !strings.Contains(err.Error(), `agent "zero:missing"`) {
		t.Errorf("%v does not name the player", err)
	}
}

func TestHelpShowsEveryKindAndOption(t *testing.T) {
	help := testKinds.Help()
	for _, want := range []string{"random ", "Plays anything.", "zero:PATH ", "sims=64 ", "simulations a move"} {
		if !strings.Contains(help, want) {
			t.Errorf("the help lacks %q:\n%s", want, help)
		}
	}
}
