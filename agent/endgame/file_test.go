package endgame_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/env/games"
)

// saved builds a small table and returns it with the file it was written to.
func saved(t *testing.T) (*endgame.Table, string) {
	t.Helper()
	_, table := build(t, "kiothi", "mancala-world,bonus=run", 4, endgame.Options{Marked: 2})
	path := filepath.Join(t.TempDir(), "table.kend")
	if err := table.Save(path); err != nil {
		t.Fatal(err)
	}
	return table, path
}

func TestATableFromAFileIsTheOneThatWasWritten(t *testing.T) {
	table, path := saved(t)
	opened, err := endgame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if opened.Game().Name() != "kiothi" || opened.Game().Rules() != "mancala-world,bonus=run" {
		t.Errorf("the game is %s %s", opened.Game().Name(), opened.Game().Rules())
	}
	if opened.Scope() != table.Scope() || opened.Scope().Stones != 4 || opened.Positions() != table.Positions() {
		t.Errorf("it holds %+v, %d positions, expected %+v, %d", opened.Scope(), opened.Positions(), table.Scope(), table.Positions())
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		s := scatter(t, table.Game(), rng.IntN(6), rng.IntN(2) == 0, rng)
		s.Clock = uint16(rng.IntN(100))
		s.Stores = [2]uint8{uint8(rng.IntN(20)), uint8(rng.IntN(20))}
		m, ok := table.Probe(&s)
		if m2, ok2 := opened.Probe(&s); m != m2 || ok != ok2 {
			t.Fatalf("%s: %d, %v from the file, expected %d, %v", table.Game().Format(&s), m2, ok2, m, ok)
		}
	}
}

func TestTheWorkersDoNotChangeTheFile(t *testing.T) {
	var files [][]byte
	for _, workers := range []int{1, 3} {
		_, table := build(t, "rio-kadalis", "five-holes", 8, endgame.Options{Workers: workers})
		path := filepath.Join(t.TempDir(), "table")
		if err := table.Save(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("one worker and three wrote different files")
	}
}

func TestATableOfAnotherGameIsRefused(t *testing.T) {
	_, path := saved(t)
	for _, c := range []struct{ game, rules string }{{"kiothi", ""}, {"rio-kadalis", ""}} {
		g, err := games.Open(c.game, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		_, err = endgame.OpenFor(path, g)
		if err == nil || !strings.Contains(err.Error(), "is of kiothi mancala-world,bonus=run, expected "+c.game) {
			t.Errorf("for %s: %v", c.game, err)
		}
	}
	g, err := games.Open("kiothi", "mancala-world,bonus=run")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := endgame.OpenFor(path, g); err != nil {
		t.Error(err)
	}
}

func TestABadFileIsRefusedWithAReason(t *testing.T) {
	_, path := saved(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// sealed returns the file changed by edit, with a right checksum.
	sealed := func(edit func(body []byte) []byte) []byte {
		body := edit(bytes.Clone(good[:len(good)-4]))
		return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	}
	flipped := bytes.Clone(good)
	flipped[len(good)/2] ^= 4
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":         {nil, "no end-game table"},
		"another file":  {[]byte("a diary, and a long one at that"), "no end-game table"},
		"torn":          {good[:len(good)-100], "not whole"},
		"a bit flipped": {flipped, "damaged"},
		"an unknown rule set": {sealed(func(b []byte) []byte {
			return bytes.Replace(b, []byte("bonus=run"), []byte("bonus=ran"), 1)
		}), "ran"},
		"too few results": {sealed(func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"stones":4`), []byte(`"stones":5`), 1)
		}), "5 stones cannot be read"},
		"too many results": {sealed(func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"stones":4`), []byte(`"stones":3`), 1)
		}), "more follows its results"},
		"more than it can hold": {sealed(func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"stones":4`), []byte(`"stones":9`), 1)
		}), "cannot hold the"},
		"an absurd size": {sealed(func(b []byte) []byte {
			b = bytes.Replace(b, []byte(`"stones":4`), []byte(`"stones":60`), 1)
			binary.LittleEndian.PutUint32(b[12:], binary.LittleEndian.Uint32(b[12:])+1)
			return b
		}), "too many for a table"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "table")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := endgame.Open(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, expected one with %q and the path", err, c.want)
			}
		})
	}
}

func TestWhatCannotBeBuiltIsRefused(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		stones      int
		options     endgame.Options
		want        string
	}{
		{"kiothi", "", -1, endgame.Options{}, "expected 0 to 60"},
		{"rio-kadalis", "", 49, endgame.Options{}, "expected 0 to 48"},
		{"rio-kadalis", "", 8, endgame.Options{Marked: 4}, "no protected pits"},
		{"kiothi", "", 4, endgame.Options{Marked: 5}, "expected 0 to 4"},
		{"kiothi", "", 30, endgame.Options{}, "too many"},
		{"kiothi", "wikipedia-it", 4, endgame.Options{}, "protection=nki"},
	} {
		g, err := games.Open(c.game, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		_, err = endgame.Build(context.Background(), g, c.stones, c.options)
		_, estimated := endgame.Estimate(g, c.stones, c.options)
		if err == nil || estimated == nil || err.Error() != estimated.Error() || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s, %d stones, %+v: Build says %v, Estimate %v, expected %q", c.game, c.rules, c.stones, c.options, err, estimated, c.want)
		}
	}
}

func TestABuildStopsWhenItsContextEnds(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last, whole int64
	_, err = endgame.Build(ctx, g, 12, endgame.Options{Progress: func(done, total int64) {
		if done < last || done > total {
			t.Errorf("progress went from %d to %d of %d", last, done, total)
		}
		if last, whole = done, total; done > total/4 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after %d of %d, expected that the context ended", err, last, whole)
	}
}

func TestProgressEndsWhenAllIsDone(t *testing.T) {
	var last, whole int64
	build(t, "rio-kadalis", "", 8, endgame.Options{Progress: func(done, total int64) { last, whole = done, total }})
	if last != whole || last == 0 {
		t.Errorf("the last progress is %d of %d", last, whole)
	}
}
