package alphabeta

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kiothi/agent"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// The same source gives the same turn, complete and legal; polished, it is no worse by the evaluation.
func TestTurnsOfSelfPlayAreCompleteAndPolished(t *testing.T) {
	for _, e := range games.All() {
		for _, set := range e.Sets {
			g := open(t, e.Name, set.Name)
			p := player(t, g, Limits{Depth: 1})
			s := g.Start()
			for seed := uint64(0); s.Opening > 0; seed++ {
				draw := func(polished bool) ([]mancala.Action, mancala.State) {
					turn, after := p.DrawTurn(t.Context(), &s, rand.New(rand.NewPCG(seed, 1)), polished), s
					for _, a := range turn {
						play(t, g, &after, a)
					}
					return turn, after
				}
				turn, after := draw(false)
				if again, _ := draw(false); !slices.Equal(turn, again) {
					t.Errorf("%s: drew %v, then %v from the same source", set.Name, turn, again)
				}
				_, polished := draw(true)
				if after.Opening != s.Opening-1 || polished.Opening != s.Opening-1 {
					t.Fatalf("%s: %d opening turns are left after one of %d", set.Name, after.Opening, s.Opening)
				}
				if after.Phase == mancala.Sow {
					// The turn is the other player's now, unless the first to sow is the one who opened last.
					sign := int32(1)
					if after.Player != s.Player {
						sign = -1
					}
					if before, now := sign*p.eval.of(&after), sign*p.eval.of(&polished); now < before {
						t.Errorf("%s: polishing made %d of %d", set.Name, now, before)
					}
				}
				s = polished
			}
		}
	}
}

// A result is certain where the search saw the end of every line, and nowhere else.
func TestAnAnalysisSaysWhatIsCertain(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	for position, want := range map[string]bool{
		"0,0,0,0,0,1/1,0,0,0,0,0 - 40-6 S sow 0":  true, // South has more than half
		"0,0,0,0,0,1/1,0,0,0,0,0 - 6-40 S sow 0":  true,
		"4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0":   false,
		"3,0,2,4,0,4/4,1,4,0,4,4 - 9-9 N sow 0":   false,
		"0,0,0,0,0,1/0,0,0,0,0,1 - 23-23 S sow 0": true, // South loses its last stone
	} {
		s := parse(t, g, position)
		found, err := player(t, g, Limits{Depth: 2}).Analyse(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		if found.Certain != want || max(found.Score, -found.Score) > float64(g.Seeds()) {
			t.Errorf("%s: found %+v, want that it is certain: %t", position, found, want)
		}
	}
	s := parse(t, g, "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0")
	p, err := New(g, Config{Limits: Limits{Depth: 1}, Hash: 1, Endgames: known{}})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := p.Analyse(t.Context(), &s); err != nil || !found.Certain {
		t.Errorf("in a known end game: %+v, %v; want that it is certain", found, err)
	}
}

// known knows every position: the player to move wins by 3 with action 2.
type known struct{ agent.Endgames }

func (known) Best(*mancala.State) (mancala.Action, bool) { return 2, true }
func (known) Probe(*mancala.State) (int, bool)           { return 3, true }
