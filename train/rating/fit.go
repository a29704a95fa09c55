package rating

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
)

// This file is the fit of ratings to games.

// A Game is the result of a game between the players A and B, which are numbers from 0 up.
type Game struct {
	A, B  int
	Score float64 // A's: 0, 0.5 or 1
	Pair  int     // the opening pair, within the match of A and B; the games of a pair share their luck
	First int     // +1 when A moved first, -1 when B did, 0 when nobody did or it is unknown
}

// Options of Fit. The zero value is a sensible choice.
type Options struct {
	Anchor int // the player whose rating is 0
	// Names call the players in errors; without them they are called by number.
	Names []string
	// Resamples is how many fits the intervals come from. 0 means 1000.
	Resamples int
	// Seed is where the chance of the intervals comes from.
	Seed uint64
	// Workers is the number of goroutines. It has no part in the result. 0 means one a processor.
	Workers int
}

// maxResamples is the largest number of fits for intervals; all of their ratings are kept until the end.
const maxResamples = 1_000_000

// An Estimate is a number and its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Ratings are what the games say about the players.
type Ratings struct {
	// Elo has the ratings by player. The anchor's is exactly 0, and the others' intervals are of the difference to it.
	Elo []Estimate `json:"elo"`
	// First is what moving first is worth, in Elo. It is nil when the games cannot tell it from strength, as when they don't
	// say who moved first, or when the same player always did.
	First *Estimate `json:"first,omitempty"`
	// Draws is the share of draws among games of equal players.
	Draws Estimate `json:"draws"`
	// Superiority has in row i and column j how likely player i is stronger than player j, from 0 to 1. [players, players]
	Superiority [][]float64 `json:"superiority"`
	Resamples   int         `json:"resamples"`
}

// eloPerTheta is the size of a unit of θ in Elo.
const eloPerTheta = 400 / math.Ln10

