package oracle

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"kiothi/agent"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/arena"
)

// This file asks the agents and counts.

// A Table knows the results of positions; *endgame.Table is one.
type Table interface {
	// Probe returns the final margin of the player to move when both play best, if it is known.
	Probe(s *mancala.State) (margin int, ok bool)
	// Draw returns a random position that is known.
	Draw(rng *rand.Rand) mancala.State
}

// Options are the settings of Measure.
type Options struct {
	Positions int
	Source    Source
	Seed      uint64
	Workers   int            // number of threads for agents that answer one by one; 0: one a processor
	Progress  func(done int) // told how many answers there are, of all agents together; nil: not told
}

// Validate returns what is wrong with the options.
func (o Options) Validate() error {
	if o.Positions < 1 {
		return fmt.Errorf("%d positions, expected at least 1", o.Positions)
	}
	if o.Workers < 0 {
		return fmt.Errorf("%d workers, expected at least 0", o.Workers)
	}
	return nil
}

// A Result is how often agents keep the best result.
type Result struct {
	Game      string  `json:"game"`
	Rules     string  `json:"rules"`
	Positions int     `json:"positions"`
	Source    string  `json:"source"`
	Seed      uint64  `json:"seed"`
	Draws     int     `json:"draws"`    // positions or games that were drawn to find them
	Decisive  int     `json:"decisive"` // positions in which some move changes the result: a win, a draw or a loss
	Chance    Chances `json:"chance"`   // what a random move keeps
	Agents    []Score `json:"agents"`   // in the order given
}

// Chances are the shares of positions in which a random move keeps the best.
type Chances struct {
	Result   float64 `json:"result"`
	Margin   float64 `json:"margin"`
	Decisive float64 `json:"decisive"`
}

// A Score is how often one agent keeps the best.
type Score struct {
	Agent    string  `json:"agent"`
	Result   Share   `json:"result"`    // a win stays a win, a draw no loss
	Decisive Share   `json:"decisive"`  // the same among the positions in which a move can change it
	Margin   Share   `json:"margin"`    // the final margin stays the best
	MeanLoss float64 `json:"mean_loss"` // how far the margin falls short of the best, seeds a position
}

// A Share is a number of positions out of others, with its 95 % interval (arena.Wilson).
type Share struct {
	Kept  int     `json:"kept"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func newShare(kept, of int) Share {
	s := Share{Kept: kept, Of: of, Share: float64(kept) / float64(max(of, 1))}
	s.Low, s.High = arena.Wilson(float64(kept), of)
	return s
}

// Measure asks all contenders about the same positions, which the table knows. Equal options give equal results, whatever
// the number of workers.
func Measure(ctx context.Context, g mancala.Game, t Table, contenders []arena.Contender, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	positions, draws, err := draw(ctx, g, t, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Game: g.Name(), Rules: g.Rules(), Positions: o.Positions, Source: o.Source.String(), Seed: o.Seed, Draws: draws}
	r.Chance, r.Decisive = chances(positions)
	done := new(atomic.Int64)
	for _, c := range contenders {
		choices, err := ask(ctx, c.Agent, positions, o, done)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", c.Name, err)
		}
		score, err := count(g, positions, choices)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", c.Name, err)
		}
		score.Agent = c.Name
		r.Agents = append(r.Agents, score)
	}
	return r, nil
}

// ask returns what an agent chooses in each position.
func ask(ctx context.Context, a agent.Agent, positions []position, o Options, done *atomic.Int64) ([]mancala.Action, error) {
	states := make([]mancala.State, len(positions))
	rngs := make([]*rand.Rand, len(positions))
	for i := range positions {
		states[i] = positions[i].state
		rngs[i] = seed.Rand(o.Seed, seed.Match, uint64(i))
	}
	choices := make([]mancala.Action, len(positions))
	if batch, ok := a.(agent.Batch); ok {
		return choices, askBatch(ctx, batch, states, rngs, choices, o, done)
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(positions))
	var next atomic.Int64
	var wait sync.WaitGroup
	var mutex sync.Mutex
	for range min(workers, len(positions)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(positions); i = int(next.Add(1)) - 1 {
				choices[i], errs[i] = a.Choose(ctx, &states[i], rngs[i])
				mutex.Lock()
				tell(o, done, 1)
				mutex.Unlock()
			}
		})
	}
	wait.Wait()
	return choices, cmp.Or(errs...)
}

// batchSize is how many positions a batch agent is asked about at once.
const batchSize = 256

func askBatch(ctx context.Context, a agent.Batch, states []mancala.State, rngs []*rand.Rand, choices []mancala.Action, o Options, done *atomic.Int64) error {
	for first := 0; first < len(states); first += batchSize {
		end := min(first+batchSize, len(states))
		if err := a.ChooseBatch(ctx, states[first:end], rngs[first:end], choices[first:end]); err != nil {
			return err
		}
		tell(o, done, end-first)
	}
	return nil
}

// tell reports progress.
func tell(o Options, done *atomic.Int64, n int) {
	if sum := done.Add(int64(n)); o.Progress != nil {
		o.Progress(int(sum))
	}
}

// count compares choices with the best.
func count(g mancala.Game, positions []position, choices []mancala.Action) (Score, error) {
	result, margin, kept, decisive, loss := 0, 0, 0, 0, 0
	for i := range positions {
		p := &positions[i]
		at := slices.Index(p.legal, choices[i])
		if at < 0 {
			return Score{}, fmt.Errorf("chose the illegal action %d in position %q", choices[i], g.Format(&p.state))
		}
		got := p.margins[at]
		loss += p.best - got
		if got == p.best {
			margin++
		}
		same := cmp.Compare(got, 0) == cmp.Compare(p.best, 0)
		if same {
			result++
		}
		if p.decisive() {
			decisive++
			if same {
				kept++
			}
		}
	}
	n := len(positions)
	return Score{
		Result: newShare(result, n), Decisive: newShare(kept, decisive), Margin: newShare(margin, n),
		MeanLoss: float64(loss) / float64(n),
	}, nil
}

// decisive reports whether some move changes the result.
func (p *position) decisive() bool {
	return cmp.Compare(slices.Min(p.margins), 0) != cmp.Compare(p.best, 0)
}

// chances returns what a random move keeps, and in how many positions some move changes the result.
func chances(positions []position) (c Chances, decisive int) {
	for i := range positions {
		p := &positions[i]
		result, margin := 0, 0
		for _, m := range p.margins {
			if m == p.best {
				margin++
			}
			if cmp.Compare(m, 0) == cmp.Compare(p.best, 0) {
				result++
			}
		}
		share := float64(result) / float64(len(p.margins))
		c.Result += share
		c.Margin += float64(margin) / float64(len(p.margins))
		if p.decisive() {
			decisive++
			c.Decisive += share
		}
	}
	c.Result /= float64(len(positions))
	c.Margin /= float64(len(positions))
	c.Decisive /= float64(max(decisive, 1))
	return c, decisive
}
