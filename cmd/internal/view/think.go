package view

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"kiothi/agent"
	"kiothi/agent/alphabeta"
	"kiothi/agent/engine/protocol"
	"kiothi/agent/uct"
	"kiothi/agent/zero"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is thinking: an agent chooses a turn, and says what it makes of the position.

// Chances are those of the player to move, which add up to 1.
type Chances struct {
	Win  float64 `json:"win"`
	Draw float64 `json:"draw"`
	Loss float64 `json:"loss"`
}

// A Thought is what an agent plays and what it thinks of the position, for the player to move.
type Thought struct {
	Text         string           `json:"text"`
	Actions      []mancala.Action `json:"actions"`
	Chances      *Chances         `json:"chances"`
	Value        *float64         `json:"value"`
	Margin       *float64         `json:"margin"`
	Line         []string         `json:"line"`
	Simulations  int64            `json:"simulations"`
	Nodes        int64            `json:"nodes"`
	Milliseconds float64          `json:"milliseconds"`
}

// An Analysis is a Thought with what is behind it.
type Analysis struct {
	Thought
	Policy  []Share        `json:"policy"`  // of the legal actions, in their order; nil when the agent weighs none
	Margins []MarginChance `json:"margins"` // in ascending order; nil when the agent expects none in particular
}

// A Share is how much a legal action is to be preferred. Those of all of them add up to 1.
type Share struct {
	Action      mancala.Action `json:"action"`
	Text        string         `json:"text"`
	Probability float64        `json:"probability"`
}

// A MarginChance is how likely a final margin is for the player to move. Those of all of them add up to 1.
type MarginChance struct {
	Margin      int     `json:"margin"` // in seeds
	Probability float64 `json:"probability"`
}

// told fills in the policy and the margins of an advice.
func (a *Analysis) told(g mancala.Game, s *mancala.State, advice *agent.Advice) {
	for i, action := range g.AppendLegal(nil, s) {
		if advice.Policy != nil {
			a.Policy = append(a.Policy, Share{action, g.ActionText(s, action), advice.Policy[i]})
		}
	}
	for _, m := range advice.Margins {
		a.Margins = append(a.Margins, MarginChance{m.Margin, m.Chance})
	}
}

// A Thinker is a question to an agent.
type Thinker struct {
	Game  mancala.Game
	Agent agent.Agent
	Spec  string // the text that names the agent
	State mancala.State
	Seed  uint64
}

// Think returns a whole turn, or the rest of one that is half done, with what the agent makes of the position.
func (t *Thinker) Think(ctx context.Context) (Thought, error) {
	out, err := t.analyse(ctx, false)
	return out.Thought, err
}

// Analyse is Think, and tells all that the agent can say. In an opening an agent that plays by the clock takes its time twice: to
// judge, and to choose.
func (t *Thinker) Analyse(ctx context.Context) (Analysis, error) { return t.analyse(ctx, true) }

func (t *Thinker) analyse(ctx context.Context, thorough bool) (Analysis, error) {
	began := time.Now()
	effort := new(agent.Effort)
	ctx = agent.WithEffort(ctx, effort)
	var out Analysis
	turn, err := t.judge(ctx, &out, thorough)
	if err == nil {
		turn, err = t.complete(ctx, turn)
	}
	if err != nil {
		return Analysis{}, fmt.Errorf("agent %s at position %q: %w", t.Spec, t.Game.Format(&t.State), err)
	}
	out.Text, out.Actions = protocol.Line(t.Game, &t.State, turn)[0], turn
	if len(out.Line) == 0 || out.Line[0] != out.Text {
		out.Line = []string{out.Text}
	}
	out.Simulations, out.Nodes = effort.Simulations.Load(), effort.Nodes.Load()
	out.Milliseconds = float64(time.Since(began).Microseconds()) / 1000
	return out, nil
}

// judge fills in what the agent makes of the position. It returns the action that the agent chooses, where that is known
// by then, so that it is not asked twice.
func (t *Thinker) judge(ctx context.Context, out *Analysis, thorough bool) ([]mancala.Action, error) {
	sowing := t.State.Phase == mancala.Sow
	if _, timed := t.Agent.(*zero.Timed); timed && !sowing && !thorough {
		return nil, nil // its time is for the turn, which it chooses action by action
	}
	if a, ok := t.Agent.(agent.Adviser); ok {
		advice, err := a.Advise(ctx, &t.State)
		if err != nil {
			return nil, err
		}
		out.judged(advice.Win, advice.Draw, advice.Loss)
		out.Margin = &advice.Margin
		out.Line = protocol.Line(t.Game, &t.State, advice.Line)
		out.told(t.Game, &t.State, &advice)
		if _, chancy := a.(*zero.Policy); !chancy && sowing {
			return advice.Line[:1], nil
		}
		return nil, nil
	}
	if forced := len(t.Game.AppendLegal(nil, &t.State)) == 1; forced || !sowing {
		return nil, nil
	}
	switch a := t.Agent.(type) {
	case *alphabeta.Player:
		found, err := a.Analyse(ctx, &t.State)
		if err != nil {
			return nil, err
		}
		out.Margin = &found.Score
		switch {
		case !found.Certain:
		case found.Score > 0:
			out.judged(1, 0, 0)
		case found.Score < 0:
			out.judged(0, 0, 1)
		default:
			out.judged(0, 1, 0)
		}
		return []mancala.Action{found.Best}, nil
	case *uct.Player:
		found, err := a.Analyse(ctx, &t.State, t.chance(0))
		if err != nil {
			return nil, err
		}
		out.Value = &found.Value
		return []mancala.Action{found.Best}, nil
	}
	return nil, nil
}

// judged fills in chances.
func (t *Thought) judged(win, draw, loss float64) {
	value := win - loss
	t.Chances, t.Value = &Chances{win, draw, loss}, &value
}

// chance returns the generator for an action of the turn, which are counted from 0. It is that of the engine protocol, so
// that the same agent with the same seed answers the same there.
func (t *Thinker) chance(action int) *rand.Rand {
	return seed.Rand(t.Seed, seed.Match, 0, 0, uint64(action))
}

// complete completes a turn that begins with some actions. The agent may plan the turn as a whole.
func (t *Thinker) complete(ctx context.Context, turn []mancala.Action) ([]mancala.Action, error) {
	s := t.State
	for _, a := range turn {
		if _, err := t.Game.Play(&s, a); err != nil {
			return nil, err
		}
	}
	player := agent.Start(t.Agent)
	defer agent.End(t.Agent, player)
	for !protocol.TurnDone(&s, t.State.Player) {
		if err := ctx.Err(); err != nil { // for agents that need no time and look at no context
			return nil, err
		}
		a, err := player.Choose(ctx, &s, t.chance(len(turn)))
		if err == nil {
			_, err = t.Game.Play(&s, a)
		}
		if err != nil {
			return nil, err
		}
		turn = append(turn, a)
	}
	return turn, nil
}
