package alphabeta

import (
	"math/rand/v2"
	"slices"

	"kiothi/agent/scripted"
	"kiothi/env/mancala"
)

// This file plays the opening. An opening turn has some hundred million ways, so that the search chooses among complete
// turns: all ways to lift, with seeds piled up in one pit, sown one by one, or thrown at random. The best are improved by
// moving single seeds, and the last few are judged by a deeper search of the sowing that follows.
//
// The player has no memory, and plans anew at each of the turn's actions, from what is placed already.

const (
	samples   = 12 // random ways to place the seeds for each way to lift
	improved  = 3  // of the best turns, those that single seeds are moved in
	shortlist = 6  // turns that are judged by the deeper search
	replies   = 6  // opening turns of the enemy, drawn at random, against each of South's
	steps     = 4  // seeds that are moved one after the other in a turn
)

// A plan is a way to complete the opening turn of the player to move.
type plan struct {
	turn  []mancala.Action
	score int32 // as the player to move sees it
}

// A planner is a search for an opening turn.
type planner struct {
	*searcher
	root    mancala.State
	replies [2]uint64 // seed of the enemy's opening turns, the same for all plans
	seen    map[mancala.State]bool
	plans   []plan
	depth   int // of the search that judges
}

// open returns the first action of the best opening turn that it finds.
func (s *searcher) open(root *mancala.State, rng *rand.Rand) mancala.Action {
	p := &planner{searcher: s, root: *root, replies: [2]uint64{rng.Uint64(), rng.Uint64()}, seen: map[mancala.State]bool{}}
	deepest := min(4, cmpOr(s.limits.Depth, 4))
	p.depth = min(2, deepest)
	p.propose(root, nil, rng)
	p.sort(improved)
	for i := range p.plans {
		p.improve(p.plans[i])
	}
	p.sort(shortlist)
	if p.depth = deepest; p.depth > 2 {
		for i := range p.plans {
			score := p.judge(p.plans[i].turn)
			if s.stopped {
				// The rest is not judged as deeply, and cannot be compared.
				p.plans = p.plans[:max(i, 1)]
				break
			}
			p.plans[i].score = score
		}
		p.sort(1)
	}
	return p.plans[0].turn[0]
}

// cmpOr returns n, or fallback when it is 0.
func cmpOr(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// sort puts the best plans first, and keeps the first n.
func (p *planner) sort(n int) {
	slices.SortStableFunc(p.plans, func(a, b plan) int { return int(b.score) - int(a.score) })
	p.plans = p.plans[:min(n, len(p.plans))]
}

// propose tries complete turns that begin with the given actions, which lead from the root to state.
func (p *planner) propose(state *mancala.State, turn []mancala.Action, rng *rand.Rand) {
	if state.Player != p.root.Player || state.Opening != p.root.Opening || state.Over() {
		p.try(turn)
		return
	}
	legal := p.game.AppendLegal(nil, state)
	if state.Phase == mancala.Lift {
		for _, a := range legal {
			next := *state
			p.play(&next, a)
			p.propose(&next, append(slices.Clone(turn), a), rng)
		}
		return
	}
	hand := int(state.Hand)
	for i := range legal {
		piled, sown := slices.Clone(turn), slices.Clone(turn)
		for n := range hand {
			piled = append(piled, legal[i])
			sown = append(sown, legal[min(i+n, len(legal)-1)])
		}
		p.try(piled)
		p.try(sown)
	}
	for range samples {
		p.try(append(slices.Clone(turn), scripted.SampleOpening(p.game, state, rng)...))
	}
}

// try judges a turn that leads to a position that no other one led to, and adds it to the plans.
func (p *planner) try(turn []mancala.Action) *plan {
	after := p.root
	for _, a := range turn {
		p.play(&after, a)
	}
	if p.stopped && len(p.plans) > 0 || p.seen[after] {
		return nil
	}
	p.seen[after] = true
	score := p.judge(turn)
	if p.stopped && len(p.plans) > 0 {
		return nil
	}
	p.plans = append(p.plans, plan{turn, score})
	return &p.plans[len(p.plans)-1]
}

// improve moves single seeds of a plan to other pits as long as that makes it better.
func (p *planner) improve(best plan) {
	for range steps {
		found := best
		for i, from := range best.turn {
			if i > 0 && best.turn[i-1] == from {
				continue // the same seed as the one before
			}
			state := p.root
			for _, a := range best.turn[:i] {
				p.play(&state, a)
			}
			if state.Phase != mancala.Place {
				continue
			}
			first := p.game.AppendLegal(nil, &state)
			for _, to := range first {
				turn := slices.Clone(best.turn)
				turn[i] = to
				placed := turn[i:]
				slices.Sort(placed)
				if next := p.try(turn); next != nil && next.score > found.score {
					found = *next
				}
				if p.stopped {
					return
				}
			}
		}
		if found.score <= best.score {
			return
		}
		best = found
	}
}

// judge returns the score of the position after a turn, as the player who makes it sees it: of the sowing, or of the worst
// of some openings of the enemy.
func (p *planner) judge(turn []mancala.Action) int32 {
	after := p.root
	for _, a := range turn {
		p.play(&after, a)
	}
	if after.Phase == mancala.Sow || after.Over() {
		return p.value(&after)
	}
	worst := int32(infinite)
	rng := rand.New(rand.NewPCG(p.replies[0], p.replies[1]))
	for range replies {
		next := after
		for _, a := range scripted.SampleOpening(p.game, &after, rng) {
			p.play(&next, a)
		}
		worst = min(worst, p.value(&next))
	}
	return worst
}

// value returns the score of a position in the phase Sow, as the player to move at the root sees it.
func (p *planner) value(state *mancala.State) int32 {
	var score int32
	if state.Over() {
		score = decided(mancala.Margin(p.game, state, state.Player))
	} else {
		score = p.search(state, 1, p.depth, -infinite, infinite, 0)
	}
	if state.Player != p.root.Player {
		return -score
	}
	return score
}
