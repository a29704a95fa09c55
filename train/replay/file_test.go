package replay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kiothi/env/mancala"
)

// exact compares games bit for bit.
var exact = cmp.Options{
	cmp.AllowUnexported(Game{}, Ply{}),
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }),
}

// someGames returns finished and unfinished games with the extremes of every field.
func someGames(t testing.TB) []*Game {
	list := append(games(t, 0, 20), play(t, 21, 0), play(t, 22, 4))
	list[1].ID = ID{math.MaxUint64, math.MaxUint64}
	list[1].Seed = math.MaxUint64
	list[2].Start = "1,0,0/0,0,1 - 5-7 S sow 0"
	list[3].Plies[0].Value = float32(math.Copysign(0, -1))
	wide := &Game{}
	legal := []mancala.Action{0, 1, 300, 65534, 65535}
	if err := wide.Append(65535, 1, Random, legal, []float32{0.1, 0.2, 0.3, 0.2, 0.2}); err != nil {
		t.Fatal(err)
	}
	return append(list, wide)
}

// encoded returns the bytes of a file of records.
func encoded(t testing.TB, list []*Game) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, HeaderOf(toy{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// decoded reads a file of records from memory.
func decoded(data []byte) ([]*Game, error) {
	r, err := NewReader(bytes.NewReader(data), "memory")
	if err != nil {
		return nil, err
	}
	var list []*Game
	for {
		g, err := r.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, g)
	}
}

func TestAFileGivesBackTheGamesBitForBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "é 1 "+FileName(12))
	want := someGames(t)
	if err := WriteFile(path, HeaderOf(toy{}), want); err != nil {
		t.Fatal(err)
	}
	header, got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if header != (Header{"toy", "plain"}) {
		t.Errorf("the header is %+v", header)
	}
	if diff := cmp.Diff(want, got, exact); diff != "" {
		t.Errorf("games (-want +got):\n%s", diff)
	}
	if again := encoded(t, got); !bytes.Equal(again, encoded(t, want)) {
		t.Error("what was read back writes other bytes")
	}
}

func TestAFileWithoutGames(t *testing.T) {
	if got, err := decoded(encoded(t, nil)); err != nil || len(got) != 0 {
		t.Errorf("decoded %d games, %v", len(got), err)
	}
}

func TestATornFileKeepsTheGamesBefore(t *testing.T) {
	list := games(t, 0, 5)
	data := encoded(t, list)
	ends := []int{len(encoded(t, nil)) - 10} // where each game's chunk begins; the last chunk has ten bytes
	for i := range list {
		ends = append(ends, len(encoded(t, list[:i+1]))-10)
	}
	for size := range data {
		got, err := decoded(data[:size])
		var damage *DamageError
		if !errors.As(err, &damage) || !damage.Torn {
			t.Fatalf("of %d bytes, %d: the error is %v, want a torn *DamageError", len(data), size, err)
		}
		want := 0
		for want < len(list) && ends[want+1] <= size {
			want++
		}
		if len(got) != want || damage.Games != want {
			t.Fatalf("of %d bytes, %d: found %d games and an error of %d, want %d", len(data), size, len(got), damage.Games, want)
		}
		if want > 0 && damage.Offset != int64(ends[want]) {
			t.Fatalf("of %d bytes, %d: the damage is at %d, want %d", len(data), size, damage.Offset, ends[want])
		}
	}
}

func TestDamageSaysWhatHappenedAndWhatToDo(t *testing.T) {
	data := encoded(t, games(t, 0, 2))
	_, err := decoded(data[:len(data)-1])
	if err == nil || !strings.Contains(err.Error(), "memory: cut off at byte") || !strings.Contains(err.Error(), "the 2 games before it are sound, the rest is missing: put a copy of the file back") {
		t.Errorf("of a torn file the error is %v", err)
	}
	data[len(data)-1] ^= 1
	_, err = decoded(data)
	if err == nil || !strings.Contains(err.Error(), "memory: altered at byte") || !strings.Contains(err.Error(), "what follows cannot be read: put a copy of the file back") {
		t.Errorf("of an altered file the error is %v", err)
	}
}

