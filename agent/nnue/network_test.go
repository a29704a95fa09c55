package nnue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// reference computes what the package promises, number by number.
func reference(n *Network, rows []int32, bucket int) int32 {
	hidden := make([]int64, n.hidden)
	for j := range hidden {
		for _, r := range rows {
			hidden[j] += int64(n.tables[int(r)*n.hidden+j])
		}
		hidden[j] = min(max(hidden[j]>>n.shift, 0), 127)
	}
	out := int64(n.last[bucket])
	for i := range Dense {
		sum := int64(n.bias[bucket*Dense+i])
		for j, x := range hidden {
			sum += x * int64(n.dense[denseIndex(n.hidden, bucket, j, i)])
		}
		out += min(max(sum>>6, 0), 2047) * int64(n.output[bucket*Dense+i])
	}
	return int32(out >> 7)
}

// compare expects that assembly and plain Go agree with the reference.
func compare(t *testing.T, n *Network, rows []int32, bucket int) {
	t.Helper()
	want := reference(n, rows, bucket)
	if got := n.evaluateVector(rows, bucket); got != want {
		t.Fatalf("%s, %d units: assembly gives %d, want %d", n.game, n.hidden, got, want)
	}
	if got := n.evaluateGo(rows, bucket); got != want {
		t.Fatalf("%s, %d units: plain Go gives %d, want %d", n.game, n.hidden, got, want)
	}
}

func TestAssemblyAndPlainGoGiveTheBitsOfTheReference(t *testing.T) {
	for _, name := range everyGame {
		g := open(t, name[0], name[1])
		all := positions(t, g, 300)
		for _, hidden := range []int{64, 128} {
			n := randomNetwork(t, g, hidden, uint64(hidden))
			n.lanes = n.newLanes()
			for i := range all {
				var rows [MaxTables]int32
				bucket := n.layout.Index(&all[i], &rows)
				compare(t, n, rows[:n.layout.Tables()], bucket)
			}
		}
	}
}

// TestTheBitsAgreeAtTheExtremes takes the largest parameters that check lets pass, in all combinations of their signs, where
// sums saturate or come as near to overflowing as they can.
func TestTheBitsAgreeAtTheExtremes(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes") // whose tables are small
	for _, hidden := range []int{64, 128} {
		for signs := range 16 {
			sign := func(bit int) int { return 1 - 2*(signs>>bit&1) }
			for _, shift := range []uint{0, maxShift} {
				n := randomNetwork(t, g, hidden, 1)
				n.shift = shift
				rng := rand.New(rand.NewPCG(uint64(signs), uint64(shift)))
				for i := range n.tables {
					n.tables[i] = int16(sign(0) * (math.MaxInt16 / MaxTables))
					if rng.IntN(4) == 0 {
						n.tables[i] = -n.tables[i]
					}
				}
				for i := range n.dense {
					n.dense[i] = int8(sign(1) * 127)
				}
				for i := range n.bias {
					n.bias[i] = int32(sign(2) * maxBias)
					n.output[i] = int16(sign(3)*math.MaxInt16 - signs&1)
				}
				for i := range n.last {
					n.last[i] = int32(sign(3) * maxBias)
				}
				if signs&2 != 0 { // without the bias it is the weights that count
					clear(n.bias)
				}
				if err := n.check(); err != nil {
					t.Fatal(err)
				}
				n.lanes = n.newLanes()
				for range 20 {
					rows := make([]int32, n.layout.Tables())
					for i := range rows {
						first, end := n.layout.Bounds(i)
						rows[i] = int32(first + rng.IntN(end-first))
					}
					compare(t, n, rows, rng.IntN(Buckets))
				}
			}
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	g := open(t, "kiothi", "")
	s := positions(t, g, 1)[0]
	n := randomNetwork(t, g, 64, 1)
	if count := testing.AllocsPerRun(100, func() { n.Evaluate(&s) }); count != 0 {
		t.Errorf("%v allocations, want none", count)
	}
}

func TestNetworkSeesThePositionFromTheChairOfThePlayerToMove(t *testing.T) {
	for _, name := range everyGame {
		g := open(t, name[0], name[1])
		n := randomNetwork(t, g, 64, 5)
		for _, s := range positions(t, g, 500) {
			swapped := s.Swapped(g.Width())
			if got, want := n.Evaluate(&swapped), n.Evaluate(&s); got != want {
				t.Fatalf("%s: %d, and %d with the sides changed", g.Format(&s), want, got)
			}
		}
	}
}

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
		for _, hidden := range []int{64, 128} {
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
