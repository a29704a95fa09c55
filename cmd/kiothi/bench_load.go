package main

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"kiothi/agent/blas"
	"kiothi/agent/bot"
	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/agent/zero"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file sets a network to work, and compares it with its bare matrix products.

// A load is work that a network does, batch by batch.
type load struct {
	batch    int              // rows of a call
	products []product        // of a call
	sharing  int              // goroutines that share each product
	calls    []func() error   // done side by side, each by a goroutine
	trainer  *network.Trainer // of training steps, to be closed; nil of evaluations
}

// A product is a matrix product [m, k] by [k, n], and how often a call computes it.
type product struct{ m, n, k, times int }

// flop returns the multiplications and additions of a product, all its times together.
func (p product) flop() float64 {
	return 2 * float64(p.m) * float64(p.n) * float64(p.k) * float64(p.times)
}

// add counts a product of a call.
func (l *load) add(m, n, k int) {
	for i := range l.products {
		if p := &l.products[i]; p.m == m && p.n == n && p.k == k {
			p.times++
			return
		}
	}
	l.products = append(l.products, product{m, n, k, 1})
}

// newForward returns evaluations of full batches on Gorgonia, by some workers with a network's graph each.
func newForward(g mancala.Game, w *network.Weights, batch, workers int) (*load, error) {
	l := &load{batch: batch, sharing: 1}
	for _, p := range w.Config().Products() {
		l.add(batch, p.Out, p.In)
	}
	positions := randomPositions(g, batch, seed.Rand(1, seed.Opening))
	for range workers {
		inference, err := network.NewInference(w, batch)
		if err != nil {
			return nil, err
		}
		e, err := zero.NewEvaluator(g, inference, margin.Utility{})
		if err != nil {
			return nil, err
		}
		for i := range positions {
			e.Put(i, &positions[i])
		}
		l.calls = append(l.calls, func() error { return e.Evaluate(batch) })
	}
	return l, nil
}

// newPlaying returns evaluations of full batches as players make them, features and legal actions included, by some
// workers that share a network. It counts no products: zeros are not multiplied.
func newPlaying(g mancala.Game, w *network.Weights, batch, workers int) (*load, error) {
	l := &load{batch: batch, sharing: 1}
	positions := randomPositions(g, batch, seed.Rand(1, seed.Opening))
	shared := bot.NewNetwork(w)
	for range workers {
		inference, err := bot.NewInference(shared, batch)
		if err != nil {
			return nil, err
		}
		e, err := zero.NewEvaluator(g, inference, margin.Utility{})
		if err != nil {
			return nil, err
		}
		l.calls = append(l.calls, func() error {
			for i := range positions {
				e.Put(i, &positions[i])
			}
			return e.Evaluate(batch)
		})
	}
	return l, nil
}

// newTraining returns training steps on one batch, whose products some workers share. It leaves the weights as they are.
func newTraining(g mancala.Game, w *network.Weights, batch, workers int) (*load, error) {
	l := &load{batch: batch, sharing: workers}
	for i, p := range w.Config().Products() {
		l.add(batch, p.Out, p.In) // forward
		l.add(p.In, p.Out, batch) // gradient of the weights
		if i > 0 {
			l.add(batch, p.In, p.Out) // gradient of what went in
		}
	}
	c := network.DefaultOptimizerConfig()
	c.Workers = workers
	t, err := network.NewTrainer(w.Clone(), c, batch)
	if err != nil {
		return nil, err
	}
	l.trainer = t
	if err := fillBatch(g, t); err != nil {
		return nil, errors.Join(err, l.close())
	}
	l.calls = append(l.calls, func() error {
		_, err := t.Step(1e-4)
		return err
	})
	return l, nil
}

// fillBatch fills a trainer's batch with positions of random games: all legal actions as good, and every game a draw.
func fillBatch(g mancala.Game, t *network.Trainer) error {
	encoder, err := features.New(g)
	if err != nil {
		return err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return err
	}
	positions := randomPositions(g, t.Batch(), seed.Rand(1, seed.Opening))
	var legal []mancala.Action
	for i := range positions {
		encoder.Encode(t.Input(i), &positions[i])
		legal = g.AppendLegal(legal[:0], &positions[i])
		for _, action := range legal {
			t.Mask(i)[action] = 1
			t.PolicyTarget(i)[action] = 1 / float32(len(legal))
		}
		scale.Add(t.MarginTarget(i), 0, 1)
	}
	return nil
}

// close releases the trainer's graphs.
func (l *load) close() error {
	if l.trainer == nil {
		return nil
	}
	return l.trainer.Close()
}

// loadRates is how fast a load is done, by all workers together.
type loadRates struct {
	product float64 // FLOP a second of the bare products
	rows    float64 // rows a second
	share   float64 // of the products' rate that the load reaches
	beside  float64 // rows a second of the load beside it
}

// compare measures the load, its bare products and, unless it is nil, another load in turn, and closes the loads.
func (l *load) compare(ctx context.Context, timing *benchTiming, beside *load) (rates loadRates, err error) {
	loads := []*load{l}
	if beside != nil {
		loads = append(loads, beside)
	}
	for _, each := range loads {
		defer func() { err = errors.Join(err, each.close()) }()
	}
	for _, each := range loads {
		if _, err := each.rate(ctx, 1); err != nil { // the first call also pays for page faults
			return rates, err
		}
	}
	flop := 0.0
	for _, p := range l.products {
		flop += p.flop() / float64(l.batch)
	}
	var products, shares []float64
	rows := make([][]float64, len(loads))
	for run := range timing.runs {
		bare := l.productRate(timing.length)
		for i, each := range loads {
			done, err := each.rate(ctx, timing.length)
			if err != nil {
				return rates, err
			}
			rows[i] = append(rows[i], done)
		}
		products, shares = append(products, bare), append(shares, rows[0][run]*flop/bare)
	}
	rates = loadRates{product: median(products), rows: median(rows[0]), share: median(shares)}
	if beside != nil {
		rates.beside = median(rows[1])
	}
	return rates, nil
}

// rate returns the rows a second that the workers do together. It fails when ctx ends before.
func (l *load) rate(ctx context.Context, length time.Duration) (float64, error) {
	errs := make([]error, len(l.calls))
	rows := sideBySide(len(l.calls), func(worker int) float64 {
		n := 0
		start := time.Now()
		for errs[worker] == nil && (n == 0 || time.Since(start) < length) {
			errs[worker] = cmp.Or(ctx.Err(), l.calls[worker]())
			n += l.batch
		}
		return float64(n) / time.Since(start).Seconds()
	})
	return rows, errors.Join(errs...)
}

// productRate returns the FLOP a second of the bare products, each as often as in a call, of as many workers.
func (l *load) productRate(length time.Duration) float64 {
	return sideBySide(len(l.calls), func(int) float64 {
		flop, seconds := 0.0, 0.0
		for _, p := range l.products {
			flop += p.flop()
			seconds += p.flop() / (1e9 * blas.PeakRate(p.m, p.n, p.k, l.sharing, length/time.Duration(len(l.products))))
		}
		return flop / seconds
	})
}

// sideBySide runs a measurement in some goroutines at once and returns the sum of their rates.
func sideBySide(workers int, rate func(worker int) float64) float64 {
	rates := make([]float64, workers)
	var group sync.WaitGroup
	for i := range rates {
		group.Go(func() { rates[i] = rate(i) })
	}
	group.Wait()
	sum := 0.0
	for _, r := range rates {
		sum += r
	}
	return sum
}
