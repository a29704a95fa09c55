// This file is learning as a whole: epochs, their metrics, and what is kept so that a stopped run goes on.

package distill

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"kiothi/agent/folders"
	"kiothi/agent/network"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// LearnOptions say how a network is learned. All but Workers and the functions decide what it is.
type LearnOptions struct {
	Hidden  int     `json:"hidden"`  // width of the first layer
	Lambda  float64 `json:"lambda"`  // part of the game's result in the target, 0 to 1; the rest is what the search says
	Epochs  int     `json:"epochs"`  // times that each position is seen
	Batch   int     `json:"batch"`   // positions a step
	Rate    float64 `json:"rate"`    // learning rate at the beginning; it falls to a hundredth of that, by half a cosine
	Decay   float64 `json:"decay"`   // decoupled weight decay of the tables
	Factors bool    `json:"factors"` // whether rows share what is known of single pits
	Seed    uint64  `json:"seed"`
	Init    string  `json:"init,omitempty"` // folder of a run with whose weights to begin, "" for random ones

	Workers int `json:"-"` // 0 means one a processor
	// Progress, when set, is called with the number of epochs' steps done so far, and of all.
	Progress func(done, total int) `json:"-"`
	// OnEpoch, when set, is called after each epoch, with the network so far, before the epoch counts as done: one that
	// it fails for is learned again by a run that goes on.
	OnEpoch func(Metrics, *nnue.Float) error `json:"-"`
	// OnRestore, when set, is called with the last epoch that is done, and its network, when a run goes on or is complete.
	OnRestore func(Metrics, *nnue.Float) error `json:"-"`
}

// DefaultLearnOptions suit some million positions: see experiments/nnue.md.
func DefaultLearnOptions() LearnOptions {
	return LearnOptions{Hidden: 64, Lambda: 0.1, Epochs: 5, Batch: 4096, Rate: 2e-3, Decay: 0.1, Factors: true, Seed: 1}
}

// The bounds of what can be asked for, far above what is of use.
const (
	maxEpochs = 1_000_000
	maxBatch  = 1 << 18
)

// Validate refuses what cannot be learned.
func (o *LearnOptions) Validate() error {
	switch {
	case o.Hidden < nnue.HiddenStep || o.Hidden > nnue.MaxHidden || o.Hidden%nnue.HiddenStep != 0:
		return fmt.Errorf("hidden: found %d, expected a multiple of %d up to %d", o.Hidden, nnue.HiddenStep, nnue.MaxHidden)
	case !(o.Rate > 0 && o.Rate < 1):
		return fmt.Errorf("rate: found %v, expected more than 0 and less than 1", o.Rate)
	case !(o.Decay >= 0 && o.Decay*o.Rate < 1):
		return fmt.Errorf("decay: found %v, expected 0 or more, and less than 1 in a step, which is less than %v with the rate %v", o.Decay, 1/o.Rate, o.Rate)
	}
	return cmp.Or(part("lambda", o.Lambda), whole("epochs", o.Epochs, 1, maxEpochs), whole("batch", o.Batch, 1, maxBatch),
		whole("workers", o.Workers, 0, maxWorkers))
}

func (o *LearnOptions) workers() int {
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// Metrics are what an epoch showed. Losses are cross-entropies in nats.
type Metrics struct {
	Epoch              int     `json:"epoch"`   // the first is 1
	Seconds            float64 `json:"seconds"` // of the epoch
	Games              int     `json:"games"`
	Positions          int     `json:"positions"` // of an epoch
	PositionsPerSecond float64 `json:"positions_per_second"`
	Rate               float64 `json:"rate"` // learning rate of the last step
	Loss               float64 `json:"loss"` // of the steps, against the target

	Validation Validation `json:"validation"`
}

// Learn learns a network from files of games. It keeps its state in a folder after every epoch, from where a stopped run goes
// on; when ctx ends, its error comes back. A folder that another call works in, or that holds anything but such a state, is refused.
func Learn(ctx context.Context, g mancala.Game, paths []string, dir string, o LearnOptions) (*nnue.Float, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	held, err := enter(dir, folders.Network)
	if err != nil {
		return nil, fmt.Errorf("learning: %w", err)
	}
	defer held.Close()
	learn, validate, err := load(g, paths)
	if err != nil {
		return nil, fmt.Errorf("learning: %w", err)
	}
	keep := newKeeper(dir, paths, learn, &o)
	o.Batch = min(o.Batch, learn.len())
	t, err := newLearner(g, &o, seed.Rand(o.Seed, seed.Weights))
	if err != nil {
		return nil, fmt.Errorf("learning: %w", err)
	}
	defer t.close()
	epoch, err := keep.restore(t)
	if err != nil {
		return nil, fmt.Errorf("learning: %w", err)
	}
	if epoch > 0 && o.OnRestore != nil {
		f, err := t.float()
		if err != nil {
			return nil, err
		}
		if err := o.OnRestore(keep.metrics[epoch-1], f); err != nil {
			return nil, err
		}
	}
	goal := newTarget(learn, o.Lambda)
	for ; epoch < o.Epochs; epoch++ {
		m, err := t.epoch(ctx, epoch, learn, goal)
		if err != nil {
			return nil, err
		}
		f, err := t.float()
		if err != nil {
			return nil, err
		}
		m.Validation = validate.judge(f, goal, o.workers())
		if o.OnEpoch != nil {
			if err := o.OnEpoch(m, f); err != nil {
				return nil, err
			}
		}
		if err := keep.save(t, m); err != nil {
			return nil, fmt.Errorf("learning: %w", err)
		}
	}
	return t.float()
}

// epoch learns from all positions once, in an order of its own. The few that are too many for whole batches are left out.
func (t *learner) epoch(ctx context.Context, epoch int, s *samples, goal *target) (Metrics, error) {
	began := time.Now()
	order := permutation(s.len(), seed.Rand(t.options.Seed, seed.Training, uint64(epoch)))
	steps := s.len() / t.options.Batch
	schedule := network.Schedule{Kind: network.Cosine, Rate: t.options.Rate, Final: t.options.Rate / 100, Warmup: min(100, steps), Steps: steps * t.options.Epochs}
	m := Metrics{Epoch: epoch + 1, Games: s.games, Positions: steps * t.options.Batch}
	sum := 0.0
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return m, fmt.Errorf("learning was stopped: %w", err)
		}
		s.fill(t.batch, order[i*t.options.Batch:][:t.options.Batch], goal)
		m.Rate = schedule.At(t.steps)
		loss, err := t.step(m.Rate)
		if err != nil {
			return m, err
		}
		sum += loss
		if t.options.Progress != nil {
			t.options.Progress(epoch*steps+i+1, t.options.Epochs*steps)
		}
	}
	m.Loss = sum / float64(steps)
	m.Seconds = time.Since(began).Seconds()
	m.PositionsPerSecond = float64(m.Positions) / m.Seconds
	return m, nil
}

// permutation returns the numbers 0 to n-1 in random order.
func permutation(n int, rng *rand.Rand) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}
