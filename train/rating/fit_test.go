package rating

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A world is true strengths, from which games are drawn.
type world struct {
	elo   []float64
	first float64 // Elo for moving first
	draws float64 // share of draws between equal players
	luck  float64 // standard deviation of an opening's Elo for whoever moves first
}

// game draws the score of a in a game of a and b; first is as in Game, and luck the opening's.
func (w *world) game(rng *rand.Rand, a, b, first int, luck float64) float64 {
	d := (w.elo[a] - w.elo[b] + float64(first)*(w.first+luck)) / eloPerTheta
	p, _ := chances(d, math.Log(2*w.draws/(1-w.draws)))
	switch u := rng.Float64(); {
	case u < p[win]:
		return 1
	case u < p[win]+p[draw]:
		return 0.5
	}
	return 0
}

// play draws a round robin of a number of opening pairs a match.
func (w *world) play(rng *rand.Rand, pairs int) []Game {
	var games []Game
	for b := range w.elo {
		for a := range b {
			for p := range pairs {
				luck := w.luck * rng.NormFloat64()
				for _, first := range []int{1, -1} {
					games = append(games, Game{A: a, B: b, Score: w.game(rng, a, b, first, luck), Pair: p, First: first})
				}
			}
		}
	}
	return games
}

func mustFit(t *testing.T, n int, games []Game, o Options) *Ratings {
	t.Helper()
	r, err := Fit(n, games, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// values returns the ratings without their intervals.
func values(r *Ratings) []float64 {
	var v []float64
	for _, e := range r.Elo {
		v = append(v, e.Value)
	}
	return v
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.4f, want %.4f within %g", what, got, want, tolerance)
	}
}

func TestKnownStrengthsAreFoundAgain(t *testing.T) {
	w := world{elo: []float64{0, 100, 200, 300, 400, 500, 600, 1200}, first: 40, draws: 0.15}
	r := mustFit(t, 8, w.play(rand.New(rand.NewPCG(1, 1)), 500), Options{Resamples: 200})
	for i, want := range w.elo {
		near(t, "a rating", r.Elo[i].Value, want, 30)
		if e := r.Elo[i]; e.Low > want || e.High < want {
			t.Errorf("the interval %.0f to %.0f misses the true %.0f", e.Low, e.High, want)
		}
	}
	if r.First == nil {
		t.Fatal("the advantage of moving first was not fitted")
	}
	near(t, "moving first", r.First.Value, 40, 8)
	near(t, "the share of draws", r.Draws.Value, 0.15, 0.02)
}

// What two players' results say can be worked out by hand: the score is that of the logistic curve.
func TestTwoPlayersWithoutDrawsAreTheLogisticCurve(t *testing.T) {
	var games []Game
	for i := range 10000 {
		score := 0.0
		if i%4 > 0 {
			score = 1
		}
		games = append(games, Game{A: 1, B: 0, Score: score, Pair: i})
	}
	r := mustFit(t, 2, games, Options{Resamples: 10})
	near(t, "three quarters of the points", r.Elo[1].Value, 400*math.Log10(3), 0.1)
}

// With Davidson's draws, scores decide the order, however many of the points are draws.
func TestEqualScoresAreEqualRatings(t *testing.T) {
	var games []Game
	add := func(a, b int, scores ...float64) {
		for i, s := range scores {
			games = append(games, Game{A: a, B: b, Score: s, Pair: i})
		}
	}
	add(1, 0, 1, 1, 0, 0.5)     // 2.5 points, with one draw
	add(2, 0, 0.5, 0.5, 0.5, 1) // 2.5 points, with three
	add(1, 2, 0.5, 1, 0, 0.5)   // level
	r := mustFit(t, 3, games, Options{Resamples: 10})
	near(t, "the difference of equal scores", r.Elo[1].Value-r.Elo[2].Value, 0, 1e-3)
}

func TestACleanSweepIsFinite(t *testing.T) {
	for _, pairs := range []int{1, 5, 50, 5000} {
		var games []Game
		for p := range pairs {
			games = append(games, Game{A: 0, B: 1, Score: 0, Pair: p, First: 1}, Game{A: 1, B: 0, Score: 1, Pair: p, First: 1})
		}
		r := mustFit(t, 2, games, Options{Seed: 1})
		e := r.Elo[1]
		if !(e.Value > 200 && e.Value < 3000 && e.Low < e.Value && e.High > e.Value+100 && e.High < 20000) {
			t.Errorf("after %d pairs without a loss the rating is %+v", pairs, e)
		}
		if pairs == 50 {
			near(t, "the rating of 100 wins, as documented", e.Value, 1027, 1)
			if e.Low < 500 || r.Superiority[1][0] < 0.999 {
				t.Errorf("100 wins of 100 leave %+v and a superiority of %g", e, r.Superiority[1][0])
			}
		}
	}
	// All draws, and all won by who moved first, are sweeps of other parameters.
	var draws, firsts []Game
	for p := range 20 {
		draws = append(draws, Game{A: 0, B: 1, Score: 0.5, Pair: p})
		firsts = append(firsts, Game{A: 0, B: 1, Score: 1, Pair: p, First: 1}, Game{A: 0, B: 1, Score: 0, Pair: p, First: -1})
	}
	r := mustFit(t, 2, draws, Options{})
	near(t, "a rating by draws alone", r.Elo[1].Value, 0, 1e-6)
	if r.Draws.Value < 0.9 || r.Draws.Value >= 1 {
		t.Errorf("draws alone make a share of %g", r.Draws.Value)
	}
	r = mustFit(t, 2, firsts, Options{})
	near(t, "a rating by seats alone", r.Elo[1].Value, 0, 1e-6)
	if r.First == nil || r.First.Value < 300 || r.First.Value > 3000 {
		t.Errorf("games that always the first wins make an advantage of %+v", r.First)
	}
}

func TestTheAdvantageOfMovingFirstIsLeftOutWhereNothingTellsIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		games []Game
		want  bool
	}{
		{"nobody is said to have moved first", []Game{{A: 0, B: 1}, {A: 1, B: 2}, {A: 0, B: 2}}, false},
		{"the same player always did", []Game{{A: 0, B: 1, First: 1}, {A: 1, B: 2, First: 1}}, false},
		{"a circle of three", []Game{{A: 0, B: 1, First: 1}, {A: 1, B: 2, First: 1}, {A: 2, B: 0, First: 1}}, true},
		{"strengths explain it", []Game{{A: 0, B: 1, First: 1}, {A: 1, B: 2, First: -1}, {A: 2, B: 0}}, false},
		{"both seats", []Game{{A: 1, B: 2, First: 1}, {A: 0, B: 1}, {A: 2, B: 1, First: 1}}, true},
		{"one with and one without", []Game{{A: 0, B: 1, First: 1}, {A: 0, B: 1}, {A: 1, B: 2}}, true},
	} {
		if r := mustFit(t, 3, c.games, Options{Resamples: 5}); (r.First != nil) != c.want {
			t.Errorf("%s: fitted %v, want %v", c.name, r.First != nil, c.want)
		}
	}
}

