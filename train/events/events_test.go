package events

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file reads the files back by a reader of its own, which shares no code with the writer: neither the sums nor the messages.

// A record is what was read of an event.
type record struct {
	Wall    float64
	Step    uint64
	Version string
	Start   bool
	Scalars map[string]float32
	Histo   map[string]histo
}

type histo struct {
	Min, Max, Num, Sum, Squares float64
	Limits, Counts              []float64
}

// fields splits a message into the bytes of its fields, by number: eight, four, a varint's, or a string's.
func fields(t *testing.T, b []byte) map[int][][]byte {
	t.Helper()
	all := map[int][][]byte{}
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatalf("no field begins with % x", b)
		}
		b = b[n:]
		size := 0
		switch key & 7 {
		case 0:
			_, size = binary.Uvarint(b)
		case 1:
			size = 8
		case 2:
			length, n := binary.Uvarint(b)
			b, size = b[n:], int(length)
		case 5:
			size = 4
		default:
			t.Fatalf("a field of the wire type %d", key&7)
		}
		all[int(key>>3)] = append(all[int(key>>3)], b[:size])
		b = b[size:]
	}
	return all
}

func double(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

func doubles(b []byte) (list []float64) {
	for ; len(b) > 0; b = b[8:] {
		list = append(list, double(b))
	}
	return list
}

// unmasked checks a sum the other way round: it takes the mask off.
func unmasked(b []byte) uint32 {
	sum := binary.LittleEndian.Uint32(b) - 0xa282ead8
	return sum<<15 | sum>>17
}

// parse reads a file.
func parse(t *testing.T, data []byte) (records []record) {
	t.Helper()
	table := crc32.MakeTable(crc32.Castagnoli)
	for len(data) > 0 {
		if len(data) < 12 || unmasked(data[8:12]) != crc32.Checksum(data[:8], table) {
			t.Fatalf("after %d records: no sound length in % x", len(records), data[:min(len(data), 12)])
		}
		size := binary.LittleEndian.Uint64(data)
		message, sum := data[12:12+size], data[12+size:16+size]
		if unmasked(sum) != crc32.Checksum(message, table) {
			t.Fatalf("after %d records: the sum of the message is wrong", len(records))
		}
		data = data[16+size:]
		f := fields(t, message)
		r := record{Wall: double(f[1][0]), Scalars: map[string]float32{}, Histo: map[string]histo{}}
		if f[2] != nil {
			r.Step, _ = binary.Uvarint(f[2][0])
		}
		if f[3] != nil {
			r.Version = string(f[3][0])
		}
		r.Start = f[7] != nil && bytes.Equal(f[7][0], []byte{1 << 3, 1})
		if f[5] != nil {
			for _, value := range fields(t, f[5][0])[1] {
				v := fields(t, value)
				tag := string(v[1][0])
				switch {
				case v[2] != nil:
					r.Scalars[tag] = math.Float32frombits(binary.LittleEndian.Uint32(v[2][0]))
				case v[5] != nil:
					h := fields(t, v[5][0])
					r.Histo[tag] = histo{double(h[1][0]), double(h[2][0]), double(h[3][0]), double(h[4][0]), double(h[5][0]), doubles(h[6][0]), doubles(h[7][0])}
				}
			}
		}
		records = append(records, r)
	}
	return records
}

// readDir reads the files of a folder in order.
func readDir(t *testing.T, dir string) (files [][]record) {
	t.Helper()
	names, err := fileNames(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, parse(t, data))
	}
	return files
}

var noon = time.Unix(1_800_000_000, 250_000_000)

