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

func TestAnOptionMayFollowTheColonOfAPlayerWithoutArgument(t *testing.T) {
	kinds := Kinds{{Name: "deep", Form: "deep:depth=N", Options: []Option{{Name: "depth"}, {Name: "hash"}}}}
	for _, text := range []string{"deep:depth=6,hash=2", "deep:hash=2,depth=6", "deep,depth=6,hash=2"} {
		_, spec, err := kinds.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		depth, err := spec.Int("depth", 0, 1, 9)
		if err != nil || depth != 6 || spec.Argument != "" {
			t.Errorf("Parse(%q) gives depth %d, argument %q and error %v", text, depth, spec.Argument, err)
		}
		if _, again, err := kinds.Parse(spec.String()); err != nil || len(again.Settings) != 2 {
			t.Errorf("%q prints as %q, which reads back as %v with error %v", text, spec.String(), again, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"deep:depth=6,depth=7", `option "depth" is given twice`},
		{"deep:6", "deep takes no argument; it is written deep:depth=N"},
		{"deep:=6", "deep takes no argument"},
		{"deep:dept=6", `unknown option "dept", did you mean "depth"?`},
	} {
		var mistake *SpecError
		if _, _, err := kinds.Parse(c.text); !errors.As(err, &mistake) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q) = %v, want a SpecError with %q", c.text, err, c.want)
		}
	}
}

func TestAnArgumentWithAnEqualsSignStaysOneWhereThePlayerTakesOne(t *testing.T) {
	if _, spec, err := testKinds.Parse("zero:a=b,sims=3"); err != nil || spec.Argument != "a=b" {
		t.Errorf("argument %q, error %v", spec.Argument, err)
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