func TestAFlippedBitIsFound(t *testing.T) {
	data := encoded(t, games(t, 0, 4))
	for i := range 8 * len(data) {
		data[i/8] ^= 1 << (i % 8)
		if _, err := decoded(data); err == nil {
			t.Errorf("bit %d of byte %d was flipped, and nothing was said", i%8, i/8)
		}
		data[i/8] ^= 1 << (i % 8)
	}
}

func TestBytesAfterTheEndAreFound(t *testing.T) {
	var damage *DamageError
	if _, err := decoded(append(encoded(t, nil), 0)); !errors.As(err, &damage) || damage.Torn {
		t.Errorf("the error is %v, want a *DamageError that is not torn", err)
	}
}

func TestReadFileSaysWhatIsWrongWithAPath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName(1))
	if _, _, err := ReadFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("ReadFile of a missing file returned %v", err)
	}
	data := encoded(t, nil)
	newer := slices.Clone(data)
	newer[len(magic)] = 2
	for word, bytes := range map[string][]byte{"cut off": data[:5], "format version 2, expected 1": newer, "expected a file of game records": []byte("not a record at all")} {
		if err := os.WriteFile(path, bytes, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), path) {
			t.Errorf("ReadFile returned %v, want the path and %q", err, word)
		}
	}
}

func TestHostileSizesAllocateLittle(t *testing.T) {
	header := encoded(t, nil)
	header = header[:len(header)-10]
	huge := func(content []byte) []byte { // a chunk with a right checksum
		chunk := binary.LittleEndian.AppendUint32(slices.Clone(header), uint32(len(content)))
		chunk = binary.LittleEndian.AppendUint32(chunk, chunkSum(chunk[len(chunk)-4:], content))
		return append(chunk, content...)
	}
	front := append([]byte{kindGame}, make([]byte, 1+1+8)...)
	for name, data := range map[string][]byte{
		"chunk":        append(slices.Clone(header), 0, 0, 0, 1, 0, 0, 0, 0, kindGame),
		"large chunk":  append(slices.Clone(header), 255, 255, 255, 255, 0, 0, 0, 0, kindGame),
		"empty chunk":  append(slices.Clone(header), 0, 0, 0, 0, 0, 0, 0, 0),
		"start":        huge(binary.AppendUvarint(slices.Clone(front), math.MaxUint64)),
		"resume":       huge(binary.AppendUvarint(append(slices.Clone(front), 0), math.MaxInt64)),
		"plies":        huge(binary.AppendUvarint(append(slices.Clone(front), 0, 0, 0, 0, 0), 1<<40)),
		"entries":      huge(binary.AppendUvarint(append(slices.Clone(front), 0, 0, 0, 0, 0, 0), 1<<40)),
		"long varint":  huge(append(slices.Clone(front), 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
		"unknown kind": huge([]byte{'?'}),
		"end reason":   huge(append(slices.Clone(front), 0, 0, 99, 0, 0, 0, 0)),
		"extra bytes":  huge(append(slices.Clone(front), 0, 0, 0, 0, 0, 0, 0, 1)),
	} {
		var damage *DamageError
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decoded(data)
		runtime.ReadMemStats(&after)
		if !errors.As(err, &damage) {
			t.Errorf("%s: the error is %v, want a *DamageError", name, err)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
			t.Errorf("%s: %d bytes of file made the reader allocate %d", name, len(data), allocated)
		}
	}
}

func TestWriteRefusesWhatItCouldNotRead(t *testing.T) {
	w, err := NewWriter(io.Discard, HeaderOf(toy{}))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*Game{
		"long start":  {Start: strings.Repeat("x", maxText+1)},
		"long resume": {Resume: make([]byte, maxText+1)},
	} {
		if err := w.Write(g); err == nil {
			t.Errorf("%s: Write took it", name)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(encoded(f, someGames(f)))
	f.Add(encoded(f, nil))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := decoded(data)
		var damage *DamageError
		if errors.As(err, &damage) && damage.Games != len(list) {
			t.Errorf("the error speaks of %d games, %d were read", damage.Games, len(list))
		}
		for _, g := range list {
			g.Check(toy{}) // must not panic
			bytes, err := appendGame(nil, g)
			if err != nil {
				t.Fatal(err)
			}
			again, err := decodeGame(bytes)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(g, again, exact); diff != "" {
				t.Errorf("a game changed when it was written and read (-before +after):\n%s", diff)
			}
		}
	})
}
