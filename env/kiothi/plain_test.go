package kiothi_test

import (
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
)

// width is the number of pits in a row.
const width = 10

// This file is a plain Kiothi that sows seed by seed. The tests compare the engine with it.

// A plainState is a sowing position in the words of the rules page: pits by absolute index, South's first.
type plainState struct {
	pits   [2 * width]int
	marked [2 * width]bool
	stores [2]int
	player int
	clock  int
}

// plainTurn is what a turn did.
type plainTurn struct {
	laps     int
	captured [2]int
	cut      bool
}

// plainOf unpacks a state.
func plainOf(s *mancala.State) plainState {
	p := plainState{player: int(s.Player), clock: int(s.Clock)}
	for i := range p.pits {
		p.pits[i] = s.Rows[i/width].At(i % width)
		p.marked[i] = s.Marks>>i&1 != 0
	}
	for i := range p.stores {
		p.stores[i] = int(s.Stores[i])
	}
	return p
}

// state packs the position, which is over for the given reason.
func (p *plainState) state(end mancala.Reason) mancala.State {
	s := mancala.State{
		Player: mancala.Player(p.player), Stores: [2]uint8{uint8(p.stores[0]), uint8(p.stores[1])},
		Clock: uint16(p.clock), Last: mancala.NoPit, End: end,
	}
	for i, n := range p.pits {
		s.Rows[i/width] = s.Rows[i/width].With(i%width, n)
		if p.marked[i] {
			s.Marks |= 1 << i
		}
	}
	return s
}

// end returns why the game is over, if it is, and the stores after the sweep.
func (p *plainState) end(r *kiothi.Rules) (mancala.Reason, [2]int) {
	var rows [2]int
	for i, n := range p.pits {
		rows[i/width] += n
	}
	stores := p.stores
	other := *p
	other.player = 1 - p.player
	switch {
	case len(p.legal(r, nil)) == 0 && len(other.legal(r, nil)) > 0:
		stores[other.player] += rows[0] + rows[1]
		return mancala.Stuck, stores
	case len(p.legal(r, nil)) == 0:
		return mancala.Stuck, [2]int{stores[0] + rows[0], stores[1] + rows[1]}
	case p.clock >= r.NoCaptureLimit:
		return mancala.Exhausted, [2]int{stores[0] + rows[0], stores[1] + rows[1]}
	}
	return mancala.Running, stores
}

// own reports whether a pit is the mover's.
func (p *plainState) own(pit int) bool { return pit/width == p.player }

// mayStart reports whether the first lap of k seeds from a pit is allowed.
func (p *plainState) mayStart(r *kiothi.Rules, pit, k int) bool {
	n := p.pits[pit]
	if !p.own(pit) || k < 1 || k > n || r.Pickup == kiothi.PickupAll && k != n {
		return false
	}
	if !r.FirstLap {
		return true
	}
	last := (pit + k) % (2 * width)
	if !p.own(last) {
		return true
	}
	there := p.pits[last]
	if last == pit {
		there -= k
	}
	for i := 1; i < k; i++ { // the seeds dropped before the last one
		if (pit+i)%(2*width) == last {
			there++
		}
	}
	return there == 0
}

// legal lists the mover's sowings by action id.
func (p *plainState) legal(r *kiothi.Rules, dst []mancala.Action) []mancala.Action {
	for rel := range width {
		pit := p.player*width + rel
		for k := 1; k <= p.pits[pit]; k++ {
			if p.mayStart(r, pit, k) {
				dst = append(dst, mancala.Action(60*rel+k-1))
			}
		}
	}
	return dst
}

// clearMark is the lift's effect on the pit's mark.
func (p *plainState) clearMark(r *kiothi.Rules, pit int) {
	if r.Protection == kiothi.ProtectNki || p.own(pit) {
		p.marked[pit] = false
	}
}

// play sows k seeds from a pit and passes the turn.
func (p *plainState) play(r *kiothi.Rules, pit, k int) plainTurn {
	var turn plainTurn
	before := p.pits
	var lifted [2 * width]bool
	crossed := false
	hand := k
	p.pits[pit] -= k
	for {
		lifted[pit] = true
		p.clearMark(r, pit)
		for ; hand > 0; hand-- {
			next := (pit + 1) % (2 * width)
			if p.own(next) && !p.own(pit) {
				crossed = true
			}
			pit = next
			p.pits[pit]++
		}
		turn.laps++
		if p.pits[pit] == 1 {
			break
		}
		if turn.laps == r.LapLimit {
			turn.cut = true
			break
		}
		hand, p.pits[pit] = p.pits[pit], 0
	}
	won := 0
	if !turn.cut && p.own(pit) && (crossed || !r.Crossing) {
		won = p.capture(r, pit, &before, &lifted)
	}
	p.clock++
	if won > 0 {
		p.clock = 0
	}
	p.stores[p.player] += won
	turn.captured[p.player] = won
	p.player = 1 - p.player
	return turn
}

// capture takes what a last seed in an empty own pit wins, and returns the number of seeds.
func (p *plainState) capture(r *kiothi.Rules, pit int, before *[2 * width]int, lifted *[2 * width]bool) int {
	facing := 2*width - 1 - pit
	var prey []int
	if p.pits[facing] > 0 && !p.marked[facing] {
		prey = append(prey, facing)
	}
	if pit == p.player*width && (len(prey) > 0 || !r.BonusNeedsCapture) {
		// The enemy pits with relative indices 18, 17 and 16.
		three := []int{facing - 1, facing - 2, facing - 3}
		prey = append(prey, p.bonus(r, three, before, lifted)...)
	}
	if len(prey) == 0 && !r.LoneCapture {
		return 0
	}
	won := p.pits[pit]
	p.pits[pit] = 0
	for _, i := range prey {
		won += p.pits[i]
		p.pits[i] = 0
	}
	return won
}

// bonus returns which of the three pits the leftmost bonus takes.
func (p *plainState) bonus(r *kiothi.Rules, three []int, before *[2 * width]int, lifted *[2 * width]bool) []int {
	var prey []int
	for _, i := range three {
		if p.pits[i] == 0 && r.Bonus == kiothi.BonusRun {
			break
		}
		fresh := before[i] == 0 || lifted[i]
		if p.pits[i] > 0 && !p.marked[i] && (fresh || !r.BonusFresh) {
			prey = append(prey, i)
		}
	}
	if r.Bonus == kiothi.BonusThree && len(prey) < 3 {
		return nil
	}
	return prey
}
