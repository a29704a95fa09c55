package zero

import (
	"context"
	"slices"

	"kiothi/agent"
	"kiothi/agent/margin"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// This file is what the players with a network say about a position.

var (
	_ agent.Adviser = (*Player)(nil)
	_ agent.Adviser = (*Policy)(nil)
)

// Advise implements agent.Adviser. It searches as Choose does, behind what is forced. Chances and margin are the mean over the
// positions that the search looked at behind the action that it chose: the network's judgement of them, or the result; and as
// much of the result as is proven; so are the chances of margins, which add up to the others. The policy is what the search would
// have the network learn.
func (p *Player) Advise(ctx context.Context, s *mancala.State) (agent.Advice, error) {
	if advice, ok := p.fromEndgames(s); ok {
		return advice, ctx.Err()
	}
	at, forced := p.afterForced(s)
	if at.Over() {
		return p.advice(s, &at, p.result(mancala.Margin(p.game, &at, at.Player)), nil, forced), ctx.Err()
	}
	b, err := p.take(1)
	if err != nil {
		return agent.Advice{}, err
	}
	defer p.giveBack(b)
	trees := b.trees[:1]
	trees[0].Reset(&at, p.config.Simulations, nil)
	for n := 1; n > 0; {
		if err := ctx.Err(); err != nil {
			return agent.Advice{}, err
		}
		if n, err = search.Round(b.evaluator, trees, b.rows, func(int) bool { return false }); err != nil {
			return agent.Advice{}, err
		}
	}
	return p.searched(ctx, s, &at, trees[0], b.evaluator, forced)
}

// searched makes the advice for a position of a search behind what is forced.
func (p *Player) searched(ctx context.Context, s, at *mancala.State, tree *search.Tree, e *Evaluator, forced []mancala.Action) (agent.Advice, error) {
	agent.EffortOf(ctx).Simulations.Add(int64(tree.Simulations()))
	sum, err := p.summarize(at, tree, e)
	if err != nil {
		return agent.Advice{}, err
	}
	_, policy := tree.AppendPolicy(nil, nil)
	return p.advice(s, at, sum, policy, tree.AppendLine(forced)), nil
}

// afterForced returns the position after the actions that have no alternative, and these.
func (p *Player) afterForced(s *mancala.State) (at mancala.State, forced []mancala.Action) {
	at = *s
	for !at.Over() {
		legal := p.game.AppendLegal(nil, &at)
		if len(legal) > 1 {
			break
		}
		forced = append(forced, legal[0])
		mancala.MustPlay(p.game, &at, legal[0])
	}
	return at, forced
}

// advice makes the advice for a position of what a later one comes to, and of the policy there.
func (p *Player) advice(s, at *mancala.State, o outcome, policy []float32, line []mancala.Action) agent.Advice {
	if at.Player != s.Player {
		o = o.turned()
	}
	out := agent.Advice{Win: o.Win, Draw: o.Draw, Loss: o.Loss, Margin: o.Margin, Line: line}
	for i, chance := range o.margins {
		if chance > 0 {
			out.Margins = append(out.Margins, agent.MarginChance{Margin: i - p.scale.Max, Chance: chance})
		}
	}
	switch {
	case *at != *s:
		out.Policy = []float64{1} // forced
	case policy != nil:
		for _, share := range policy {
			out.Policy = append(out.Policy, float64(share))
		}
	}
	return out
}

// An outcome is what a position comes to, for a player.
type outcome struct {
	margin.Summary
	margins []float64 // [2·Max+1] chances of the margins from -Max to Max
}

// turned returns an outcome as the other player sees it. The margins of the argument are used up.
func (o outcome) turned() outcome {
	slices.Reverse(o.margins)
	return outcome{turned(o.Summary), o.margins}
}

// turned returns a summary as the other player sees it.
func turned(s margin.Summary) margin.Summary {
	return margin.Summary{Win: s.Loss, Draw: s.Draw, Loss: s.Win, Margin: -s.Margin}
}

// result is the outcome that is known.
func (p *Player) result(m int) outcome {
	o := outcome{result(m), make([]float64, 2*p.scale.Max+1)}
	o.margins[m+p.scale.Max] = 1
	return o
}

// fromEndgames returns what the end games say of a position, where they know it.
func (p *Player) fromEndgames(s *mancala.State) (agent.Advice, bool) {
	if p.config.Endgames == nil {
		return agent.Advice{}, false
	}
	best, ok := p.config.Endgames.Best(s)
	if !ok {
		return agent.Advice{}, false
	}
	m, _ := p.config.Endgames.Probe(s)
	return p.advice(s, s, p.result(m), nil, []mancala.Action{best}), true
}

// summarize says what a finished search of s has found.
func (p *Player) summarize(s *mancala.State, tree *search.Tree, e *Evaluator) (outcome, error) {
	sum := outcome{margins: make([]float64, 2*p.scale.Max+1)}
	total := 0
	for at, visits := range tree.Behind() {
		weight, side := float64(visits), 1
		if at.Player != s.Player {
			side = -1
		}
		one, err := p.judge(at, e, func(m int, chance float64) { sum.margins[side*m+p.scale.Max] += weight * chance })
		if err != nil {
			return outcome{}, err
		}
		if side < 0 {
			one = turned(one)
		}
		sum.Win += weight * one.Win
		sum.Draw += weight * one.Draw
		sum.Loss += weight * one.Loss
		sum.Margin += weight * one.Margin
		total += visits
	}
	n := float64(total)
	sum.Summary = margin.Summary{Win: sum.Win / n, Draw: sum.Draw / n, Loss: sum.Loss / n, Margin: sum.Margin / n}
	for i := range sum.margins {
		sum.margins[i] /= n
	}
	if low, high, ok := p.margins(tree); ok {
		sum.Summary = within(sum.Summary, low, high)
		p.gather(sum.margins, low, high)
	}
	return sum, nil
}

// gather moves the chances of margins, where the winner is known, to the nearest that are possible.
func (p *Player) gather(margins []float64, low, high int) {
	if !decided(low, high) {
		return
	}
	for i, chance := range margins {
		if to := min(max(i, low+p.scale.Max), high+p.scale.Max); to != i {
			margins[i] = 0
			margins[to] += chance
		}
	}
}

// judge returns what a position comes to for the player to move: the result where it is known, or the network's judgement,
// as far as the stores do not know better. It tells the chances of the margins.
func (p *Player) judge(s *mancala.State, e *Evaluator, tell func(m int, chance float64)) (margin.Summary, error) {
	if m, ok := p.known(s); ok {
		tell(m, 1)
		return result(m), nil
	}
	e.Put(0, s)
	if err := e.Evaluate(1); err != nil {
		return margin.Summary{}, err
	}
	own, enemy := int(s.Stores[s.Player]), int(s.Stores[s.Player.Other()])
	rest := s.Total() - own - enemy
	low, high := own-enemy-rest, own-enemy+rest
	for bin, chance := range margin.Probabilities(e.Margin(0)) {
		m := p.scale.Margin(bin)
		if decided(low, high) {
			m = min(max(m, low), high)
		}
		tell(m, chance)
	}
	return within(p.scale.Summarize(e.Margin(0)), low, high), nil
}

// decided reports whether margins from low to high all are of one sign.
func decided(low, high int) bool { return low > 0 || high < 0 || low == 0 && high == 0 }

// margins returns the least and the largest margin that have the proven utility of a search, for the player to move.
func (p *Player) margins(tree *search.Tree) (low, high int, ok bool) {
	value, ok := tree.Proven()
	if !ok {
		return 0, 0, false
	}
	low, high = p.scale.Max+1, -p.scale.Max-1
	for m := -p.scale.Max; m <= p.scale.Max; m++ {
		if float32(p.config.Utility.Of(m, p.scale)) == value {
			low, high = min(low, m), max(high, m)
		}
	}
	return low, high, low <= high
}

// within makes a summary agree with what is known of the margin.
func within(s margin.Summary, low, high int) margin.Summary {
	s.Margin = min(max(s.Margin, float64(low)), float64(high))
	switch {
	case low > 0:
		s.Win, s.Draw, s.Loss = 1, 0, 0
	case high < 0:
		s.Win, s.Draw, s.Loss = 0, 0, 1
	case low == 0 && high == 0:
		s.Win, s.Draw, s.Loss = 0, 1, 0
	}
	return s
}

// known returns the final margin for the player to move, where the game is over or in the end games.
func (p *Player) known(s *mancala.State) (m int, ok bool) {
	switch {
	case s.Over():
		return mancala.Margin(p.game, s, s.Player), true
	case p.config.Endgames != nil:
		return p.config.Endgames.Probe(s)
	}
	return 0, false
}

// result is the summary of a known result.
func result(m int) margin.Summary {
	out := margin.Summary{Margin: float64(m)}
	switch {
	case m > 0:
		out.Win = 1
	case m == 0:
		out.Draw = 1
	default:
		out.Loss = 1
	}
	return out
}

// Advise implements agent.Adviser: the network's own judgement, and its most likely action.
func (p *Policy) Advise(ctx context.Context, s *mancala.State) (agent.Advice, error) {
	if err := ctx.Err(); err != nil {
		return agent.Advice{}, err
	}
	scale := p.player.scale
	b, err := p.player.take(1)
	if err != nil {
		return agent.Advice{}, err
	}
	defer p.player.giveBack(b)
	b.evaluator.Put(0, s)
	if err := b.evaluator.Evaluate(1); err != nil {
		return agent.Advice{}, err
	}
	b.legal = p.player.game.AppendLegal(b.legal[:0], s)
	logits := make([]float32, len(b.legal))
	best := 0
	for i, a := range b.legal {
		logits[i] = b.evaluator.Policy(0)[a]
		if logits[i] > logits[best] {
			best = i
		}
	}
	sum := outcome{scale.Summarize(b.evaluator.Margin(0)), make([]float64, 2*scale.Max+1)}
	for bin, chance := range margin.Probabilities(b.evaluator.Margin(0)) {
		sum.margins[scale.Margin(bin)+scale.Max] = chance
	}
	out := p.player.advice(s, s, sum, nil, []mancala.Action{b.legal[best]})
	out.Policy = margin.Probabilities(logits)
	return out, nil
}
