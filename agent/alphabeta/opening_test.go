package alphabeta

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// openTurn lets an agent play one turn of the opening, each action with a source of its own, and returns it.
func openTurn(t *testing.T, g mancala.Game, a agent.Agent, s *mancala.State, seed uint64) []mancala.Action {
	t.Helper()
	var turn []mancala.Action
	for opening := s.Opening; s.Opening == opening && s.Opening > 0 && !s.Over(); {
		action, err := a.Choose(t.Context(), s, rand.New(rand.NewPCG(seed, uint64(len(turn)))))
		if err != nil {
			t.Fatal(err)
		}
		play(t, g, s, action)
		turn = append(turn, action)
	}
	return turn
}

func TestAPlayerOfOneGamePlansATurnOnce(t *testing.T) {
	for _, e := range games.All() {
		for _, set := range e.Sets {
			g := open(t, e.Name, set.Name)
			p := player(t, g, Limits{Nodes: 20_000})
			s := g.Start()
			for s.Opening > 0 {
				var effort agent.Effort
				rng := rand.New(rand.NewPCG(3, 0)) // as openTurn has it for the first action
				planned, err := p.PlanTurn(agent.WithEffort(t.Context(), &effort), &s, rng)
				if err != nil {
					t.Fatal(err)
				}
				if n := effort.Nodes.Load(); n < 1 || n > 20_000+mancala.MaxSeeds {
					t.Errorf("%s: %d nodes are counted, want up to 20000 and the moves of a position", set.Name, n)
				}
				if played := openTurn(t, g, p.Start(), &s, 3); !slices.Equal(played, planned) {
					t.Errorf("%s: played %v, planned %v", set.Name, played, planned)
				}
			}
		}
	}
}

func TestAPlanIsDroppedWhereTheGameWentAnotherWay(t *testing.T) {
	g := open(t, "kiothi", "")
	one := player(t, g, Limits{Nodes: 2000}).Start()
	s, rng := g.Start(), rand.New(rand.NewPCG(1, 1))
	if _, err := one.Choose(t.Context(), &s, rng); err != nil {
		t.Fatal(err)
	}
	for _, position := range []string{
		"0,0,0,0,0,0,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S place(10) 0",
		"5,5,0,0,0,0,5,5,5,5/0,0,0,0,0,5,5,5,5,5 - 0-0 N lift(5):E 0",
		"0,0,0,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 e 20-18 S sow 0",
	} {
		s := parse(t, g, position)
		a, err := one.Choose(t.Context(), &s, rng)
		if err != nil {
			t.Fatal(err)
		}
		play(t, g, &s, a)
	}
}

// TestHalfATurnIsCompletedWell lets the player go on with the turns of another, and compares what it makes of them with
// what chance does.
func TestHalfATurnIsCompletedWell(t *testing.T) {
	g := open(t, "kiothi", "")
	p := player(t, g, Limits{Nodes: 5000})
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(9, seed))
		s := g.Start()
		openTurn(t, g, scripted.Random{Game: g}, &s, seed)
		turn := scripted.SampleOpening(g, &s, rng)
		for _, a := range turn[:len(turn)/2] {
			play(t, g, &s, a)
		}
		done, chance := s, s
		openTurn(t, g, p, &done, seed)
		openTurn(t, g, scripted.Random{Game: g}, &chance, seed)
		if done.Phase != mancala.Sow {
			t.Fatalf("the turn is not over at %s", g.Format(&done))
		}
		if got, other := p.eval.of(&done), p.eval.of(&chance); got > other { // South's score, which North wants low
			t.Errorf("the player leaves South %d, chance %d", got, other)
		}
	}
}

func TestAModelIsPlayedWhereItFitsAndElsewhereInProportion(t *testing.T) {
	g := open(t, "kiothi", "")
	turn := func(s *mancala.State, text string) []mancala.Action {
		actions, err := g.ParseTurn(s, text)
		if err != nil {
			t.Fatal(err)
		}
		return actions
	}
	start := g.Start()
	model := turn(&start, "eh:a5c5")
	s, want := start, start
	playModel(g, &s, model)
	for _, a := range model {
		play(t, g, &want, a)
	}
	if s != want {
		t.Errorf("the model itself leads to %s, want %s", g.Format(&s), g.Format(&want))
	}
	// Pit e is empty here, so that h is lifted first, and i in place of e; of eleven seeds six are the first half.
	s = parse(t, g, "0,0,0,0,0,5,5,6,5,5/0,0,0,0,5,5,5,5,5,4 - 0-0 S lift 0")
	want = s
	playModel(g, &s, model)
	for _, a := range turn(&want, "hi:a6c5") {
		play(t, g, &want, a)
	}
	if s != want {
		t.Errorf("the model leads to %s, want %s", g.Format(&s), g.Format(&want))
	}
}

func TestTurnsAreApartByTheActionsThatDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b []mancala.Action
		want int
	}{
		{[]mancala.Action{1, 2, 2, 3}, []mancala.Action{1, 2, 2, 3}, 0},
		{[]mancala.Action{1, 2, 2, 3}, []mancala.Action{1, 2, 3, 3}, 1},
		{[]mancala.Action{1, 1, 1}, []mancala.Action{2, 2, 2}, 3},
		{[]mancala.Action{1, 4}, []mancala.Action{2, 3, 4}, 1},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%v and %v are %d apart, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestDrawnTurnsAreLegalAndMostlyHeaped(t *testing.T) {
	for _, e := range games.All() {
		for _, set := range e.Sets {
			g, rng := open(t, e.Name, set.Name), rand.New(rand.NewPCG(2, 2))
			heaped, turns := 0, 0
			for range 200 {
				for s := g.Start(); s.Opening > 0 && !s.Over(); {
					places := map[mancala.Action]bool{}
					hand := 0
					for _, a := range drawTurn(g, &s, rng) {
						if s.Phase == mancala.Place {
							places[a] = true
							hand++
						}
						play(t, g, &s, a)
					}
					if hand >= 10 {
						turns++
						if len(places) <= heaps {
							heaped++
						}
					}
				}
			}
			if heaped*10 < turns*7 {
				t.Errorf("%s: %d of %d turns are heaped, want four in five", set.Name, heaped, turns)
			}
		}
	}
}

// BenchmarkOpening plans South's turn, which takes North's replies into account.
func BenchmarkOpening(b *testing.B) {
	g := open(b, "kiothi", "")
	p := player(b, g, Limits{Depth: 6})
	s := g.Start()
	for b.Loop() {
		if _, err := p.PlanTurn(b.Context(), &s, rand.New(rand.NewPCG(1, 1))); err != nil {
			b.Fatal(err)
		}
	}
}
