package search

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

// BenchmarkSearch searches positions of random games without a network: what a search costs beside it.
func BenchmarkSearch(b *testing.B) {
	const simulations = 32
	for _, name := range games.Names() {
		for _, kind := range []Kind{Gumbel, PUCT} {
			b.Run(name+"/"+kind.String(), func(b *testing.B) {
				g, err := games.Open(name, "")
				if err != nil {
					b.Fatal(err)
				}
				rng := rand.New(rand.NewPCG(1, 1))
				logits := make([]float32, g.Actions()+64)
				for i := range logits {
					logits[i] = float32(rng.NormFloat64())
				}
				positions := choices(b, g, rng)
				config := Default()
				config.Kind = kind
				tree := NewTree(g, &config, sign)
				judged := 0
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					tree.Reset(&positions[i%len(positions)], simulations, rng)
					for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
						judged++
						tree.Expand(logits[judged%64:], logits[judged%64]/4)
					}
					tree.Sample(1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(judged), "ns/evaluation")
			})
		}
	}
}

// choices returns positions of some random games in which there is a choice.
func choices(b testing.TB, g mancala.Game, rng *rand.Rand) []mancala.State {
	var positions []mancala.State
	for range 20 {
		for s := g.Start(); !s.Over(); {
			legal := g.AppendLegal(nil, &s)
			if len(legal) > 1 {
				positions = append(positions, s)
			}
			if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
				b.Fatal(err)
			}
		}
	}
	return positions
}
