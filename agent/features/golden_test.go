package features

import (
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

// golden holds a hash of the features of some thousand states of each rule set. When one changes, a network that learned
// on the old features plays nonsense on the new ones: then Version has to change as well.
var golden = map[string]string{
	"kiothi ":             "bc4d825caf04baf50929185bec7abf98",
	"kiothi wikipedia-it": "416f11e9d52b97326474ccfe93e10bcb",
	"kiothi mancala-world,start=3x10,lifts=0": "f29a6410291a9077e63b2bb15fb316d2",
	"rio-kadalis ":           "fdd437c696582505f7125a61da1fd5ba",
	"rio-kadalis five-holes": "d57f5bc6583c76fa680318fc0c381edd",
	"rio-kadalis clockwise":  "ddddff14a05bf499116ce421aa0df03f",
}

func TestTheEncodingIsThatOfItsVersion(t *testing.T) {
	if Version != 1 {
		t.Fatalf("the hashes are those of version 1, and this is %d", Version)
	}
	for _, r := range ruleSets {
		g, e := open(t, r.game, r.rules)
		rng := rand.New(rand.NewPCG(2, 2))
		hash := fnv.New128a()
		features, buffer := make([]float32, e.Size()), []byte(nil)
		count := 0
		add := func(s mancala.State) {
			e.Encode(features, &s)
			buffer = buffer[:0]
			for _, f := range features {
				buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(f))
			}
			hash.Write(buffer)
			count++
		}
		randomStates(t, g, 30, func(s mancala.State) {
			add(s)
			add(heaped(s, g.Width(), rng))
			if r.game == "rio-kadalis" {
				add(closed(s, g.Width(), rng))
			}
		})
		if got, want := hex.EncodeToString(hash.Sum(nil)), golden[r.game+" "+r.rules]; got != want {
			t.Errorf("%s %s: the hash of %d states is %s, want %s", r.game, r.rules, count, got, want)
		}
	}
}

// heaped returns the state with each row's seeds in one pit, whose lap may go all around.
func heaped(s mancala.State, width int, rng *rand.Rand) mancala.State {
	for side, row := range s.Rows {
		s.Rows[side] = mancala.Row(0).With(rng.IntN(width), row.Sum())
	}
	return s
}

// closed returns the state with some of its empty holes closed.
func closed(s mancala.State, width int, rng *rand.Rand) mancala.State {
	for i := range 2 * width {
		if s.Rows[i/width].At(i%width) == 0 && rng.IntN(2) == 0 {
			s.Closed |= 1 << i
		}
	}
	return s
}
