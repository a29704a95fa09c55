package solve

import (
	"kiothi/agent/solve/certificate"
	"kiothi/env/mancala"
)

// This file picks, from all that was proved, the claims that a result needs.

// Certify returns a certificate of a result that Solve found for a state. The claims are picked from the last back to the
// first: each needs one about the position after each of its moves, and that one stands before it in the list.
func (s *Solver) Certify(state *mancala.State, r Result) (*certificate.Certificate, error) {
	if s.table != nil || len(s.sources) > 1 {
		return nil, errOutside
	}
	p := &picker{solver: s, needed: make([]bool, len(s.claims.list))}
	all := int32(len(s.claims.list))
	clock := clocks{state.Clock, state.Clock}
	ahead := lead(state, state.Player)
	p.need(state, all, false, r.Low-ahead, clock)
	p.need(state, all, true, r.High-ahead, clock)
	c := &certificate.Certificate{
		Game: s.game.Name(), Rules: s.game.Rules(), Position: s.game.Format(state), Low: r.Low, High: r.High,
	}
	for i := all - 1; i >= 0; i-- {
		if p.needed[i] {
			c.Claims = append(c.Claims, p.pick(i))
		}
	}
	return c, nil
}

// A picker knows which claims are needed.
type picker struct {
	solver *Solver
	needed []bool
	legal  []mancala.Action
}

// pick marks what claim i needs and returns it as a certificate holds it.
func (p *picker) pick(i int32) certificate.Claim {
	s := p.solver
	c := &s.claims.list[i]
	state := c.board.state(s.closing)
	out := certificate.Claim{
		Position: state, AtMost: c.atMost, Bound: int(c.bound), From: int(c.clocks.from), To: int(c.clocks.to),
	}
	state.Clock = c.clocks.from
	if c.atMost {
		p.legal = s.game.AppendLegal(p.legal[:0], &state)
	} else {
		out.Action = mancala.Action(c.action)
		p.legal = append(p.legal[:0], out.Action)
	}
	for _, a := range p.legal {
		after := state
		s.play(&after, a)
		bound, atMost := int(c.bound)-lead(&after, mancala.South), c.atMost
		if after.Player != mancala.South {
			bound, atMost = -bound, !atMost
		}
		when := clocks{0, 0}
		switch {
		case state.Phase != mancala.Sow:
			when = c.clocks
		case after.Clock != 0:
			when = clocks{c.clocks.from + 1, c.clocks.to + 1}
		}
		p.need(&after, i, atMost, bound, when)
	}
	return out
}

// need marks a claim before a place in the list that says enough about a state, unless the state tells by itself. One that is
// needed anyway is preferred, then the oldest, which was the easiest to prove.
func (p *picker) need(state *mancala.State, before int32, atMost bool, bound int, when clocks) {
	seeds := state.OnBoard() + int(state.Hand)
	if state.Over() || !atMost && bound <= -seeds || atMost && bound >= seeds {
		return
	}
	s := p.solver
	board := boardOf(state, s.width)
	found := int32(none)
	for n := s.claims.newest(&board); n != none; n = s.claims.list[n].older {
		c := &s.claims.list[n]
		if n >= before || c.atMost != atMost || !c.clocks.cover(when) ||
			!atMost && int(c.bound) < bound || atMost && int(c.bound) > bound {
			continue
		}
		found = n
		if p.needed[n] {
			break
		}
	}
	if found == none {
		panic("solve: a claim rests on one that is not there: " + s.game.Format(state))
	}
	p.needed[found] = true
}
