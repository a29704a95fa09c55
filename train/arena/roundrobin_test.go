package arena

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/agent/uct"
	"kiothi/env/mancala"
	"kiothi/train/rating"
)

// openAll makes contenders of specs.
func openAll(t testing.TB, g mancala.Game, specs ...string) []Contender {
	t.Helper()
	var contenders []Contender
	for _, spec := range specs {
		contenders = append(contenders, contender(t, g, spec))
	}
	return contenders
}

func mustPlay(t testing.TB, g mancala.Game, contenders []Contender, o Options) *Table {
	t.Helper()
	table, err := RoundRobin(t.Context(), g, contenders, o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func mustRoundRobin(t testing.TB, g mancala.Game, specs []string, o Options) *Table {
	t.Helper()
	return mustPlay(t, g, openAll(t, g, specs...), o)
}

// withoutTime compares tables but for what the clock measured.
var withoutTime = cmpopts.IgnoreFields(Cost{}, "Seconds")

func TestEachPairPlaysTheSameOpeningsFromBothSeats(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		table := mustRoundRobin(t, g, []string{"greedy", "random", "random", "greedy"}, Options{Games: 10, Seed: 5})
		if len(table.Matches) != 6 || table.Games != 60 {
			t.Fatalf("%d matches and %d games, want 6 and 60", len(table.Matches), table.Games)
		}
		openings, err := drawOpenings(t.Context(), g, Options{Games: 10, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range table.Matches {
			first, second := table.Pair(i)
			if found, turned := table.Match(second, first); found != r || !turned || first >= second {
				t.Errorf("match %d is of %d and %d", i, first, second)
			}
			for j, p := range r.Played {
				if start := openings[j/2].actions; p.Number != j || p.First != mancala.Player(j%2) || !slices.Equal(p.Actions[:len(start)], start) {
					t.Errorf("match %d: game %d is number %d, the first contender in seat %v, and begins with %v", i, j, p.Number, p.First, p.Actions)
				}
			}
		}
		// Two pairs of equal agents have chance of their own.
		if cmp.Equal(table.Matches[1].Played, table.Matches[0].Played) {
			t.Error("greedy plays the same games against both random agents")
		}
	})
}

func TestAMatchIsTheFirstOfARoundRobinAndLaterAgentsChangeNothing(t *testing.T) {
	g := open(t, "kiothi", "")
	o := Options{Games: 12, Seed: 9}
	many := mustRoundRobin(t, g, []string{"greedy", "random", "random", "greedy"}, o)
	few := mustRoundRobin(t, g, []string{"greedy", "random", "random"}, o)
	if diff := cmp.Diff(few.Matches, many.Matches[:3]); diff != "" {
		t.Errorf("without and with a fourth agent:\n%s", diff)
	}
	match := mustMatch(t, g, contender(t, g, "greedy"), contender(t, g, "random"), o)
	if diff := cmp.Diff(match, many.Matches[0]); diff != "" {
		t.Errorf("a match and the first of the round robin:\n%s", diff)
	}
}

func TestARoundRobinIsTheSameForAnyWorkersGamesAtOnceAndBatching(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		contenders := openAll(t, g, "greedy", "random", "greedy")
		want := mustPlay(t, g, contenders, Options{Games: 20, Seed: 2, Workers: 1, Concurrent: 1})
		contenders[2].Agent = &batched{Agent: contenders[2].Agent}
		for _, o := range []Options{{Workers: 1, Concurrent: 50}, {Workers: 8, Concurrent: 7}, {}} {
			o.Games, o.Seed = 20, 2
			if diff := cmp.Diff(want, mustPlay(t, g, contenders, o), withoutTime); diff != "" {
				t.Fatalf("workers %d, concurrent %d (-one by one +this):\n%s", o.Workers, o.Concurrent, diff)
			}
		}
	})
}

