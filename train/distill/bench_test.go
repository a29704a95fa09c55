// This file measures a step of learning.

package distill

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkStep(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			o := DefaultLearnOptions()
			o.Workers = workers
			rng := rand.New(rand.NewPCG(1, 2))
			t, err := newLearner(open(b, "kiothi"), &o, rng)
			if err != nil {
				b.Fatal(err)
			}
			defer t.close()
			fillBatch(t.batch, t.layout, rng)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := t.step(1e-3); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(o.Batch)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