// Fit rates n players by their games; see the package's comment for the model. The same games in the same order, and the same
// seed, give the same numbers on any number of workers.
//
// It is an error when there are players with no chain of games between them: nothing compares them. The error names them.
func Fit(n int, games []Game, o Options) (*Ratings, error) {
	if err := o.check(n); err != nil {
		return nil, err
	}
	if o.Resamples == 0 {
		o.Resamples = 1000
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	s, err := newSample(n, games, &o)
	if err != nil {
		return nil, err
	}
	if groups := s.groups(); len(groups) > 1 {
		return nil, apart(groups, &o)
	}
	whole := s.objective(o.Anchor)
	best, err := whole.maximize(make([]float64, whole.size()))
	if err != nil {
		return nil, err
	}
	fits, err := s.resample(whole, best, &o)
	if err != nil {
		return nil, err
	}
	return summarize(whole, best, fits), nil
}

// check refuses options that make no sense.
func (o *Options) check(n int) error {
	switch {
	case n < 1:
		return fmt.Errorf("rating: %d players, expected 1 or more", n)
	case o.Anchor < 0 || o.Anchor >= n:
		return fmt.Errorf("rating: the anchor is player %d, expected one from 0 to %d", o.Anchor, n-1)
	case o.Names != nil && len(o.Names) != n:
		return fmt.Errorf("rating: %d names for %d players", len(o.Names), n)
	case o.Resamples < 0 || o.Resamples > maxResamples:
		return fmt.Errorf("rating: %d resamples, expected 0 to %d", o.Resamples, maxResamples)
	case o.Workers < 0:
		return fmt.Errorf("rating: %d workers, expected 0 or more", o.Workers)
	}
	return nil
}

// name returns how an error calls a player.
func (o *Options) name(player int) string {
	if o.Names != nil {
		return o.Names[player]
	}
	return fmt.Sprintf("player %d", player)
}

// A sample is the games, sorted into matches and opening pairs in the order in which they appear.
type sample struct {
	players int
	pairs   []pair
	matches []match // with all games once
	first   bool    // the advantage of moving first can be told from strength
}

// A pair is the games of an opening pair.
type pair struct {
	match int
	games []cell
}

// A cell is where a game is counted in a match.
type cell struct{ first, result int8 }

// newSample sorts games.
func newSample(n int, games []Game, o *Options) (*sample, error) {
	s := &sample{players: n}
	type matchKey struct{ low, high int }
	type pairKey struct{ match, pair int }
	matches, pairs := map[matchKey]int{}, map[pairKey]int{}
	for i, g := range games {
		if err := g.check(n, o); err != nil {
			return nil, fmt.Errorf("rating: game %d: %w", i, err)
		}
		key := matchKey{min(g.A, g.B), max(g.A, g.B)}
		m, ok := matches[key]
		if !ok {
			m = len(s.matches)
			matches[key] = m
			s.matches = append(s.matches, match{a: g.A, b: g.B, prior: [2]float64{half, half}})
		}
		p, ok := pairs[pairKey{m, g.Pair}]
		if !ok {
			p = len(s.pairs)
			pairs[pairKey{m, g.Pair}] = p
			s.pairs = append(s.pairs, pair{match: m})
		}
		if g.A != s.matches[m].a {
			g = g.turned()
		}
		c := cell{int8(1 + g.First), int8(2 - 2*g.Score)}
		s.pairs[p].games = append(s.pairs[p].games, c)
		s.matches[m].games[c.first][c.result]++
	}
	s.first = s.tellsFirst()
	return s, nil
}

// half is the prior's number of games of each result; see the package's comment.
const half = 0.5

// check refuses a game that cannot be.
func (g *Game) check(n int, o *Options) error {
	switch {
	case g.A < 0 || g.A >= n || g.B < 0 || g.B >= n:
		return fmt.Errorf("players %d and %d, expected two from 0 to %d", g.A, g.B, n-1)
	case g.A == g.B:
		return fmt.Errorf("%s plays itself, expected two players", o.name(g.A))
	case g.Score != 0 && g.Score != 0.5 && g.Score != 1:
		return fmt.Errorf("a score of %g, expected 0, 0.5 or 1", g.Score)
	case g.First < -1 || g.First > 1:
		return fmt.Errorf("%d for who moved first, expected -1, 0 or 1", g.First)
	}
	return nil
}

// turned returns the game as B sees it.
func (g Game) turned() Game {
	return Game{A: g.B, B: g.A, Score: 1 - g.Score, Pair: g.Pair, First: -g.First}
}

// groups returns the players that chains of games hold together, by their smallest number.
func (s *sample) groups() [][]int {
	group := make([]int, s.players)
	for i := range group {
		group[i] = i
	}
	for changed := true; changed; {
		changed = false
		for _, m := range s.matches {
			low := min(group[m.a], group[m.b])
			changed = changed || group[m.a] != low || group[m.b] != low
			group[m.a], group[m.b] = low, low
		}
	}
	var groups [][]int
	for leader := range group {
		var members []int
		for player, g := range group {
			if g == leader {
				members = append(members, player)
			}
		}
		if members != nil {
			groups = append(groups, members)
		}
	}
	return groups
}

// apart is the error of players that no games compare.
func apart(groups [][]int, o *Options) error {
	var texts []string
	for _, members := range groups {
		var names []string
		for _, player := range members {
			names = append(names, o.name(player))
		}
		texts = append(texts, strings.Join(names, ", "))
	}
	return fmt.Errorf("rating: no games compare these groups of players: %s; let some of each group play each other, or rate the groups apart",
		strings.Join(texts, " | "))
}

// tellsFirst says whether the games can tell the advantage of moving first from strength. They cannot when there are
// strengths that explain all of it: some u with u_A - u_B = f in every game.
func (s *sample) tellsFirst() bool {
	u := make([]int, s.players)
	known := make([]bool, s.players)
	for start := range s.players {
		if known[start] {
			continue
		}
		known[start] = true
		for changed := true; changed; {
			changed = false
			for _, m := range s.matches {
				for f, games := range m.games {
					switch {
					case games == [3]float64{} || !known[m.a] && !known[m.b]:
					case !known[m.a]:
						u[m.a], known[m.a], changed = u[m.b]+f-1, true, true
					case !known[m.b]:
						u[m.b], known[m.b], changed = u[m.a]-f+1, true, true
					case u[m.a]-u[m.b] != f-1:
						return true
					}
				}
			}
		}
	}
	return false
}

// objective returns the objective of all games.
func (s *sample) objective(anchor int) *objective {
	return &objective{
		players: s.players, anchor: anchor, first: s.first, matches: slices.Clone(s.matches),
		draws: [2]float64{half, half}, moves: [2]float64{half, half}, games: float64(s.games()),
	}
}

// games returns the number of games.
func (s *sample) games() int {
	n := 0
	for _, p := range s.pairs {
		n += len(p.games)
	}
	return n
}
