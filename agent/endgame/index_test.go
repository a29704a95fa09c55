package endgame

import (
	"fmt"
	"math"
	"testing"

	"kiothi/env/mancala"
)

func TestEveryNumberIsOnePosition(t *testing.T) {
	for _, width := range []int{5, 6, 10} {
		for seeds := range 5 {
			for _, marked := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d pits, %d seeds, marked %v", width, seeds, marked), func(t *testing.T) {
					x := newIndex(width, seeds, marked)
					type board struct {
						own, enemy mancala.Row
						marks      uint32
					}
					seen := map[board]bool{}
					for n := range uint32(x.size) {
						own, enemy, marks := x.position(n)
						if got := own.Sum() + enemy.Sum(); got != seeds {
							t.Fatalf("number %d has %d seeds", n, got)
						}
						if !onSeeds(marks, own, enemy, width) || marks != 0 && !marked {
							t.Fatalf("number %d has marks %b on rows %x, %x", n, marks, own, enemy)
						}
						if got := x.rank(own, enemy, marks); got != n {
							t.Fatalf("position %d has the number %d", n, got)
						}
						seen[board{own, enemy, marks}] = true
					}
					if len(seen) != int(x.size) {
						t.Errorf("%d numbers are %d positions", x.size, len(seen))
					}
				})
			}
		}
	}
}

func TestPositionsAreCountedAsInTheLiterature(t *testing.T) {
	for _, c := range []struct {
		pits, seeds int
		marked      bool
		want        uint64
	}{
		{12, 0, false, 1},
		{12, 16, false, 13037895}, // 27 choose 11
		{12, 20, false, 84672315}, // 31 choose 11
		{20, 10, false, 20030010}, // 29 choose 9
		{1, 3, true, 2},
		{2, 2, true, 8},        // 2+0 and 0+2 with a mark or none, 1+1 with any of four sets
		{20, 5, true, 864_008}, // the sum of (20 choose k)(4 choose k-1)2^k
		{20, 60, true, math.MaxUint64},
	} {
		if got := count(c.pits, c.seeds, c.marked); got != c.want {
			t.Errorf("count(%d, %d, %v) = %d, expected %d", c.pits, c.seeds, c.marked, got, c.want)
		}
	}
}
