package alphabeta

import (
	"math/rand/v2"
	"slices"

	"kiothi/env/mancala"
)

// This file plays the opening. An opening turn has some hundred million ways, so that the search chooses among complete
// turns, in two stages. The first judges by the evaluation alone: all ways to lift, with the seeds in one pit, sown one by
// one, or drawn at random, of which the best are improved by moving seeds. The second searches the sowing after the best
// few, deeper and deeper while half of them drop out.
//
// South's turn is worth what North's best reply leaves of it. All turns are judged against a few replies; those are the
// best replies to turns that looked good before, so that a turn that is good by oversight does not stay so for long (the
// double oracle of McMahan, Gordon and Blum, ICML 2003, with pure strategies).

const (
	samples   = 12 // turns drawn at random for each way to lift
	improved  = 6  // of the best turns, those that are improved
	steps     = 12 // of an improvement, at most
	rounds    = 3  // of looking for the best turn and the best reply to it
	shortlist = 16 // turns that are searched
	answers   = 4  // replies to each that are searched
	apart     = 3  // seeds by which those turns, and those replies, differ from each other at least, where there are many
	equal     = 50 // a turn whose score is less than this behind the best is as good
)

// A plan is a way to complete the opening turn of a player.
type plan struct {
	turn  []mancala.Action
	score int32 // as the player who makes the turn sees it
}

// A planner looks for a good opening turn of the player to move in a position, its root.
type planner struct {
	*searcher
	root    mancala.State
	rng     *rand.Rand
	replies [][]mancala.Action // turns of the other player, none when the sowing follows
	seen    map[mancala.State]bool
	plans   []plan
}

// planTurn returns a good opening turn for the player to move, or the rest of a turn that is half done. Among turns that are
// as good as the best one chance decides, so that not all games are alike.
func (s *searcher) planTurn(root *mancala.State, rng *rand.Rand) []mancala.Action {
	p := &planner{searcher: s, root: *root, rng: rng}
	whole := s.halve()
	p.find()
	s.resume(whole)
	p.deepen()
	good := 1
	for good < len(p.plans) && p.plans[good].score > p.plans[0].score-equal {
		good++
	}
	return p.plans[rng.IntN(good)].turn
}

// diverse returns the best plans, up to a number, that differ from each other: what the evaluation is wrong about, it is
// wrong about in all turns that are nearly alike.
func (p *planner) diverse(n int) []plan {
	var list []plan
	for _, candidate := range p.plans {
		if len(list) == n {
			break
		}
		far := max(1, min(apart, len(candidate.turn)/4)) // of a few seeds, three may be all
		if !slices.ContainsFunc(list, func(other plan) bool { return distance(candidate.turn, other.turn) < far }) {
			list = append(list, candidate)
		}
	}
	return list
}

// polish returns a turn that is the best in its neighbourhood by the evaluation, found from another one.
func (s *searcher) polish(root *mancala.State, turn []mancala.Action, rng *rand.Rand) []mancala.Action {
	p := &planner{searcher: s, root: *root, rng: rng, seen: map[mancala.State]bool{}}
	p.try(turn)
	p.improve()
	return p.plans[0].turn
}

// find fills plans with good turns by the evaluation, the best first.
func (p *planner) find() {
	p.propose()
	if p.root.Opening < 2 {
		p.improve()
		return
	}
	for range rounds {
		p.improve()
		if p.stopped {
			return
		}
		p.replies = append(p.replies, p.answer(p.plans[0].turn)...)
		for i := range p.plans {
			p.plans[i].score = p.judge(p.plans[i].turn, 0)
		}
		p.sort()
	}
}

// sort puts the best plans first, and drops all that have no chance.
func (p *planner) sort() {
	slices.SortStableFunc(p.plans, func(a, b plan) int { return int(b.score) - int(a.score) })
	p.plans = p.plans[:min(16*shortlist, len(p.plans))]
}

// answer returns the best turns of the other player after a turn.
func (p *planner) answer(turn []mancala.Action) [][]mancala.Action {
	after := p.after(turn)
	other := &planner{searcher: p.searcher, root: after, rng: p.rng}
	other.propose()
	other.improve()
	var list [][]mancala.Action
	for _, plan := range other.diverse(answers) {
		list = append(list, plan.turn)
	}
	return list
}

// after returns the position after a turn.
func (p *planner) after(turn []mancala.Action) mancala.State {
	state := p.root
	for _, a := range turn {
		mancala.MustPlay(p.game, &state, a)
	}
	return state
}

