// Package fit fits the linear evaluation of alpha-beta to games that it plays against itself.
package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"kiothi/agent/alphabeta"
	"kiothi/agent/scripted"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file fits the evaluation's weights to self-play: linear least squares on the final margin.

// Options say how the weights are fitted.
type Options struct {
	Rounds  int     // each plays with the weights that the one before it fitted, the first with the stores alone
	Games   int     // a round
	Depth   int     // of the search that plays
	Random  float64 // share of moves that are random, for varied positions
	Seed    uint64
	Workers int // 0 means one a processor; the result does not depend on it
	// Progress, when set, is called with the number of games played so far, by one goroutine at a time.
	Progress func(done int)
}

// Validate refuses what cannot be fitted.
func (o *Options) Validate() error {
	switch {
	case o.Rounds < 1 || o.Games < 1 || o.Workers < 0:
		return fmt.Errorf("%d rounds of %d games by %d workers, expected positive numbers, or 0 workers for the default", o.Rounds, o.Games, o.Workers)
	case o.Depth < 1 || o.Depth > alphabeta.MaxDepth:
		return fmt.Errorf("a depth of %d, expected 1 to %d", o.Depth, alphabeta.MaxDepth)
	case !(o.Random >= 0 && o.Random <= 1):
		return fmt.Errorf("a share of %v random moves, expected 0 to 1", o.Random)
	}
	return nil
}

// A Report says how well the weights of a round predict the final margin of its games.
type Report struct {
	Positions int
	Deviation float64 // of the final margin around its prediction, in seeds (root mean square)
	Stores    float64 // the same around the current difference of the stores, for comparison
}

// ridge is the weight of the pull of all weights towards zero, in positions. It keeps terms that hardly occur in bounds.
const ridge = 10

// unknowns is the number of weights: each term on an empty board and on a full one.
const unknowns = 2 * alphabeta.MaxTerms

// sums are what least squares needs to know of some positions. They are whole numbers, so that they do not depend on the
// order in which games end: an input is a term times the seeds on the board, or times those that are not.
type sums struct {
	products    [unknowns][unknowns]int64 // of the inputs; the upper triangle
	margins     [unknowns]int64           // of the inputs and the final margin
	square      int64                     // of the final margin
	unexplained int64                     // square of the final margin less the stores' difference
	positions   int
}

// Weights fits the weights of a game's evaluation. It returns a report for each round.
func Weights(ctx context.Context, g mancala.Game, o Options) (*alphabeta.Weights, []Report, error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	names, err := alphabeta.TermNames(g)
	if err != nil {
		return nil, nil, err
	}
	w := &alphabeta.Weights{Terms: map[string][2]float64{}}
	for _, name := range names {
		w.Terms[name] = [2]float64{}
	}
	w.Terms[names[0]] = [2]float64{1, 1}
	var reports []Report
	for round := range o.Rounds {
		total, err := playRound(ctx, g, &o, w, round)
		if err != nil {
			return nil, nil, err
		}
		solution, report, err := total.solve(g.Seeds())
		if err != nil {
			return nil, nil, err
		}
		w = &alphabeta.Weights{Terms: map[string][2]float64{}}
		for i, name := range names {
			w.Terms[name] = [2]float64{rounded(solution[2*i]), rounded(solution[2*i+1])}
		}
		reports = append(reports, report)
	}
	w.Fit = fmt.Sprintf("%d rounds of %d games at depth %d, %v of the moves random, seed %d", o.Rounds, o.Games, o.Depth, o.Random, o.Seed)
	return w, reports, nil
}

