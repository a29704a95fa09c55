package zero

import (
	"context"

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
// much of the result as is proven.
func (p *Player) Advise(ctx context.Context, s *mancala.State) (agent.Advice, error) {
	if advice, ok := p.fromEndgames(s); ok {
		return advice, ctx.Err()
	}
	at, forced := p.afterForced(s)
	if at.Over() {
		return p.advice(s, &at, result(mancala.Margin(p.game, &at, at.Player)), forced), ctx.Err()
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
	sum, err := p.summarize(&at, trees[0], b.evaluator)
	return p.advice(s, &at, sum, trees[0].AppendLine(forced)), err
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
		mustPlay(p.game, &at, legal[0])
	}
	return at, forced
}

// advice makes the advice for a position of what a later one comes to.
func (p *Player) advice(s, at *mancala.State, sum margin.Summary, line []mancala.Action) agent.Advice {
	if at.Player != s.Player {
		sum = turned(sum)
	}
	return agent.Advice{Win: sum.Win, Draw: sum.Draw, Loss: sum.Loss, Margin: sum.Margin, Line: line}
}

// turned returns a summary as the other player sees it.
func turned(s margin.Summary) margin.Summary {
	return margin.Summary{Win: s.Loss, Draw: s.Draw, Loss: s.Win, Margin: -s.Margin}
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
	return p.advice(s, s, result(m), []mancala.Action{best}), true
}

// summarize says what a finished search of s has found.
func (p *Player) summarize(s *mancala.State, tree *search.Tree, e *Evaluator) (margin.Summary, error) {
	var sum margin.Summary
	total := 0
	for at, visits := range tree.Behind() {
		one, err := p.judge(at, e)
		if err != nil {
			return margin.Summary{}, err
		}
		if at.Player != s.Player {
			one = turned(one)
		}
		weight := float64(visits)
		sum.Win += weight * one.Win
		sum.Draw += weight * one.Draw
		sum.Loss += weight * one.Loss
		sum.Margin += weight * one.Margin
		total += visits
	}
	n := float64(total)
	sum = margin.Summary{Win: sum.Win / n, Draw: sum.Draw / n, Loss: sum.Loss / n, Margin: sum.Margin / n}
	if low, high, ok := p.margins(tree); ok {
		sum = within(sum, low, high)
	}
	return sum, nil
}

// judge returns what a position comes to for the player to move: the result where it is known, or the network's judgement,
// as far as the stores do not know better.
func (p *Player) judge(s *mancala.State, e *Evaluator) (margin.Summary, error) {
	if m, ok := p.known(s); ok {
		return result(m), nil
	}
	e.Put(0, s)
	if err := e.Evaluate(1); err != nil {
		return margin.Summary{}, err
	}
	own, enemy := int(s.Stores[s.Player]), int(s.Stores[s.Player.Other()])
	rest := s.Total() - own - enemy
	return within(p.scale.Summarize(e.Margin(0)), own-enemy-rest, own-enemy+rest), nil
}

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
	scale, err := margin.Of(p.player.game)
	if err != nil {
		return agent.Advice{}, err
	}
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
	logits := b.evaluator.Policy(0)
	best := b.legal[0]
	for _, a := range b.legal {
		if logits[a] > logits[best] {
			best = a
		}
	}
	sum := scale.Summarize(b.evaluator.Margin(0))
	return p.player.advice(s, s, sum, []mancala.Action{best}), nil
}
