package nnue

import (
	"fmt"
	"testing"
)

func BenchmarkIndex(b *testing.B) {
	for _, name := range everyGame[1:3] {
		b.Run(name[0], func(b *testing.B) {
			g := open(b, name[0], name[1])
			l, err := LayoutOf(g)
			if err != nil {
				b.Fatal(err)
			}
			all := positions(b, g, 1<<12)
			var rows [MaxTables]int32
			i := 0
			for b.Loop() {
				l.Index(&all[i%(1<<12)], &rows)
				i++
			}
		})
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, name := range everyGame[1:3] {
		for _, hidden := range []int{32, 64, 96, 128} {
			b.Run(fmt.Sprintf("%s/%d", name[0], hidden), func(b *testing.B) {
				g := open(b, name[0], name[1])
				n := randomNetwork(b, g, hidden, 1)
				all := positions(b, g, 1<<12)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					n.Evaluate(&all[i%(1<<12)])
					i++
				}
			})
		}
	}
}
