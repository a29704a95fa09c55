package bridge

import (
	"context"
	"fmt"
	"io"
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

// A job is an agent that is thinking.
type job struct {
	pace    *pace
	agent   *opened
	thought thought
	err     error
}

type chances struct {
	Win  float64 `json:"win"`
	Draw float64 `json:"draw"`
	Loss float64 `json:"loss"`
}

type thought struct {
	Text         string           `json:"text"`
	Actions      []mancala.Action `json:"actions"`
	Chances      *chances         `json:"chances"`
	Value        *float64         `json:"value"`
	Margin       *float64         `json:"margin"`
	Line         []string         `json:"line"`
	Simulations  int64            `json:"simulations"`
	Nodes        int64            `json:"nodes"`
	Milliseconds float64          `json:"milliseconds"`
}

// think are the arguments of the operation of this name.
type think struct {
	Game  int    `json:"game"`
	Agent string `json:"agent"`
	Seed  uint64 `json:"seed"`
}

// mostJobs is how many jobs there are at once. A search may take some hundreds of MiB, and a module has 4 GiB.
const mostJobs = 8

// think begins a job and returns its id.
func (b *Bridge) think(with think) (any, error) {
	g, err := b.game(with.Game)
	if err != nil {
		return nil, err
	}
	if len(with.Agent) > longestText {
		return nil, argument("agent: a text of %d bytes names none", len(with.Agent))
	}
	s := g.record.State()
	if s.Over() {
		return nil, argument("the game is over: there is nothing to think about")
	}
	if len(b.jobs) >= mostJobs {
		return nil, argument("%d agents are thinking already: wait for one of them, or stop it", len(b.jobs))
	}
	o, err := b.agents.take(g.record.Game(), with.Agent)
	if err != nil {
		return nil, err
	}
	j := &job{agent: o}
	thinker := thinker{game: g.record.Game(), agent: o.agent, spec: with.Agent, state: s, seed: with.Seed}
	j.pace = start(func(ctx context.Context) { j.thought, j.err = thinker.think(ctx) })
	id := b.id()
	b.jobs[id] = j
	return id, nil
}

// onJob are the arguments of operations on a job.
type onJob struct {
	Job          int     `json:"job"`
	Milliseconds float64 `json:"milliseconds"`
}

// longestSlice is the longest time that a step takes.
const longestSlice = time.Hour

// step lets a job go on for some milliseconds. It returns the thought when that has ended the job, and nothing otherwise.
func (b *Bridge) step(with onJob) (any, error) {
	j, err := b.job(with.Job)
	if err != nil {
		return nil, err
	}
	d := time.Duration(min(max(with.Milliseconds, 0)*float64(time.Millisecond), float64(longestSlice)))
	if !j.pace.step(d) {
		return nil, nil
	}
	b.forget(with.Job)
	if j.err != nil {
		return nil, j.err
	}
	return j.thought, nil
}

// stop ends a job.
func (b *Bridge) stop(with onJob) (any, error) {
	j, err := b.job(with.Job)
	if err != nil {
		return nil, err
	}
	j.pace.stop()
	b.forget(with.Job)
	return nil, nil
}

func (b *Bridge) job(id int) (*job, error) {
	j, ok := b.jobs[id]
	if !ok {
		return nil, argument("there is no job %d: it has ended, or never began", id)
	}
	return j, nil
}

// forget forgets a job that has ended.
func (b *Bridge) forget(id int) {
	b.agents.give(b.jobs[id].agent)
	b.jobs[id].pace.cancel()
	delete(b.jobs, id)
}

// A thinker is a question to an agent.
type thinker struct {
	game  mancala.Game
	agent agent.Agent
	spec  string
	state mancala.State
	seed  uint64
}

// think returns a whole turn, or the rest of one that is half done, with what the agent makes of the position.
func (t *thinker) think(ctx context.Context) (thought, error) {
	began := time.Now()
	effort := new(agent.Effort)
	ctx = agent.WithEffort(ctx, effort)
	var out thought
	turn, err := t.judge(ctx, &out)
	if err == nil {
		turn, err = t.complete(ctx, turn)
	}
	if err != nil {
		return thought{}, fmt.Errorf("agent %s at position %q: %w", t.spec, t.game.Format(&t.state), err)
	}
	out.Text, out.Actions = protocol.Line(t.game, &t.state, turn)[0], turn
	if len(out.Line) == 0 || out.Line[0] != out.Text {
		out.Line = []string{out.Text}
	}
	out.Simulations, out.Nodes = effort.Simulations.Load(), effort.Nodes.Load()
	out.Milliseconds = float64(time.Since(began).Microseconds()) / 1000
	return out, nil
}

// judge fills in what the agent makes of the position. It returns the action that the agent chooses, where that is known
// by then, so that it is not asked twice.
func (t *thinker) judge(ctx context.Context, out *thought) ([]mancala.Action, error) {
	sowing := t.state.Phase == mancala.Sow
	if _, timed := t.agent.(*zero.Timed); timed && !sowing {
		return nil, nil // its time is for the turn, which it chooses action by action
	}
	if a, ok := t.agent.(agent.Adviser); ok {
		advice, err := a.Advise(ctx, &t.state)
		if err != nil {
			return nil, err
		}
		out.judged(advice.Win, advice.Draw, advice.Loss)
		out.Margin = &advice.Margin
		out.Line = protocol.Line(t.game, &t.state, advice.Line)
		if _, chancy := a.(*zero.Policy); !chancy && sowing {
			return advice.Line[:1], nil
		}
		return nil, nil
	}
	if forced := len(t.game.AppendLegal(nil, &t.state)) == 1; forced || !sowing {
		return nil, nil
	}
	switch a := t.agent.(type) {
	case *alphabeta.Player:
		found, err := a.Analyse(ctx, &t.state)
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
		found, err := a.Analyse(ctx, &t.state, t.chance(0))
		if err != nil {
			return nil, err
		}
		out.Value = &found.Value
		return []mancala.Action{found.Best}, nil
	}
	return nil, nil
}

// judged fills in chances.
func (t *thought) judged(win, draw, loss float64) {
	value := win - loss
	t.Chances, t.Value = &chances{win, draw, loss}, &value
}

// chance returns the generator for an action of the turn, which are counted from 0. It is that of the engine protocol, so
// that the same agent with the same seed answers the same there.
func (t *thinker) chance(action int) *rand.Rand {
	return seed.Rand(t.seed, seed.Match, 0, 0, uint64(action))
}

// complete completes a turn that begins with some actions. The agent may plan the turn as a whole.
func (t *thinker) complete(ctx context.Context, turn []mancala.Action) ([]mancala.Action, error) {
	s := t.state
	for _, a := range turn {
		if _, err := t.game.Play(&s, a); err != nil {
			return nil, err
		}
	}
	player := t.agent
	if starter, ok := player.(agent.Starter); ok {
		player = starter.Start()
		if c, ok := player.(io.Closer); ok {
			defer c.Close()
		}
	}
	for !protocol.TurnDone(&s, t.state.Player) {
		if err := ctx.Err(); err != nil { // for agents that need no time and look at no context
			return nil, err
		}
		a, err := player.Choose(ctx, &s, t.chance(len(turn)))
		if err == nil {
			_, err = t.game.Play(&s, a)
		}
		if err != nil {
			return nil, err
		}
		turn = append(turn, a)
	}
	return turn, nil
}