func TestStandingsAddUp(t *testing.T) {
	g := open(t, "kiothi", "")
	table := mustRoundRobin(t, g, []string{"greedy", "random", "greedy"}, Options{Games: 40, Seed: 3, Warrior: 10})
	sum := 0.0
	for i, s := range table.Standings {
		points, wins := 0.0, 0
		for j := range table.Standings {
			if score, ok := table.Against(i, j); ok {
				points += score * 40
			}
			if r, turned := table.Match(i, j); r != nil && !turned {
				wins += r.Total.Wins
			} else if r != nil {
				wins += r.Total.Losses
			}
		}
		if s.Games != 80 || s.Total.Games() != 80 || s.Total.Wins != wins || math.Abs(s.Total.Points()-points) > 1e-9 || s.Cost.Answers == 0 || s.Cost.Seconds <= 0 {
			t.Errorf("agent %d: %+v, want 80 games, %d wins and %v points", i, s, wins, points)
		}
		if s.Distinct != 80 || s.MeanTurns < 5 {
			t.Errorf("agent %d: %d distinct games of %.1f turns", i, s.Distinct, s.MeanTurns)
		}
		sum += s.MeanMargin
	}
	if sum > 1e-9 || sum < -1e-9 {
		t.Errorf("the mean margins add up to %v, want 0", sum)
	}
	if a, b := table.Standings[0], table.Standings[1]; a.Score <= b.Score || a.MeanMargin <= 0 || a.Low > a.Score || a.High < a.Score {
		t.Errorf("greedy %+v, random %+v", a, b)
	}
}

func TestMoreSimulationsWin(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	var contenders []Contender
	for _, spec := range []string{"uct:sims=30", "uct:sims=600"} {
		a, err := uct.Kinds().Open(g, spec)
		if err != nil {
			t.Fatal(err)
		}
		contenders = append(contenders, Contender{spec, a})
	}
	table := mustPlay(t, g, contenders, Options{Games: 60, Seed: 1})
	if weak := table.Standings[0]; weak.High >= 0.5 {
		t.Errorf("30 simulations score %.3f (%.3f to %.3f) against 600", weak.Score, weak.Low, weak.High)
	}
}

// remembering offers players that count the calls of their own game.
type remembering struct {
	agent.Agent
	begun, closed atomic.Int64
}

type rememberingPlayer struct {
	*remembering
	calls  int
	closed bool
}

func (r *remembering) Start() agent.Agent {
	r.begun.Add(1)
	return &rememberingPlayer{remembering: r}
}

// Choose plays by what it remembers: the first legal action at first, then the second, and so on.
func (p *rememberingPlayer) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if p.closed {
		return 0, errors.New("it is closed")
	}
	p.calls++
	agent.EffortOf(ctx).Nodes.Add(int64(p.calls))
	return p.Agent.Choose(ctx, s, rand.New(rand.NewPCG(1, uint64(p.calls))))
}

func (p *rememberingPlayer) Close() error {
	p.closed = true
	if p.remembering.closed.Add(1) == 3 {
		return errors.New("it does not close")
	}
	return nil
}

func TestAStarterHasAPlayerForEachSeatOfEachGame(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	for _, concurrent := range []int{1, 40} {
		r := &remembering{Agent: scripted.Random{Game: g}}
		var warnings []error
		table := mustPlay(t, g, []Contender{{"remembering", r}, contender(t, g, "random"), {"again", r}},
			Options{Games: 10, Concurrent: concurrent, Warn: func(err error) { warnings = append(warnings, err) }})
		if r.begun.Load() != 40 || r.closed.Load() != 40 {
			t.Errorf("%d players were begun and %d closed, want 40, two in each of 10 games and one in each of 20", r.begun.Load(), r.closed.Load())
		}
		if len(warnings) != 1 {
			t.Errorf("warnings %v, want one of the player that did not close", warnings)
		}
		if n := table.Standings[0].Cost; n.Nodes <= n.Answers {
			t.Errorf("%d nodes in %d answers, want more, as the players remember their calls", n.Nodes, n.Answers)
		}
		if concurrent == 1 {
			continue
		}
		one := mustPlay(t, g, []Contender{{"remembering", r}, contender(t, g, "random"), {"again", r}}, Options{Games: 10, Concurrent: 1, Workers: 1})
		if diff := cmp.Diff(one, table, withoutTime); diff != "" {
			t.Errorf("one game at once, and %d:\n%s", concurrent, diff)
		}
	}
}

