package bridge

import (
	"context"
	"time"

	"kiothi/cmd/internal/view"
)

// This file is thinking: an agent chooses a turn, and says what it makes of the position.

// A job is an agent that is thinking.
type job struct {
	pace    *pace
	agent   *opened
	thought any // a view.Thought or a view.Analysis
	err     error
}

// think are the arguments of the operation of this name, and of analyse.
type think struct {
	Game  int    `json:"game"`
	Agent string `json:"agent"`
	Seed  uint64 `json:"seed"`
}

// mostJobs is how many jobs there are at once. A search may take some hundreds of MiB, and a module has 4 GiB.
const mostJobs = 8

// think begins a job that ends in a view.Thought, and returns its id.
func (b *Bridge) think(with think) (any, error) { return begin(b, with, (*view.Thinker).Think) }

// analyse begins a job that ends in a view.Analysis, and returns its id.
func (b *Bridge) analyse(with think) (any, error) { return begin(b, with, (*view.Thinker).Analyse) }

// begin begins a job that asks a thinker something, and returns its id.
func begin[T any](b *Bridge, with think, ask func(*view.Thinker, context.Context) (T, error)) (any, error) {
	g, err := b.game(with.Game)
	if err != nil {
		return nil, err
	}
	if len(with.Agent) > view.LongestText {
		return nil, view.Argument("agent", "agent: a text of %d bytes names none", len(with.Agent))
	}
	s := g.Record.State()
	if s.Over() {
		return nil, view.Argument("game", "the game is over: there is nothing to think about")
	}
	if len(b.jobs) >= mostJobs {
		return nil, view.Argument("agent", "%d agents are thinking already: wait for one of them, or stop it", len(b.jobs))
	}
	o, err := b.agents.take(g.Record.Game(), with.Agent)
	if err != nil {
		return nil, err
	}
	j := &job{agent: o}
	thinker := view.Thinker{Game: g.Record.Game(), Agent: o.agent, Spec: with.Agent, State: s, Seed: with.Seed}
	j.pace = start(func(ctx context.Context) { j.thought, j.err = ask(&thinker, ctx) })
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
		return nil, view.Argument("job", "there is no job %d: it has ended, or never began", id)
	}
	return j, nil
}

// forget forgets a job that has ended.
func (b *Bridge) forget(id int) {
	b.agents.give(b.jobs[id].agent)
	b.jobs[id].pace.cancel()
	delete(b.jobs, id)
}
