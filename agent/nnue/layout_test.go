package nnue

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/mancala"
)

// indexOf returns the rows and the bucket of a position.
func indexOf(t *testing.T, g mancala.Game, position string) ([]int32, int) {
	t.Helper()
	s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	l, err := LayoutOf(g)
	if err != nil {
		t.Fatal(err)
	}
	var rows [MaxTables]int32
	bucket := l.Index(&s, &rows)
	return rows[:l.Tables()], bucket
}

// pair returns the row of a column for the values of its pits.
func pair(column, own, enemy int) int32 { return int32(column*Pairs + own*Cells + enemy) }

func TestAColumnIsAPitAndTheOneThatFacesIt(t *testing.T) {
	g := open(t, "kiothi", "")
	// South's a (3, marked) faces North's J (16, marked), b (1) faces I (0), and j (0) faces A (2).
	rows, bucket := indexOf(t, g, "3,1,0,0,0,0,0,0,0,0/2,0,0,0,0,0,0,0,0,16 aJ 20-18 S sow 97")
	store, clock := int32(10*Pairs+mancala.MaxSeeds), int32(10*Pairs+StoreRows)
	want := []int32{
		pair(0, 3+16, 15+16), pair(1, 1, 0), pair(2, 0, 0), pair(3, 0, 0), pair(4, 0, 0),
		pair(5, 0, 0), pair(6, 0, 0), pair(7, 0, 0), pair(8, 0, 0), pair(9, 0, 2), store + 2, clock + 2,
	}
	if diff := cmp.Diff(want, rows); diff != "" || bucket != 22*Buckets/61 {
		t.Errorf("bucket %d, rows (-want +got):\n%s", bucket, diff)
	}
	// The same board as North sees it.
	rows, _ = indexOf(t, g, "3,1,0,0,0,0,0,0,0,0/2,0,0,0,0,0,0,0,0,16 aJ 20-18 N sow 97")
	want = []int32{
		pair(0, 2, 0), pair(1, 0, 0), pair(2, 0, 0), pair(3, 0, 0), pair(4, 0, 0),
		pair(5, 0, 0), pair(6, 0, 0), pair(7, 0, 0), pair(8, 0, 1), pair(9, 15+16, 3+16), store - 2, clock + 2,
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows of North (-want +got):\n%s", diff)
	}
}

func TestAnEmptyPitCanBeMarked(t *testing.T) {
	g := open(t, "kiothi", "wikipedia-it")
	rows, _ := indexOf(t, g, "1,0,0,0,0,0,0,0,0,0/0,1,0,0,0,0,0,0,0,0 bA 28-30 S sow 0")
	if rows[1] != pair(1, 16, 0) || rows[9] != pair(9, 0, 16) {
		t.Errorf("rows %v, want %d for column b and %d for column j", rows, pair(1, 16, 0), pair(9, 0, 16))
	}
}

func TestAHoleCanBeClosedOrHoldMoreThanCounts(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	for _, c := range []struct {
		position string
		want     []int32
	}{
		{"x,29,0,0,0,1/0,0,0,0,4,x - 7-7 S sow 0", []int32{pair(0, 31, 31), pair(1, 29, 4), pair(2, 0, 0), pair(3, 0, 0), pair(4, 0, 0), pair(5, 1, 0)}},
		{"x,29,0,0,0,1/0,0,0,0,4,x - 7-7 N sow 0", []int32{pair(0, 0, 1), pair(1, 0, 0), pair(2, 0, 0), pair(3, 0, 0), pair(4, 4, 29), pair(5, 31, 31)}},
		{"0,0,0,0,0,30/0,0,0,0,0,0 - 9-9 S sow 0", []int32{pair(0, 0, 0), pair(1, 0, 0), pair(2, 0, 0), pair(3, 0, 0), pair(4, 0, 0), pair(5, 30, 0)}},
		{"0,0,0,0,0,31/0,0,0,0,0,0 - 9-8 S sow 0", []int32{pair(0, 0, 0), pair(1, 0, 0), pair(2, 0, 0), pair(3, 0, 0), pair(4, 0, 0), pair(5, 30, 0)}},
		{"0,0,0,0,0,47/0,0,0,0,0,1 - 0-0 S sow 0", []int32{pair(0, 0, 1), pair(1, 0, 0), pair(2, 0, 0), pair(3, 0, 0), pair(4, 0, 0), pair(5, 30, 0)}},
	} {
		rows, _ := indexOf(t, g, c.position)
		if diff := cmp.Diff(c.want, rows[:6]); diff != "" {
			t.Errorf("%s: rows (-want +got):\n%s", c.position, diff)
		}
	}
}

func TestEveryPositionHasARowOfEachTable(t *testing.T) {
	for _, name := range everyGame {
		g := open(t, name[0], name[1])
		l, err := LayoutOf(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range positions(t, g, 2000) {
			var rows [MaxTables]int32
			if bucket := l.Index(&s, &rows); bucket < 0 || bucket >= Buckets {
				t.Fatalf("%s: bucket %d, want 0 to %d", g.Format(&s), bucket, Buckets-1)
			}
			for i, r := range rows[:l.Tables()] {
				if first, end := l.Bounds(i); int(r) < first || int(r) >= end {
					t.Fatalf("%s: row %d of table %d, want one from %d to %d", g.Format(&s), r, i, first, end-1)
				}
			}
		}
	}
}
