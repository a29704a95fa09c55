package alphabeta

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent/nnue"
	"kiothi/env/games"
)

func TestTheTermsOfKiothi(t *testing.T) {
	g := open(t, "kiothi", "")
	w, err := weightsOf(g)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newLinear(g, w)
	if err != nil {
		t.Fatal(err)
	}
	// a faces J, c faces H, and so on. South's free c (2) faces the empty H; North's free I (2) and J (4) face the
	// empty b and a, but H and G beside them are empty. North's free E faces f, which is full; North's D is protected.
	s := parse(t, g, "0,0,2,0,3,1,0,0,0,0/0,0,0,1,5,0,0,0,2,4 eD 20-18 S sow 0")
	var v Terms
	e.terms(&s, &v)
	if diff := cmp.Diff(Terms{
		2, 1, 3 - 1, 2, 6, 4, 0,
		0, 0, 2, -1, -2, 1, 0, 0, -2, -4,
		0, 0, 1, -1, 0, 1, 0, 0, -1, -1,
		0, 0, 0, -1, 1, 0, 0, 0, 0, 0,
	}, v); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	// Now G, H and I are full and free as well, so that the bonus takes all four.
	s = parse(t, g, "0,0,2,0,3,1,0,0,0,0/0,0,0,1,5,0,1,1,2,4 eD 20-16 S sow 0")
	e.terms(&s, &v)
	if v[5] != 8 {
		t.Errorf("the leftmost pit can win %d, want 8", v[5])
	}
}

func TestTheTermsOfRioKadalis(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	w, err := weightsOf(g)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newLinear(g, w)
	if err != nil {
		t.Fatal(err)
	}
	s := parse(t, g, "3,0,3,16,0,1/3,0,0,0,0,2 - 12-8 N sow 0")
	var v Terms
	e.terms(&s, &v)
	if diff := cmp.Diff(Terms{-4, 1, -18, -2, 1, 2, 0, 1, 1}, v); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
}

func TestTheEvaluationIsTheSameFromBothChairsAndWithinWhatCanBe(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game, "")
		for name, p := range players(t, g, Limits{Depth: 1}) {
			rng := rand.New(rand.NewPCG(1, 1))
			for range 500 {
				s := sowing(t, g, rng, rng.IntN(50))
				swapped := s.Swapped(g.Width())
				score := p.eval.of(&s)
				if got := p.eval.of(&swapped); got != score {
					t.Errorf("%s: %d by its %s, and %d with the sides changed", g.Format(&s), score, name, got)
				}
				low, high := limits(&s)
				if score < decided(low) || score > decided(high) {
					t.Errorf("%s: score %d by its %s, of margins from %d to %d", g.Format(&s), score, name, low, high)
				}
			}
		}
	}
}

// TestTheScoreIsThatOfTheTerms compares the fast way to the score with the plain one.
func TestTheScoreIsThatOfTheTerms(t *testing.T) {
	g := open(t, "kiothi", "")
	e := player(t, g, Limits{Depth: 1}).eval.linear
	rng := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		s := sowing(t, g, rng, rng.IntN(40))
		var v Terms
		e.terms(&s, &v)
		board, want := s.OnBoard(), int32(0)
		for i := range v {
			want += v[i] * e.weights[board][i]
		}
		if got := e.kiothiSum(&s, board); got != want {
			t.Fatalf("%s: %d, want %d", g.Format(&s), got, want)
		}
	}
}

// TestTheNetworkJudgesWhatIsNotDecided expects the network's judgement between a certain loss and a certain win, and that of
// the terms where only the margin is open.
func TestTheNetworkJudgesWhatIsNotDecided(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game, "")
		plain, p := player(t, g, Limits{Depth: 1}), networkPlayer(t, g, Limits{Depth: 1})
		rng := rand.New(rand.NewPCG(5, 5))
		undecided, settled := 0, 0
		for range 2000 {
			s := sowing(t, g, rng, rng.IntN(60))
			low, high := limits(&s)
			score := p.eval.of(&s)
			if low > 0 || high < 0 {
				settled++
				if want := plain.eval.of(&s); score != want {
					t.Errorf("%s: %d, want %d", g.Format(&s), score, want)
				}
				continue
			}
			undecided++
			logit := p.eval.network.Evaluate(&s)
			want := max(min(int(logit)*logitScore/nnue.LogitUnit, won-1), 1-won)
			if low == 0 {
				want = max(want, 0)
			}
			if high == 0 {
				want = min(want, 0)
			}
			if int(score) != want {
				t.Errorf("%s: %d, want %d of the logit %d", g.Format(&s), score, want, logit)
			}
		}
		if undecided < 100 || settled < 20 {
			t.Errorf("%s: %d positions are undecided and %d settled, want more", game, undecided, settled)
		}
	}
}