// propose begins the plans with turns of all kinds.
func (p *planner) propose() {
	p.seen = map[mancala.State]bool{}
	p.plans = nil
	p.complete(&p.root, nil)
	p.sort()
}

// complete tries turns that begin with the given actions, which lead from the root to state.
func (p *planner) complete(state *mancala.State, turn []mancala.Action) {
	if state.Player != p.root.Player || state.Opening != p.root.Opening || state.Over() {
		p.try(turn)
		return
	}
	legal := p.game.AppendLegal(nil, state)
	if state.Phase == mancala.Lift {
		for _, a := range legal {
			next := *state
			mancala.MustPlay(p.game, &next, a)
			p.complete(&next, append(slices.Clone(turn), a))
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
		p.try(append(slices.Clone(turn), drawTurn(p.game, state, p.rng)...))
	}
}

// try judges a turn that leads to a position that no other one led to, and adds it to the plans. It returns its score.
func (p *planner) try(turn []mancala.Action) int32 {
	if p.stopped && len(p.plans) > 0 {
		return -infinite
	}
	after := p.after(turn)
	if p.seen[after] {
		return -infinite
	}
	p.seen[after] = true
	score := p.judge(turn, 0)
	p.plans = append(p.plans, plan{turn, score})
	return score
}

// improve improves the best plans.
func (p *planner) improve() {
	for _, start := range slices.Clone(p.plans[:min(improved, len(p.plans))]) {
		p.climb(start)
	}
	p.sort()
}

// climb changes a plan as long as that makes it better: it moves one seed, or all seeds of a pit, to another pit.
func (p *planner) climb(best plan) {
	first, pits := p.places(best.turn)
	for range steps {
		found := best
		for i := first; i < len(best.turn); {
			end := i + 1 // of the seeds in the same pit
			for end < len(best.turn) && best.turn[end] == best.turn[i] {
				end++
			}
			for _, to := range pits {
				for _, moved := range []int{1, end - i} {
					turn := slices.Clone(best.turn)
					for j := range moved {
						turn[i+j] = to
					}
					slices.Sort(turn[first:])
					if score := p.try(turn); score > found.score {
						found = plan{turn, score}
					}
				}
			}
			i = end
		}
		if found.score <= best.score || p.stopped {
			return
		}
		best = found
	}
}

// places returns where the places of a turn begin, and in which pits its first seed may be placed.
func (p *planner) places(turn []mancala.Action) (first int, pits []mancala.Action) {
	state := p.root
	for first < len(turn) && state.Phase == mancala.Lift {
		mancala.MustPlay(p.game, &state, turn[first])
		first++
	}
	if first < len(turn) {
		pits = p.game.AppendLegal(nil, &state)
	}
	return first, pits
}

// deepen judges the best plans by search, deeper and deeper.
func (p *planner) deepen() {
	p.plans = p.diverse(shortlist)
	last := MaxDepth
	if p.limits.Depth > 0 {
		last = p.limits.Depth
	}
	for depth := min(2, last); len(p.plans) > 1 && !p.stopped; depth += 2 {
		depth = min(depth, last)
		for i := range p.plans {
			score := p.judge(p.plans[i].turn, depth)
			if p.stopped {
				// The rest is not judged as deeply, and cannot be compared.
				p.plans = p.plans[:max(i, 1)]
				break
			}
			p.plans[i].score = score
		}
		p.sort()
		if depth == last {
			return
		}
		p.plans = p.plans[:(len(p.plans)+1)/2]
	}
}

// judge returns the score of a turn, as the player who makes it sees it: by the evaluation at depth 0, by search else.
func (p *planner) judge(turn []mancala.Action, depth int) int32 {
	after := p.after(turn)
	if after.Phase == mancala.Sow || after.Over() {
		return p.value(&after, depth)
	}
	if len(p.replies) == 0 {
		// Any reply will do to begin with, as long as it is the same for all turns.
		next := after
		playModel(p.game, &next, nil)
		return p.value(&next, depth)
	}
	worst := int32(infinite)
	for _, reply := range p.replies {
		next := after
		playModel(p.game, &next, reply)
		worst = min(worst, p.value(&next, depth))
	}
	return worst
}

// value returns the score of a position in the phase Sow, as the player to move at the root sees it.
func (p *planner) value(state *mancala.State, depth int) int32 {
	if p.nodes++; p.nodes >= p.pollAt {
		p.poll()
	}
	var score int32
	if state.Over() || depth == 0 {
		score = p.eval.of(state)
	} else {
		score = p.search(state, 1, depth, -infinite, infinite, 0, unjudged)
	}
	if state.Player != p.root.Player {
		return -score
	}
	return score
}
