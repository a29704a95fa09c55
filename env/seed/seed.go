// Package seed derives the seeds of all random generators from a run's one seed, by a stated function: each consumer names
// itself by numbers (a purpose, a stream, a game, a ply), and two different lists of numbers give unrelated generators.
package seed

import "math/rand/v2"

// A Purpose keeps the generators of different consumers apart, whatever other numbers they use.
type Purpose uint64

// The purposes. Their numbers are part of what makes a run reproducible, and never change.
const (
	Weights  Purpose = 1  // initial weights
	SelfPlay Purpose = 2  // a search in self-play: iteration-independent stream, game and ply follow
	Training Purpose = 3  // the choice of training samples: the iteration follows
	Opening  Purpose = 4  // random openings of a match: the pair follows
	Match    Purpose = 5  // an agent's choices in a match: game, seat and ply follow
	Row      Purpose = 6  // a row of a vector of games: the row follows
	Episode  Purpose = 7  // a game of a row, out of the row's seed: how many came before it follows
	Opponent Purpose = 8  // the choices of an environment's opponent: the step follows
	Seat     Purpose = 9  // the seat of a learner
	Resample Purpose = 10 // the weights of a bootstrap: the number of the fit follows
	Gate     Purpose = 11 // the match of a candidate against the network of self-play: the iteration follows
	Distill  Purpose = 12 // a game of which a network for alpha-beta learns: its number follows
	Vectors  Purpose = 13 // the positions that a network is shown for others to compare theirs with
)

// Mix returns a seed for the consumer that the purpose and the numbers name, out of the run's seed.
func Mix(run uint64, purpose Purpose, numbers ...uint64) uint64 {
	h := step(run, uint64(purpose))
	for _, n := range numbers {
		h = step(h, n)
	}
	return h
}

// Rand returns a generator for the consumer that the purpose and the numbers name.
func Rand(run uint64, purpose Purpose, numbers ...uint64) *rand.Rand {
	source := new(rand.PCG)
	Reseed(source, Mix(run, purpose, numbers...))
	return rand.New(source)
}

// Reseed puts a generator into the state that Rand gives it, without allocating.
func Reseed(source *rand.PCG, mixed uint64) { source.Seed(mixed, finish(mixed)) }

// step takes one number into a hash. It is the mixer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), a bijection of
// the hash for each number, so that lists that differ in one number never meet.
func step(h, n uint64) uint64 { return finish(h*0x9e3779b97f4a7c15 + n + 1) }

func finish(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