func TestAMatchStopsWhereItIsDecidedWhateverTheWorkers(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, c := range []struct {
		config rating.SPRTConfig
		want   rating.Decision
	}{
		{rating.SPRTConfig{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}, rating.AcceptH1},
		{rating.SPRTConfig{Elo0: 600, Elo1: 800, Alpha: 0.05, Beta: 0.05}, rating.AcceptH0},
		{rating.SPRTConfig{Elo0: 0, Elo1: 0.5, Alpha: 0.05, Beta: 0.05}, rating.Continue},
	} {
		var want *Result
		for _, o := range []Options{{Workers: 1, Concurrent: 1}, {Workers: 1, Concurrent: 64}, {Workers: 8, Concurrent: 7}} {
			o.Games, o.Seed, o.SPRT = 200, 4, &c.config
			r := mustMatch(t, g, contender(t, g, "greedy"), contender(t, g, "random"), o)
			if r.SPRT == nil || r.SPRT.Decision != c.want.String() || (r.Games < 200) != (c.want != rating.Continue) {
				t.Fatalf("%v: %+v after %d games", c.config, r.SPRT, r.Games)
			}
			if want == nil {
				want = r
			}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Errorf("workers %d, concurrent %d (-one by one +this):\n%s", o.Workers, o.Concurrent, diff)
			}
			// A pair less would not have decided it.
			test, err := rating.NewSPRT(c.config)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < r.Games; i += 2 {
				if test.Decision() != rating.Continue {
					t.Fatalf("decided after %d games, and %d were played", i, r.Games)
				}
				if err := test.Add(r.Played[i].Score() + r.Played[i+1].Score()); err != nil {
					t.Fatal(err)
				}
			}
			if test.Decision() != c.want || test.LLR() != r.SPRT.LLR {
				t.Errorf("the games are %v, the result %+v", test, r.SPRT)
			}
		}
	}
}

func TestRatingsFollowTheScores(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	table := mustRoundRobin(t, g, []string{"greedy", "random", "greedy"}, Options{Games: 60, Seed: 1})
	if err := table.Rate(1, 1); err != nil {
		t.Fatal(err)
	}
	elo := table.Ratings.Elo
	if elo[1].Value != 0 || elo[0].Low <= 0 || elo[2].Low <= 0 || table.Ratings.Superiority[0][1] < 0.99 || table.Anchor != 1 {
		t.Errorf("ratings %+v", table.Ratings)
	}
	empty := &Table{Standings: make([]Standing, 2), Matches: []*Result{{}}}
	if err := empty.Rate(0, 1); err == nil || empty.Ratings != nil {
		t.Error("agents without a game are rated")
	}
}

func TestAStoppedRoundRobinHasAsManyPairsOfEachMatch(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	table, err := RoundRobin(ctx, g, openAll(t, g, "random", "greedy", "random"), Options{Games: 1000, Concurrent: 6, Progress: func(done int) {
		if done > 60 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || table == nil {
		t.Fatalf("got %v, want a cancelled tournament with its games", err)
	}
	for i, r := range table.Matches {
		if r.Games < 14 || r.Games > 26 || r.Games%2 != 0 {
			t.Errorf("match %d has %d games, want some 20", i, r.Games)
		}
	}
}

func TestRoundRobinsThatCannotBePlayedAreRefused(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	start := g.Start()
	over := start
	over.End = mancala.Stuck
	many := make([]string, 100)
	for i := range many {
		many[i] = "random"
	}
	for _, c := range []struct {
		specs []string
		o     Options
	}{
		{[]string{"random"}, Options{Games: 2}},
		{nil, Options{Games: 2}},
		{many, Options{Games: 1000}},
		{[]string{"random", "random", "random"}, Options{Games: 2, SPRT: &rating.SPRTConfig{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05}}},
		{[]string{"random", "random"}, Options{Games: 2, SPRT: &rating.SPRTConfig{}}},
		{[]string{"random", "random"}, Options{Games: 2, MoveTime: -1}},
		{[]string{"random", "random"}, Options{Games: 2, Openings: GivenOpenings}},
		{[]string{"random", "random"}, Options{Games: 2, Positions: []mancala.State{start}}},
		{[]string{"random", "random"}, Options{Games: 2, Openings: GivenOpenings, Positions: []mancala.State{over}}},
	} {
		if _, err := RoundRobin(t.Context(), g, openAll(t, g, c.specs...), c.o); err == nil {
			t.Errorf("%d agents with %+v were accepted", len(c.specs), c.o)
		}
	}
}

func ExampleTable_Pair() {
	table := &Table{}
	for match := range 6 {
		fmt.Println(table.Pair(match))
	}
	// Output:
	// 0 1
	// 0 2
	// 1 2
	// 0 3
	// 1 3
	// 2 3
}