func TestPlayersWithoutGamesBetweenThemAreNamed(t *testing.T) {
	games := []Game{{A: 0, B: 3}, {A: 2, B: 1}, {A: 2, B: 4}}
	_, err := Fit(6, games, Options{Names: []string{"random", "uct", "zero", "greedy", "alphabeta", "perfect"}})
	if err == nil || !strings.Contains(err.Error(), "random, greedy | uct, zero, alphabeta | perfect") {
		t.Errorf("got %v, want the three groups", err)
	}
	if _, err := Fit(2, nil, Options{}); err == nil || !strings.Contains(err.Error(), "player 0 | player 1") {
		t.Errorf("got %v, want the players by number", err)
	}
	if r := mustFit(t, 1, nil, Options{}); r.Elo[0] != (Estimate{}) {
		t.Errorf("a player alone is rated %+v, want 0", r.Elo[0])
	}
}

func TestWrongGamesAndOptionsAreRefused(t *testing.T) {
	good := []Game{{A: 0, B: 1, Score: 1}}
	for _, c := range []struct {
		n     int
		games []Game
		o     Options
		want  string
	}{
		{0, nil, Options{}, "0 players"},
		{2, []Game{{A: 0, B: 2}}, Options{}, "game 0: players 0 and 2, expected two from 0 to 1"},
		{2, []Game{{A: -1, B: 1}}, Options{}, "players -1 and 1"},
		{2, []Game{{A: 1, B: 1}}, Options{Names: []string{"a", "b"}}, "b plays itself"},
		{2, []Game{{A: 0, B: 1, Score: 0.7}}, Options{}, "a score of 0.7"},
		{2, []Game{{A: 0, B: 1, Score: math.NaN()}}, Options{}, "a score of NaN"},
		{2, []Game{{A: 0, B: 1, First: 2}}, Options{}, "2 for who moved first"},
		{2, good, Options{Anchor: 2}, "the anchor is player 2"},
		{2, good, Options{Names: []string{"a"}}, "1 names for 2 players"},
		{2, good, Options{Resamples: -1}, "-1 resamples"},
		{2, good, Options{Workers: -1}, "-1 workers"},
	} {
		if _, err := Fit(c.n, c.games, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

func TestRatingsAreTheSameForAnyWorkers(t *testing.T) {
	w := world{elo: []float64{0, 200, 150, 600}, first: 30, draws: 0.1, luck: 100}
	games := w.play(rand.New(rand.NewPCG(2, 2)), 20)
	want := mustFit(t, 4, games, Options{Seed: 5, Resamples: 100, Workers: 1})
	for _, workers := range []int{2, 7, 200, 0} {
		if diff := cmp.Diff(want, mustFit(t, 4, games, Options{Seed: 5, Resamples: 100, Workers: workers})); diff != "" {
			t.Errorf("%d workers (-one +these):\n%s", workers, diff)
		}
	}
	other := mustFit(t, 4, games, Options{Seed: 6, Resamples: 100})
	if other.Elo[1].Value != want.Elo[1].Value || other.Elo[1].Low == want.Elo[1].Low {
		t.Error("another seed must change the intervals and nothing else")
	}
}

// Names, seats and anchors are how we speak of players, not what they are.
func TestRenamingPlayersChangesNothing(t *testing.T) {
	w := world{elo: []float64{0, 200, 150, 600}, first: 30, draws: 0.1, luck: 100}
	games := w.play(rand.New(rand.NewPCG(3, 3)), 20)
	o := Options{Seed: 5, Resamples: 100}
	want := mustFit(t, 4, games, o)
	same := func(what string, r *Ratings, name func(int) int) {
		t.Helper()
		shift := r.Elo[name(0)].Value
		for i := range 4 {
			near(t, what+": a rating", r.Elo[name(i)].Value-shift, want.Elo[i].Value, 1e-4)
			for j := range 4 {
				near(t, what+": a superiority", r.Superiority[name(i)][name(j)], want.Superiority[i][j], 1e-9)
			}
		}
		near(t, what+": moving first", r.First.Value, want.First.Value, 1e-4)
		near(t, what+": the lower end of moving first", r.First.Low, want.First.Low, 1e-3)
	}
	rename := func(i int) int { return []int{2, 0, 3, 1}[i] }
	var renamed, turned []Game
	for i, g := range games {
		r := g
		r.A, r.B = rename(g.A), rename(g.B)
		renamed = append(renamed, r)
		if i > 0 && g.A == games[i-1].A && g.B == games[i-1].B { // all but the first of each match
			g = g.turned()
		}
		turned = append(turned, g)
	}
	self := func(i int) int { return i }
	o.Anchor = rename(0)
	got := mustFit(t, 4, renamed, o)
	same("renamed", got, rename)
	for i := range 4 {
		near(t, "renamed: a lower end", got.Elo[rename(i)].Low, want.Elo[i].Low, 1e-3)
	}
	o.Anchor = 0
	same("turned", mustFit(t, 4, turned, o), self)
	o.Anchor = 3
	got = mustFit(t, 4, games, o)
	same("anchored elsewhere", got, self)
	if got.Elo[3] != (Estimate{}) {
		t.Errorf("the anchor is rated %+v, want 0 and no interval", got.Elo[3])
	}
}

func TestSuperiorityIsAMatrixOfChances(t *testing.T) {
	w := world{elo: []float64{0, 0, 400}, draws: 0.1}
	r := mustFit(t, 3, w.play(rand.New(rand.NewPCG(4, 4)), 40), Options{Resamples: 300})
	for i := range 3 {
		for j := range 3 {
			near(t, "two likelihoods of superiority together", r.Superiority[i][j]+r.Superiority[j][i], 1, 1e-9)
		}
		if r.Superiority[i][i] != 0.5 {
			t.Errorf("a player is above itself with %g", r.Superiority[i][i])
		}
	}
	if r.Superiority[2][0] < 0.999 || r.Superiority[0][1] < 0.01 || r.Superiority[0][1] > 0.99 {
		t.Errorf("got %v: player 2 is far above, and 0 and 1 are equal", r.Superiority)
	}
}

// Of 120 tournaments the intervals hold the truth in about 95 %, whatever the opening's luck does to the games of a pair.
func TestIntervalsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	for _, w := range []world{
		{elo: []float64{0, 80, 300}, first: 50, draws: 0.1},
		{elo: []float64{0, 80, 300}, draws: 0.3, luck: 300},
	} {
		// The luck of openings flattens the curve, so that the truth is what very many games say.
		truth := values(mustFit(t, 3, w.play(rand.New(rand.NewPCG(8, 8)), 100_000), Options{Resamples: 1}))
		held, total := 0, 0
		rng := rand.New(rand.NewPCG(7, uint64(w.luck)))
		for trial := range 120 {
			r := mustFit(t, 3, w.play(rng, 30), Options{Seed: uint64(trial), Resamples: 120})
			for i := 1; i < 3; i++ {
				total++
				if e := r.Elo[i]; e.Low <= truth[i] && truth[i] <= e.High {
					held++
				}
			}
		}
		t.Logf("with luck %g the intervals hold the truth in %d of %d", w.luck, held, total)
		if share := float64(held) / float64(total); share < 0.92 || share > 0.98 {
			t.Errorf("with luck %g the 95 %% intervals hold the truth in %.1f %%", w.luck, 100*share)
		}
	}
}

// The games of a pair that always share the points say nothing about chance, and an interval by pairs knows it.
func TestPairsAreWeighedTogether(t *testing.T) {
	var paired, single []Game
	for i := range 100 {
		g := Game{A: 0, B: 1, Score: float64(i % 2), Pair: i / 2}
		paired = append(paired, g)
		g.Pair = i
		single = append(single, g)
	}
	width := func(games []Game) float64 {
		e := mustFit(t, 2, games, Options{}).Elo[1]
		return e.High - e.Low
	}
	if p, s := width(paired), width(single); p > s/4 {
		t.Errorf("pairs of a win and a loss leave an interval of %.0f Elo, single games one of %.0f", p, s)
	}
}

func BenchmarkFit(b *testing.B) {
	w := world{elo: []float64{0, 100, 200, 300, 400, 500, 600, 1200}, first: 40, draws: 0.15}
	games := w.play(rand.New(rand.NewPCG(1, 1)), 100)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fit(8, games, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
