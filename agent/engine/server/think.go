package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/agent/scripted"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file thinks: it carries out a plan in one position.

// Rand returns the generator that an agent gets for an action of a turn, which are counted from 0, when the option Seed is
// run. It depends on nothing else, so that the same position gets the same answer.
func Rand(run uint64, action int) *rand.Rand { return seed.Rand(run, seed.Match, 0, 0, uint64(action)) }

// A thought is one search.
type thought struct {
	agents *agents
	state  mancala.State
	seed   uint64
	plan   plan
	began  time.Time
	grace  time.Duration     // see waits
	say    func(line string) // tells how the search goes
}

// run carries out the plan and returns the turn. A stop is ctx that ends: run returns the best turn that it has so far. An
// error means that the agent failed.
func (t *thought) run(ctx context.Context) ([]mancala.Action, error) {
	for _, note := range t.plan.notes {
		t.say(protocol.NotePrefix + note)
	}
	timed, cancel := within(ctx, t.plan.time)
	defer cancel()
	best, err := t.climb(timed)
	if err != nil && t.plan.final == nil {
		return nil, err
	}
	var part []mancala.Action
	if t.plan.final != nil && (best == nil || timed.Err() == nil) {
		last, cancel := t.patient(timed, best)
		turn, err := t.ask(last, *t.plan.final, true)
		cancel()
		switch {
		case err == nil:
			best = turn
		case timed.Err() == nil:
			return nil, err
		default:
			part = turn
		}
	}
	if best == nil {
		t.say(protocol.NotePrefix + "the search ended before the agent had an answer, and the move is drawn at random")
		best = t.complete(part)
	}
	if t.plan.infinite {
		<-ctx.Done()
	}
	return best, nil
}

// within is context.WithTimeout, with 0 for no bound.
func within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// grace is how much longer a search may take that would give the first answer, and by how much one may be late that keeps its
// time by itself.
const grace = 50 * time.Millisecond

// patient returns a context that ends with ctx, or some time later when there is no answer yet.
func (t *thought) patient(ctx context.Context, answer []mancala.Action) (context.Context, context.CancelFunc) {
	if answer != nil {
		return ctx, func() {}
	}
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, func() { time.AfterFunc(t.grace, cancel) })
	return later, func() {
		forget()
		cancel()
	}
}

// climb returns the answer of the last search of the ladder that finished, nil when none did. An error means that the
// first could not be made.
func (t *thought) climb(ctx context.Context) (best []mancala.Action, err error) {
	if t.plan.ladder == nil {
		return nil, nil
	}
	ctx, cancel := within(ctx, t.plan.ladderTime)
	defer cancel()
	for r := range t.plan.ladder {
		if best != nil && ctx.Err() != nil {
			break
		}
		first, cancel := t.patient(ctx, best)
		turn, err := t.ask(first, r, false)
		cancel()
		if err != nil {
			if ctx.Err() == nil && best == nil {
				return nil, err
			}
			break // stopped, or a limit beyond what the agent takes
		}
		best = turn
	}
	return best, nil
}

// ask asks an agent for a whole turn and tells what it found. The final question goes to the agent's player for the game.
// With an error it returns the actions that the agent has chosen so far.
func (t *thought) ask(ctx context.Context, r rung, final bool) ([]mancala.Action, error) {
	o, err := t.agents.get(r.spec)
	if err != nil {
		return nil, err
	}
	player := o.agent
	if final {
		player = o.forGame()
	}
	effort := new(agent.Effort)
	ctx = agent.WithEffort(ctx, effort)
	info := protocol.Info{Depth: r.depth}
	var turn []mancala.Action
	// Advice costs as much as an answer. It is asked where that is little: on the ladder, and of agents that have none.
	adviser, advises := o.agent.(agent.Adviser)
	if advises && (!final || t.plan.ladder == nil) {
		advice, err := adviser.Advise(ctx, &t.state)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", r.spec.String(), err)
		}
		info.Judged, info.Margin, info.Win, info.Draw, info.Loss = true, advice.Margin, advice.Win, advice.Draw, advice.Loss
		info.Line = protocol.Line(t.agents.game, &t.state, advice.Line)
		if !final {
			turn = advice.Line[:min(1, len(advice.Line))]
		}
	}
	if turn, err = t.choose(ctx, player, turn); err != nil {
		return turn, fmt.Errorf("agent %s: %w", r.spec.String(), err)
	}
	text := t.agents.game.TurnText(&t.state, turn)
	if len(info.Line) == 0 || info.Line[0] != text {
		info.Line = []string{text}
	}
	info.Nodes, info.Simulations, info.Time = effort.Nodes.Load(), effort.Simulations.Load(), time.Since(t.began)
	t.say(info.String())
	return turn, nil
}

// choose completes a turn that begins with some actions.
func (t *thought) choose(ctx context.Context, player agent.Agent, turn []mancala.Action) ([]mancala.Action, error) {
	s, err := t.after(turn)
	if err != nil {
		return nil, err
	}
	for !protocol.TurnDone(&s, t.state.Player) {
		if err := ctx.Err(); err != nil { // for agents that need no time and look at no context
			return turn, err
		}
		a, err := player.Choose(ctx, &s, Rand(t.seed, len(turn)))
		if err == nil {
			_, err = t.agents.game.Play(&s, a)
		}
		if err != nil {
			return turn, err
		}
		turn = append(turn, a)
	}
	return turn, nil
}

// after returns the state after some actions.
func (t *thought) after(turn []mancala.Action) (mancala.State, error) {
	s := t.state
	for _, a := range turn {
		if _, err := t.agents.game.Play(&s, a); err != nil {
			return s, err
		}
	}
	return s, nil
}

// complete completes a turn at random.
func (t *thought) complete(turn []mancala.Action) []mancala.Action {
	random := scripted.Random{Game: t.agents.game}
	turn, err := t.choose(context.Background(), random, turn)
	if err != nil {
		panic("engine: no random turn from legal actions: " + err.Error())
	}
	return turn
}
