// This file reads the positions of games into memory, ready to be learned from.

package distill

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"kiothi/agent/nnue"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// samples are sowing positions with what is known of them. Those that are decided, because no seed that is left can change
// the winner, are not among them: a search knows them without the network.
type samples struct {
	layout  nnue.Layout
	rows    []uint16  // [positions, Layout.Tables()]
	buckets []uint8   // [positions]
	folders []uint8   // [positions]: which folder of games the position is from
	values  []float32 // [positions]: of the search, as recorded: see valueOf
	results []uint8   // [positions]: of the game for the player to move, in half points
	games   int
}

// len returns the number of positions.
func (s *samples) len() int { return len(s.buckets) }

// validateEvery makes one game in so many a game to validate with.
const validateEvery = 20

// load reads the positions of files of games, those to learn from and those to validate with.
func load(g mancala.Game, paths []string) (learn, validate *samples, err error) {
	l, err := nnue.LayoutOf(g)
	if err != nil {
		return nil, nil, err
	}
	learn, validate = &samples{layout: l}, &samples{layout: l}
	var folders []string
	for _, path := range paths {
		folder := slices.Index(folders, filepath.Dir(path))
		if folder < 0 {
			folder = len(folders)
			folders = append(folders, filepath.Dir(path))
		}
		if folder > math.MaxUint8 {
			return nil, nil, fmt.Errorf("found games in more than %d folders: put some together", math.MaxUint8+1)
		}
		header, games, err := replay.ReadFile(path)
		if damaged, ok := errors.AsType[*replay.DamageError](err); ok {
			return nil, nil, fmt.Errorf("%s is damaged at byte %d: %s: repeat the command that played the games, which plays those again that are lost, or remove the file",
				path, damaged.Offset, damaged.Reason)
		}
		if err != nil {
			return nil, nil, err
		}
		if want := replay.HeaderOf(g); header != want {
			return nil, nil, fmt.Errorf("%s: found games of %s under %s, expected %s under %s", path, header.Game, header.Rules, want.Game, want.Rules)
		}
		for i, record := range games {
			into := learn
			if i%validateEvery == 0 {
				into = validate
			}
			if err := into.add(g, record, uint8(folder)); err != nil {
				return nil, nil, fmt.Errorf("%s: game %s: %w", path, record.ID, err)
			}
		}
	}
	if learn.len() == 0 || validate.len() == 0 {
		return nil, nil, fmt.Errorf("found %d positions to learn from and %d to validate with, expected some of both: play more games", learn.len(), validate.len())
	}
	return learn, validate, nil
}

// add takes the positions of a game.
func (s *samples) add(g mancala.Game, record *replay.Game, folder uint8) error {
	if record.End == mancala.Running {
		return fmt.Errorf("it is not over")
	}
	south := 1 // half points
	switch {
	case record.Final[0] > record.Final[1]:
		south = 2
	case record.Final[0] < record.Final[1]:
		south = 0
	}
	state := g.Start()
	for _, ply := range record.Plies {
		if state.Phase == mancala.Sow && !decided(&state) {
			var rows [nnue.MaxTables]int32
			bucket := s.layout.Index(&state, &rows)
			for _, r := range rows[:s.layout.Tables()] {
				s.rows = append(s.rows, uint16(r))
			}
			result := south
			if state.Player == mancala.North {
				result = 2 - south
			}
			s.buckets = append(s.buckets, uint8(bucket))
			s.folders = append(s.folders, folder)
			s.values = append(s.values, ply.Value)
			s.results = append(s.results, uint8(result))
		}
		if _, err := g.Play(&state, mancala.Action(ply.Action)); err != nil {
			return err
		}
	}
	s.games++
	return nil
}

// decided reports whether no seed that is left can change who wins.
func decided(s *mancala.State) bool {
	difference := int(s.Stores[0]) - int(s.Stores[1])
	return max(difference, -difference) > s.OnBoard()
}

// fill copies positions into a batch, with their targets.
func (s *samples) fill(b *batch, positions []int32, t *target) {
	n := s.layout.Tables()
	for i, p := range positions {
		for j, r := range s.rows[int(p)*n:][:n] {
			b.rows[i*n+j] = int32(r)
		}
		b.buckets[i] = s.buckets[p]
		b.targets[i] = float32(t.of(s, int(p)))
	}
}

// A target says what a position's expected result should be: a mixture of how its game ended and what the search saw.
type target struct {
	lambda float64                 // the part of the game's result
	slopes [][nnue.Buckets]float64 // logit of the result for a value of 1, by folder and bucket
}

// of returns the target of a position.
func (t *target) of(s *samples, position int) float64 {
	return t.lambda*result(s, position) + (1-t.lambda)*t.search(s, position)
}

// result returns how the game of a position ended for the player to move, 0 to 1.
func result(s *samples, position int) float64 { return float64(s.results[position]) / 2 }

// search returns the result that a search expects of a position.
func (t *target) search(s *samples, position int) float64 {
	switch value := s.values[position]; value {
	case certain:
		return 1
	case -certain:
		return 0
	default:
		return sigmoid(float64(value) * t.slopes[s.folders[position]][s.buckets[position]])
	}
}

// newTarget fits the slopes to samples: the logit that predicts results best from what the search says. Each folder has slopes
// of its own, for another player means something else by its scores.
func newTarget(s *samples, lambda float64) *target {
	t := &target{lambda: lambda}
	groups := s.groups()
	for folder := range groups {
		var slopes [nnue.Buckets]float64
		for bucket, positions := range groups[folder] {
			slopes[bucket] = s.slope(positions)
		}
		t.slopes = append(t.slopes, slopes)
	}
	return t
}

// groups returns the positions with a value that is not certain by folder and bucket, in order.
func (s *samples) groups() [][nnue.Buckets][]int32 {
	groups := make([][nnue.Buckets][]int32, int(slices.Max(s.folders))+1)
	for i, value := range s.values {
		if value != certain && value != -certain {
			of := &groups[s.folders[i]][s.buckets[i]]
			*of = append(*of, int32(i))
		}
	}
	return groups
}

// The first guess of a slope, and its bounds: one seed is worth a logit of 0.16 at first, and a hundredth to ten.
const (
	firstSlope            = 0.16 * scoreUnit
	leastSlope, mostSlope = 0.01 * scoreUnit, 10 * scoreUnit
)

// slope fits the slope of some positions, by Newton's method.
func (s *samples) slope(positions []int32) float64 {
	k := float64(firstSlope)
	for range 20 {
		var first, second float64 // derivatives of the cross-entropy
		for _, i := range positions {
			x := float64(s.values[i])
			p := sigmoid(k * x)
			first += x * (p - result(s, int(i)))
			second += x * x * p * (1 - p)
		}
		if second == 0 {
			return k // no positions, or nothing to learn from them
		}
		next := min(max(k-first/second, leastSlope), mostSlope)
		if math.Abs(next-k) < 1e-6*k {
			return next
		}
		k = next
	}
	return k
}
