package export

import (
	"math/rand/v2"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/seed"
)

// This file chooses the positions of the vectors.

const (
	positions = 600    // in the vectors
	sampled   = 20_000 // positions of random games that they are chosen from
)

// A sample is a position and the sort of positions that it was chosen for.
type sample struct {
	sort  string
	state mancala.State
}

// The sorts of positions. Each is chosen from for both players, as far as a game has such positions.
const (
	sortLift   = "lift"   // an opening turn: pits are lifted
	sortPlace  = "place"  // an opening turn: seeds are placed
	sortEarly  = "early"  // more than two thirds of the seeds are in the pits
	sortMiddle = "middle" // between a third and two thirds
	sortLate   = "late"   // at most a third
	sortEnd    = "end"    // at most a sixth
	sortClosed = "closed" // holes are closed, as in later rounds of a competition
	sortClock  = "clock"  // the clock is made to stand anywhere up to its limit
	sortHeaps  = "heaps"  // each row's seeds are gathered in one pit, so that a lap goes all around the board
)

var sorts = []string{sortLift, sortPlace, sortEarly, sortMiddle, sortLate, sortEnd, sortClosed, sortClock, sortHeaps}

// A sampler collects distinct positions by sort and player.
type sampler struct {
	game   mancala.Game
	rng    *rand.Rand
	passed int // positions that games came through
	seen   map[mancala.State]bool
	found  map[string]*[2][]mancala.State
}

// samplePositions returns positions of all sorts, about as many of each, in the order of their sorts. None is over. They
// depend on the rule set and the seed alone, so that the vectors of two networks are about the same positions.
func samplePositions(g mancala.Game, run uint64) ([]sample, error) {
	p := &sampler{game: g, rng: seed.Rand(run, seed.Vectors), seen: map[mancala.State]bool{}, found: map[string]*[2][]mancala.State{}}
	for p.passed < sampled {
		if err := p.play(g.Start()); err != nil {
			return nil, err
		}
	}
	if rules, ok := g.(*riokadalis.Game); ok {
		for p.passed < 2*sampled {
			if err := p.compete(rules); err != nil {
				return nil, err
			}
		}
	}
	return p.choose(), nil
}

// compete plays a competition at random and adds the positions of its rounds.
func (p *sampler) compete(rules *riokadalis.Game) error {
	const rounds = 8
	c, err := riokadalis.NewCompetition(rules, rounds)
	if err != nil {
		return err
	}
	for {
		for s := c.State(); !s.Over(); s = c.State() {
			p.add(s)
			if _, err := c.Play(p.random(&s)); err != nil {
				return err
			}
		}
		if c.End() != riokadalis.Undecided {
			return nil
		}
		if err := c.Next(); err != nil {
			return err
		}
	}
}

// play plays a game at random and adds its positions, as they are and with changes.
func (p *sampler) play(s mancala.State) error {
	for !s.Over() {
		p.add(s)
		if _, err := p.game.Play(&s, p.random(&s)); err != nil {
			return err
		}
	}
	return nil
}

func (p *sampler) random(s *mancala.State) mancala.Action {
	legal := p.game.AppendLegal(nil, s)
	return legal[p.rng.IntN(len(legal))]
}

// add adds a position, and sometimes one that is made of it.
func (p *sampler) add(s mancala.State) {
	p.passed++
	p.put(p.sortOf(&s), s)
	if s.Phase != mancala.Sow {
		return
	}
	switch p.rng.IntN(16) {
	case 0:
		if most := p.game.ClockLimit() - 1; most > 0 { // where the limit is 1, no clock but 0 runs
			s.Clock = uint16(1 + p.rng.IntN(most))
			p.put(sortClock, s)
		}
	case 1:
		for side, row := range s.Rows {
			s.Rows[side] = mancala.Row(0).With(p.openPit(&s, side), row.Sum())
		}
		p.put(sortHeaps, s)
	}
}

// openPit draws a pit of a side that is not closed.
func (p *sampler) openPit(s *mancala.State, side int) int {
	for {
		if pit := p.rng.IntN(p.game.Width()); s.Closed>>(side*p.game.Width()+pit)&1 == 0 {
			return pit
		}
	}
}

// put keeps a position unless it is known or, with its changes, over.
func (p *sampler) put(sort string, s mancala.State) {
	again, err := p.game.Parse(p.game.Format(&s))
	if err != nil || again.Over() || p.seen[again] {
		return
	}
	p.seen[again] = true
	if p.found[sort] == nil {
		p.found[sort] = new([2][]mancala.State)
	}
	list := &p.found[sort][s.Player]
	*list = append(*list, again)
}

// sortOf returns the sort of a position that a game came to.
func (p *sampler) sortOf(s *mancala.State) string {
	onBoard, all := s.OnBoard(), p.game.Seeds()
	switch {
	case s.Phase == mancala.Lift:
		return sortLift
	case s.Phase == mancala.Place:
		return sortPlace
	case s.Closed != 0:
		return sortClosed
	case 3*onBoard > 2*all:
		return sortEarly
	case 3*onBoard > all:
		return sortMiddle
	case 6*onBoard > all:
		return sortLate
	}
	return sortEnd
}

// choose takes one position of each sort and player in turn, until there are enough or no more.
func (p *sampler) choose() []sample {
	var kept [][]mancala.State // by sort and player
	var names []string
	for _, sort := range sorts {
		if p.found[sort] == nil {
			continue
		}
		for _, list := range p.found[sort] {
			p.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			kept, names = append(kept, list), append(names, sort)
		}
	}
	counts := make([]int, len(kept))
	for left, before := positions, -1; left > 0 && left != before; {
		before = left
		for i, list := range kept {
			if left > 0 && counts[i] < len(list) {
				counts[i]++
				left--
			}
		}
	}
	var chosen []sample
	for i, list := range kept {
		for _, s := range list[:counts[i]] {
			chosen = append(chosen, sample{names[i], s})
		}
	}
	return chosen
}