// rounded returns a number with four digits after the point, so that the file of weights can be read.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// playRound plays the games of a round, and sums their positions up.
func playRound(ctx context.Context, g mancala.Game, o *Options, w *alphabeta.Weights, round int) (*sums, error) {
	p, err := alphabeta.NewWithWeights(g, alphabeta.Config{Limits: alphabeta.Limits{Depth: o.Depth}, Hash: 1}, w)
	if err != nil {
		return nil, err
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx) // one error ends all workers
	defer cancel()
	parts := make([]sums, workers)
	var next atomic.Int64
	var group sync.WaitGroup
	var mutex sync.Mutex // of the next two
	var failed error
	done := round * o.Games
	for worker := range workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < o.Games && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				err := playGame(ctx, g, p, seed.Rand(o.Seed, seed.SelfPlay, uint64(round), uint64(i)), o.Random, &parts[worker])
				mutex.Lock()
				if err != nil {
					failed = cmp.Or(failed, err)
					cancel()
				} else if done++; o.Progress != nil {
					o.Progress(done)
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if err := cmp.Or(failed, ctx.Err()); err != nil {
		return nil, err
	}
	total := new(sums)
	for i := range parts {
		total.join(&parts[i])
	}
	return total, nil
}

// playGame plays a game against itself from a random opening (see Player.DrawTurn) and adds its positions up.
func playGame(ctx context.Context, g mancala.Game, p *alphabeta.Player, rng *rand.Rand, random float64, into *sums) error {
	s := g.Start()
	for s.Opening > 0 && !s.Over() {
		turn := p.DrawTurn(ctx, &s, rng, false)
		if rng.IntN(2) == 0 {
			turn = p.PolishTurn(ctx, &s, turn, rng)
		}
		for _, a := range turn {
			if _, err := g.Play(&s, a); err != nil {
				return err
			}
		}
	}
	type point struct {
		terms  alphabeta.Terms
		board  int
		player mancala.Player
	}
	var points []point
	anyone := scripted.Random{Game: g}
	for !s.Over() {
		at := point{board: s.OnBoard(), player: s.Player}
		p.Terms(&s, &at.terms)
		points = append(points, at)
		choose := p.Choose
		if rng.Float64() < random {
			choose = anyone.Choose
		}
		a, err := choose(ctx, &s, rng)
		if err != nil {
			return err
		}
		if _, err := g.Play(&s, a); err != nil {
			return err
		}
	}
	for i := range points {
		at := &points[i]
		into.add(&at.terms, at.board, g.Seeds()-at.board, mancala.Margin(g, &s, at.player))
	}
	return nil
}

// add takes a position into account: its terms, the seeds that are on the board and those that are not, and the margin.
func (t *sums) add(v *alphabeta.Terms, board, gone, margin int) {
	var input [unknowns]int64
	for i, x := range v {
		input[2*i], input[2*i+1] = int64(x)*int64(gone), int64(x)*int64(board)
	}
	for i, x := range input {
		if x == 0 {
			continue
		}
		for j, y := range input[i:] {
			t.products[i][i+j] += x * y
		}
		t.margins[i] += x * int64(margin)
	}
	t.square += int64(margin) * int64(margin)
	d := int64(margin) - int64(v[0])
	t.unexplained += d * d
	t.positions++
}

// join takes other positions into account.
func (t *sums) join(o *sums) {
	for i := range t.products {
		for j := range t.products[i] {
			t.products[i][j] += o.products[i][j]
		}
		t.margins[i] += o.margins[i]
	}
	t.square += o.square
	t.unexplained += o.unexplained
	t.positions += o.positions
}

// solve returns the weights that predict the final margin with the least mean square error, in a game of so many seeds.
func (t *sums) solve(seeds int) ([unknowns]float64, Report, error) {
	full := float64(seeds)
	matrix := mat.NewSymDense(unknowns, nil)
	margins := mat.NewVecDense(unknowns, nil)
	for i := range unknowns {
		for j := i; j < unknowns; j++ {
			matrix.SetSym(i, j, float64(t.products[i][j])/(full*full))
		}
		matrix.SetSym(i, i, matrix.At(i, i)+ridge)
		margins.SetVec(i, float64(t.margins[i])/full)
	}
	var factors mat.Cholesky
	var solution, product mat.VecDense
	var weights [unknowns]float64
	if !factors.Factorize(matrix) {
		return weights, Report{}, fmt.Errorf("the weights cannot be fitted: the positions of %d turns do not tell the terms apart", t.positions)
	}
	if err := factors.SolveVecTo(&solution, margins); err != nil {
		return weights, Report{}, fmt.Errorf("the weights cannot be fitted: %w", err)
	}
	// |y - Xw|² = y·y - 2 w·Xᵀy + w·XᵀXw, where the matrix is XᵀX and the ridge.
	product.MulVec(matrix, &solution)
	norm := mat.Dot(&solution, &solution)
	errorSquare := float64(t.square) - 2*mat.Dot(&solution, margins) + mat.Dot(&solution, &product) - ridge*norm
	for i := range weights {
		weights[i] = solution.AtVec(i)
	}
	n := float64(t.positions)
	return weights, Report{
		Positions: t.positions, Deviation: math.Sqrt(max(errorSquare, 0) / n), Stores: math.Sqrt(float64(t.unexplained) / n),
	}, nil
}
