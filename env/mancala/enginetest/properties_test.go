package enginetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// A spoiled engine plays as the one within, but for a fault.
type spoiled struct {
	mancala.Game
	legal func([]mancala.Action) []mancala.Action
	play  func(s *mancala.State, a mancala.Action, t *mancala.Turn, err error) error
	text  func(string) string
}

func (g *spoiled) AppendLegal(dst []mancala.Action, s *mancala.State) []mancala.Action {
	dst = g.Game.AppendLegal(dst, s)
	if g.legal != nil {
		dst = g.legal(dst)
	}
	return dst
}

func (g *spoiled) Play(s *mancala.State, a mancala.Action) (mancala.Turn, error) {
	turn, err := g.Game.Play(s, a)
	if g.play != nil {
		err = g.play(s, a, &turn, err)
	}
	return turn, err
}

func (g *spoiled) Format(s *mancala.State) string {
	text := g.Game.Format(s)
	if g.text != nil {
		text = g.text(text)
	}
	return text
}

// TestPropertiesFindFaults plays engines with a fault each and checks that a walk names it.
func TestPropertiesFindFaults(t *testing.T) {
	for _, c := range []struct {
		fault string
		game  spoiled
		want  string
	}{
		{"none", spoiled{}, ""},
		{"an action is missing", spoiled{legal: func(l []mancala.Action) []mancala.Action { return l[:max(len(l)-1, 1)] }}, "is not listed as legal"},
		{"an action is doubled", spoiled{legal: func(l []mancala.Action) []mancala.Action { return append(l, l[len(l)-1]) }}, "do not ascend"},
		{"no action", spoiled{legal: func([]mancala.Action) []mancala.Action { return nil }}, "over is false"},
		{"a seed vanishes", spoiled{play: func(s *mancala.State, _ mancala.Action, _ *mancala.Turn, err error) error {
			if err == nil {
				s.Stores[0]++
				s.Stores[1]++
			}
			return err
		}}, "the stores went from"},
		{"the clock stands", spoiled{play: func(s *mancala.State, _ mancala.Action, _ *mancala.Turn, err error) error {
			s.Clock = 0
			return err
		}}, "the clock is 0, expected 1"},
		{"a refusal changes the state", spoiled{play: func(s *mancala.State, _ mancala.Action, _ *mancala.Turn, err error) error {
			if err != nil {
				s.Marks++
			}
			return err
		}}, "was refused and changed the state"},
		{"a refusal is no IllegalError", spoiled{play: func(_ *mancala.State, _ mancala.Action, _ *mancala.Turn, err error) error {
			if err != nil {
				return errPlain
			}
			return nil
		}}, "not an *IllegalError"},
		{"South gains", spoiled{play: func(s *mancala.State, _ mancala.Action, turn *mancala.Turn, err error) error {
			if err == nil {
				turn.Captured[0]++
				s.Stores[0]++
			}
			return err
		}}, "from the other chair"},
		{"positions are not read back", spoiled{text: func(s string) string { return strings.Replace(s, " S ", "  S ", 1) }}, "position"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			g, err := riokadalis.New("standard")
			if err != nil {
				t.Fatal(err)
			}
			c.game.Game = g
			start := g.Start()
			w := walk{game: &c.game, state: start, total: start.Total(), turnStart: start}
			rng := rand.New(rand.NewPCG(1, 1))
			for range 30 {
				if err = w.step(rng); err != nil || w.state.Over() {
					break
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the walk says %v, expected %q", err, c.want)
			}
		})
	}
}

// errPlain is an error of no use.
var errPlain = plainError("no")

type plainError string

func (e plainError) Error() string { return string(e) }
