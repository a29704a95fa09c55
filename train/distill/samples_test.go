// This file checks the positions that are learned from, and their targets.

package distill

import (
	"math"
	"testing"

	"kiothi/agent/nnue"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// Each undecided sowing position is there once, seen from its player to move.
func TestSamplesAreThePositionsOfTheGames(t *testing.T) {
	g := open(t, "kiothi")
	paths := play(t, g, t.TempDir(), fewGames())
	learn, validate, err := load(g, paths)
	if err != nil {
		t.Fatal(err)
	}
	if learn.games != 7 || validate.games != 3 {
		t.Errorf("%d games to learn from and %d to validate with, want 7, and the first of each of the 3 files", learn.games, validate.games)
	}
	at := map[*samples]int{}
	for _, path := range paths {
		_, games, err := replay.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, game := range games {
			s := learn
			if i == 0 {
				s = validate
			}
			state := g.Start()
			for _, ply := range game.Plies {
				difference := int(state.Stores[0]) - int(state.Stores[1])
				if state.Phase == mancala.Sow && max(difference, -difference) <= state.OnBoard() {
					checkSample(t, s, at[s], &state, ply.Value, game)
					at[s]++
				}
				if _, err := g.Play(&state, mancala.Action(ply.Action)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if at[learn] != learn.len() || at[validate] != validate.len() {
		t.Errorf("%d and %d positions, want %d and %d", learn.len(), validate.len(), at[learn], at[validate])
	}
}

func checkSample(t *testing.T, s *samples, i int, state *mancala.State, value float32, game *replay.Game) {
	t.Helper()
	var rows [nnue.MaxTables]int32
	bucket := s.layout.Index(state, &rows)
	n := s.layout.Tables()
	for j, r := range s.rows[i*n:][:n] {
		if int32(r) != rows[j] {
			t.Fatalf("position %d: rows %v, want %v", i, s.rows[i*n:][:n], rows)
		}
	}
	own, enemy := game.Final[state.Player], game.Final[state.Player.Other()]
	want := uint8(1)
	if own > enemy {
		want = 2
	} else if own < enemy {
		want = 0
	}
	if int(s.buckets[i]) != bucket || s.values[i] != value || s.results[i] != want {
		t.Errorf("position %d: bucket %d, value %v, result %d; want %d, %v, %d", i, s.buckets[i], s.values[i], s.results[i], bucket, value, want)
	}
}

func TestTargetsMixResultAndSearch(t *testing.T) {
	s := &samples{
		buckets: []uint8{0, 0, 7, 7},
		folders: []uint8{0, 0, 0, 0},
		values:  []float32{0.1, certain, -certain, 0},
		results: []uint8{2, 0, 1, 1},
	}
	goal := target{lambda: 0.25, slopes: [][nnue.Buckets]float64{{20}}}
	for i, want := range []float64{0.25 + 0.75/(1+math.Exp(-2)), 0.75, 0.125, 0.5} {
		if got := goal.of(s, i); math.Abs(got-want) > 1e-6 {
			t.Errorf("position %d: target %v, want %v", i, got, want)
		}
	}
}

// Where results come as often as a slope says, fitting finds it again.
func TestSlopesAreFitted(t *testing.T) {
	s := &samples{}
	const slope, many = 30, 10_000
	for i := range many {
		value := 0.2 * (float64(i)/many - 0.5)
		// The share of wins among neighbours is that of the logit.
		won := uint8(0)
		if float64(i*7919%997)/997 < sigmoid(slope*value) {
			won = 2
		}
		s.buckets = append(s.buckets, 3)
		s.folders = append(s.folders, 1)
		s.values = append(s.values, float32(value))
		s.results = append(s.results, won)
	}
	goal := newTarget(s, 0)
	if math.Abs(goal.slopes[1][3]-slope) > 1.5 {
		t.Errorf("fitted a slope of %v, want about %v", goal.slopes[1][3], slope)
	}
	if goal.slopes[0][3] != firstSlope || goal.slopes[1][0] != firstSlope {
		t.Errorf("buckets without positions have slopes of %v and %v, want %v", goal.slopes[0][3], goal.slopes[1][0], float64(firstSlope))
	}
}

// A slope depends on the positions of its bucket and folder alone, to the last bit.
func TestSlopesDoNotDependOnOtherPositions(t *testing.T) {
	fill := func(folder, bucket uint8, s *samples, i int) {
		s.buckets, s.folders = append(s.buckets, bucket), append(s.folders, folder)
		s.values = append(s.values, float32(i*31%17-8)/100)
		s.results = append(s.results, uint8(i*13%3))
	}
	mixed, alone := &samples{}, &samples{}
	for i := range 3000 {
		folder, bucket := uint8(i%2), uint8(i/2%nnue.Buckets)
		fill(folder, bucket, mixed, i)
		if folder == 1 && bucket == 5 {
			fill(folder, bucket, alone, i)
		}
	}
	if got, want := newTarget(mixed, 0).slopes[1][5], newTarget(alone, 0).slopes[1][5]; got != want || want == firstSlope {
		t.Errorf("the slope is %v among others, %v alone; want the same, and fitted", got, want)
	}
	if firstSlope != 16 {
		t.Errorf("the first guess is %v, want 16, with which the networks of experiments/nnue.md were learned", float64(firstSlope))
	}
}
