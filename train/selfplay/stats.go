package selfplay

import (
	"fmt"
	"math"
	"time"

	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// Stats describes the finished games of an iteration.
type Stats struct {
	Games     int
	Distinct  int // different sequences of actions among them
	Plies     int
	Turns     int
	Draws     int
	Exhausted int // games that ended by the clock
	Cuts      int // turns whose relay was cut

	entropy [2]float64 // sum of the entropy of the policies to learn from, in nats: opening, sowing
	learned [2]int     // number of those policies
}

// OpeningEntropy returns the mean entropy of the search's policy in opening turns, in nats, 0 without any.
func (s *Stats) OpeningEntropy() float64 { return ratio(s.entropy[0], s.learned[0]) }

// SowingEntropy returns the mean entropy of the search's policy in sowing turns, in nats, 0 without any.
func (s *Stats) SowingEntropy() float64 { return ratio(s.entropy[1], s.learned[1]) }

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// Describe returns the statistics of finished games.
func Describe(rules mancala.Game, games []*replay.Game) Stats {
	var s Stats
	seen := map[string]bool{}
	for _, g := range games {
		s.addGame(rules, g)
		seen[fmt.Sprint(g.Actions())] = true
	}
	s.Distinct = len(seen)
	return s
}

// A Cost is what self-play took.
type Cost struct {
	Plies       int           // actions played, forced and random ones included
	Evaluations int           // positions that the network judged
	Recalled    int           // positions whose judgement was known from the search before
	Network     time.Duration // inside the network call, over all workers
	Elapsed     time.Duration // of the streams, over all workers
}

// add adds what a stream spent since it was last asked.
func (c *Cost) add(s *stream) {
	c.Plies += s.plies
	c.Evaluations += s.evaluations
	c.Recalled += s.recalled
	c.Network += s.evaluator.spent
	c.Elapsed += s.elapsed
	s.plies, s.evaluations, s.recalled, s.evaluator.spent, s.elapsed = 0, 0, 0, 0, 0
}

// addGame adds a finished game.
func (s *Stats) addGame(rules mancala.Game, record *replay.Game) {
	s.Games++
	s.Plies += len(record.Plies)
	if record.Final[0] == record.Final[1] {
		s.Draws++
	}
	if record.End == mancala.Exhausted {
		s.Exhausted++
	}
	state := rules.Start()
	for i := range record.Plies {
		if policy := record.Policy(i); len(policy) > 0 {
			s.addPolicy(state.Phase, policy)
		}
		player := state.Player
		turn, err := rules.Play(&state, mancala.Action(record.Plies[i].Action))
		if err != nil {
			panic("selfplay: a recorded action is illegal: " + err.Error())
		}
		if turn.Cut {
			s.Cuts++
		}
		if state.Over() || state.Player != player {
			s.Turns++
		}
	}
}

func (s *Stats) addPolicy(phase mancala.Phase, policy []replay.Entry) {
	i := 1
	if phase != mancala.Sow {
		i = 0
	}
	for _, e := range policy {
		p := float64(e.Probability())
		s.entropy[i] -= p * math.Log(p)
	}
	s.learned[i]++
}
