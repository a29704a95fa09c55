package perfect

import (
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/alphabeta"
	"kiothi/agent/scripted"
	"kiothi/agent/solve/certificate"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var open = gamestest.Open

// player returns an agent by its spec.
func player(t testing.TB, g mancala.Game, spec string) agent.Agent {
	t.Helper()
	kinds := scripted.WithMixed(append(append(scripted.Kinds(), alphabeta.Kinds()...), Kinds()...))
	a, err := kinds.Open(g, spec)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// game plays from the start, and returns South's final margin and the longest time that South or North took for an action.
func game(t testing.TB, g mancala.Game, agents [2]agent.Agent, seed uint64) (margin int, longest [2]time.Duration) {
	t.Helper()
	var seats [2]agent.Agent
	for p := range seats {
		seats[p] = agent.Start(agents[p])
		if c, ok := seats[p].(io.Closer); ok {
			defer c.Close()
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	s := g.Start()
	for !s.Over() {
		began := time.Now()
		p := s.Player
		a, err := seats[p].Choose(t.Context(), &s, rng)
		if err != nil {
			t.Fatal(err)
		}
		longest[p] = max(longest[p], time.Since(began))
		if _, err := g.Play(&s, a); err != nil {
			t.Fatal(err)
		}
	}
	return mancala.Margin(g, &s, mancala.South), longest
}

func TestNobodyGetsMoreThanTheProvedResultFromTheStart(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		south       int // margin
		others      []string
		games       int
	}{
		{"rio-kadalis", "five-holes", 0, []string{"random", "greedy", "alphabeta:depth=6", "mixed:alphabeta:depth=4,eps=0.2"}, 3},
		{"rio-kadalis", "standard", -8, []string{"random", "alphabeta:depth=6", "mixed:alphabeta:depth=4,eps=0.2"}, 1},
		{"rio-kadalis", "clockwise", -8, []string{"mixed:alphabeta:depth=4,eps=0.2"}, 1},
		{"kiothi", "mancala-world,start=1x2", -4, []string{"random", "greedy"}, 2},
	} {
		g := open(t, c.game, c.rules)
		perfect := player(t, g, "perfect")
		for _, spec := range c.others {
			other := player(t, g, spec)
			var longest time.Duration
			for seed := range uint64(c.games) {
				m, times := game(t, g, [2]agent.Agent{perfect, other}, seed)
				if m < c.south {
					t.Errorf("%s: South gets %d against %s (seed %d), %d is proved", c.rules, m, spec, seed, c.south)
				}
				longest = max(longest, times[0])
				m, times = game(t, g, [2]agent.Agent{other, perfect}, seed)
				if m > c.south {
					t.Errorf("%s: North gets %d against %s (seed %d), %d is proved", c.rules, -m, spec, seed, -c.south)
				}
				longest = max(longest, times[1])
			}
			t.Logf("%s: %v at most for an action against %s", c.rules, longest, spec)
		}
		if m, _ := game(t, g, [2]agent.Agent{perfect, perfect}, 0); m != c.south {
			t.Errorf("%s: against itself South gets %d, want %d", c.rules, m, c.south)
		}
	}
}

func TestTheBooksAreProved(t *testing.T) {
	names, err := fs.Glob(books, "books/*.certificate")
	if err != nil || len(names) != 3 {
		t.Fatalf("found %d books (%v), want 3", len(names), err)
	}
	for _, name := range names {
		data, err := books.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := certificate.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := certificate.Verify(t.Context(), c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if g := open(t, c.Game, c.Rules); c.Low != c.High || c.Position != g.Format(new(start(g))) {
			t.Errorf("%s: %s from %d to %d, want the margin of the start", name, c.Position, c.Low, c.High)
		}
	}
}

// start returns a game's start.
func start(g mancala.Game) mancala.State { return g.Start() }

func TestWhereNothingIsProvedItPlaysOn(t *testing.T) {
	g := open(t, "kiothi", "")
	m, _ := game(t, g, [2]agent.Agent{player(t, g, "perfect:nodes=300"), player(t, g, "random")}, 1)
	if m <= 0 {
		t.Errorf("South gets %d against random play, want a win", m)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := g.Start()
	if _, err := player(t, g, "perfect").Choose(ctx, &s, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("it answers although the context has ended")
	}
}

func TestTheSamePositionGetsTheSameAnswer(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes")
	p := player(t, g, "perfect")
	rng := rand.New(rand.NewPCG(2, 2))
	s := g.Start()
	for !s.Over() {
		a, err := p.Choose(t.Context(), &s, rng)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := player(t, g, "perfect").Choose(t.Context(), &s, rng); err != nil || b != a {
			t.Fatalf("%s: %d, then %d (%v)", g.Format(&s), a, b, err)
		}
		legal := g.AppendLegal(nil, &s)
		if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
		if s.Clock > 12 {
			break
		}
	}
}

// A game that is closed twice, as by a deferred call and another, gives its solver back once.
func TestTwoGamesNeverShareASolver(t *testing.T) {
	p := player(t, open(t, "rio-kadalis", "five-holes"), "perfect").(*Player)
	closed := p.Start().(*seat)
	for range 2 {
		if err := closed.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := p.Start().(*seat), p.Start().(*seat); a.solver == b.solver {
		t.Error("two games under way have one solver")
	}
}

// Many games can be under way at once: as long as the book answers, they take no memory to speak of.
func TestGamesInTheBookTakeLittleMemory(t *testing.T) {
	g := open(t, "rio-kadalis", "standard")
	p := player(t, g, "perfect").(*Player)
	s := g.Start()
	const games, most = 16, 1 << 20 // bytes a game
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range games {
		if _, err := p.Start().Choose(t.Context(), &s, nil); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if a := (after.TotalAlloc - before.TotalAlloc) / games; a > most {
		t.Errorf("a game allocates %d bytes for its first move, want at most %d", a, most)
	}
}

// Each rule set that can have a table has one, however few seeds there are.
func TestEachGameHasWhatItCanHave(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		book, table bool
	}{
		{"rio-kadalis", "standard", true, true},
		{"rio-kadalis", "five-holes", true, true},
		{"rio-kadalis", "five-holes,lap_limit=5", false, true},
		{"kiothi", "", false, true},
		{"kiothi", "mancala-world,start=1x1,lifts=0", false, true},
		{"kiothi", "mancala-world,protection=unmoved", false, false},
	} {
		k, err := knowledgeOf(open(t, c.game, c.rules))
		if err != nil {
			t.Errorf("%s %s: %v", c.game, c.rules, err)
		} else if k.book != nil != c.book || k.table != nil != c.table {
			t.Errorf("%s %s: a book %v, a table %v; want %v, %v", c.game, c.rules, k.book != nil, k.table != nil, c.book, c.table)
		}
	}
}