func mustOpen(t *testing.T, dir string, step int64, now time.Time) *Writer {
	t.Helper()
	w, err := Open(dir, step, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func mustAdd(t *testing.T, w *Writer, step int64, values ...Value) {
	t.Helper()
	if err := w.Add(step, noon, values...); err != nil {
		t.Fatal(err)
	}
}

func TestAFileHoldsWhatWasAdded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lauf [é]")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	w := mustOpen(t, dir, 0, noon)
	mustAdd(t, w, 1, Value{Tag: "loss/policy", Scalar: 1.5}, Value{Tag: "größe", Histogram: NewHistogram([]float32{-1, 0, 0, 2})})
	mustAdd(t, w, 300, Value{Tag: "loss/policy", Scalar: math.NaN()})
	files := readDir(t, dir)
	if len(files) != 1 || len(files[0]) != 4 {
		t.Fatalf("found %d files, want one with 4 records", len(files))
	}
	got := files[0]
	for i, r := range got {
		if r.Wall != 1_800_000_000.25 {
			t.Errorf("record %d is of the time %v", i, r.Wall)
		}
	}
	if got[0].Version != "brain.Event:2" || got[0].Step != 0 {
		t.Errorf("the file begins with %+v", got[0])
	}
	if !got[1].Start || got[1].Step != 1 {
		t.Errorf("the second record is %+v, want the session's start, before step 1", got[1])
	}
	if got[2].Step != 1 || got[2].Scalars["loss/policy"] != 1.5 || got[3].Step != 300 || !math.IsNaN(float64(got[3].Scalars["loss/policy"])) {
		t.Errorf("read %+v and %+v", got[2], got[3])
	}
	h := got[2].Histo["größe"]
	if h.Min != -1 || h.Max != 2 || h.Num != 4 || h.Sum != 1 || h.Squares != 5 || len(h.Limits) != 30 || h.Limits[29] != 2 {
		t.Errorf("read the histogram %+v", h)
	}
	want := make([]float64, 30)
	want[0], want[10], want[29] = 1, 2, 1
	if diff := cmp.Diff(want, h.Counts); diff != "" {
		t.Error(diff)
	}
}

// These bytes begin every file that TensorFlow writes.
func TestAFileBeginsAsThoseOfTensorFlow(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir, 0, noon)
	names, err := fileNames(dir)
	if err != nil || len(names) != 1 || names[0] != "events.out.tfevents.1800000000.kiothi" {
		t.Fatalf("found %q (%v)", names, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := "\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7fK\"\x09"
	if !strings.HasPrefix(string(data), want) || !strings.HasPrefix(string(data[21:]), "\x1a\rbrain.Event:2") {
		t.Errorf("the file begins with % x", data[:40])
	}
}

func TestHistogramsOfLittle(t *testing.T) {
	for _, c := range []struct {
		name       string
		values     []float64
		min, count float64
		last       float64 // in the last bucket
	}{
		{"nothing", nil, 0, 0, 0},
		{"one value", []float64{7}, 7, 1, 1},
		{"equal values", []float64{-3, -3, -3}, -3, 3, 3},
		{"what is not finite", []float64{math.NaN(), 1, math.Inf(1), 2}, 1, 2, 1},
		{"the whole range", []float64{-math.MaxFloat64, math.MaxFloat64}, -math.MaxFloat64, 2, 0},
	} {
		h := NewHistogram(c.values)
		if h.min != c.min || h.count != c.count || c.name != "the whole range" && h.counts[buckets-1] != c.last {
			t.Errorf("%s: %+v", c.name, h)
		}
		sum := 0.0
		for _, n := range h.counts {
			sum += n
		}
		if sum != h.count {
			t.Errorf("%s: the buckets hold %v of %v values", c.name, sum, h.count)
		}
	}
}

// steps returns the steps at which a tag has a value, with the values, over all files of a folder.
func steps(t *testing.T, dir, tag string) (list []string) {
	t.Helper()
	for _, file := range readDir(t, dir) {
		for _, r := range file {
			if v, ok := r.Scalars[tag]; ok {
				list = append(list, string(rune('0'+r.Step))+"="+string(rune('a'+int(v))))
			}
		}
	}
	return list
}

func TestARunThatGoesOnWritesNoStepTwice(t *testing.T) {
	dir := t.TempDir()
	w := mustOpen(t, dir, 0, noon)
	for step := range int64(4) {
		mustAdd(t, w, step+1, Value{Tag: "x", Scalar: 0})
	}
	mustAdd(t, w, 2, Value{Tag: "late", Scalar: 0})
	w.Close()

	// Killed; the newest checkpoint is of step 2.
	w = mustOpen(t, dir, 2, noon) // in the same second
	mustAdd(t, w, 2, Value{Tag: "x", Scalar: 1}, Value{Tag: "y", Scalar: 1})
	mustAdd(t, w, 3, Value{Tag: "x", Scalar: 1})
	mustAdd(t, w, 4, Value{Tag: "x", Scalar: 1})
	w.Close()

	// Again, by a clock that was put back, and without a step done.
	for range 2 {
		w = mustOpen(t, dir, 3, noon.Add(-time.Hour))
		w.Close()
	}
	w = mustOpen(t, dir, 3, noon.Add(-time.Hour))
	mustAdd(t, w, 4, Value{Tag: "x", Scalar: 2})

	if got, want := steps(t, dir, "x"), []string{"1=a", "2=a", "3=b", "4=c"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got, want := steps(t, dir, "y"), []string{"2=b"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q: the tag is new", got, want)
	}
	if files := readDir(t, dir); len(files) != 5 || !files[1][1].Start || files[1][1].Step != 3 {
		t.Errorf("found %d files, want 5; the second one voids what TensorBoard has read from step 3", len(files))
	}
}

func TestWhatACrashHasTornIsCutOff(t *testing.T) {
	for cut := 1; cut < 60; cut += 7 {
		dir := t.TempDir()
		w := mustOpen(t, dir, 0, noon)
		mustAdd(t, w, 1, Value{Tag: "x", Scalar: 0})
		mustAdd(t, w, 2, Value{Tag: "x", Scalar: 0}, Value{Tag: "a longer tag of some letters", Scalar: 0})
		w.Close()
		names, _ := fileNames(dir)
		path := filepath.Join(dir, names[0])
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data[:len(data)-cut], 0o644); err != nil {
			t.Fatal(err)
		}
		w = mustOpen(t, dir, 2, noon)
		mustAdd(t, w, 2, Value{Tag: "x", Scalar: 1})
		if got, want := steps(t, dir, "x"), []string{"1=a", "2=b"}; !slices.Equal(got, want) {
			t.Errorf("cut by %d bytes: found %q, want %q", cut, got, want)
		}
	}
}

// Whatever the bytes are, reading them ends without a panic, within them.
func FuzzRead(f *testing.F) {
	good := appendRecord(nil, appendSummary(appendEvent(nil, 3, noon), []Value{{Tag: "x", Scalar: 1}}))
	f.Add(good)
	f.Add(good[:len(good)-3])
	f.Add(appendRecord(nil, []byte{0x2a, 0xff, 0x01}))
	f.Add(binary.LittleEndian.AppendUint64(nil, 1<<60))
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &Writer{last: map[string]int64{}}
		sound, err := w.read(bytes.NewReader(data), 1<<40)
		if err != nil || sound < 0 || sound > int64(len(data)) {
			t.Errorf("read %d of %d bytes: %v", sound, len(data), err)
		}
	})
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "events.out.tfevents.1800000000.host.17.0")
	if err := os.WriteFile(path, []byte("not ours"), 0o644); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir, 0, noon)
	if data, err := os.ReadFile(path); err != nil || string(data) != "not ours" {
		t.Errorf("found %q (%v)", data, err)
	}
}

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "nowhere"), 0, noon); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("got %v, want an error that names the folder", err)
	}
}

// The weights of a network of the preset quick, as an iteration counts them.
func BenchmarkHistogram(b *testing.B) {
	weights := make([]float32, 200_000)
	for i := range weights {
		weights[i] = float32(i%1000) / 1000
	}
	b.ReportAllocs()
	for b.Loop() {
		NewHistogram(weights)
	}
}
