package nnue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// content returns the content of a network's file.
func content(t *testing.T, n *Network) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := n.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// sealed returns a file with the checksum that its content has.
func sealed(data []byte) []byte {
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func TestANetworkIsReadAsItWasWritten(t *testing.T) {
	g := open(t, "kiothi", "wikipedia-it")
	n := randomNetwork(t, g, 64, 9)
	n.provenance = Provenance{Commit: "abc", Command: "learn", Seed: 9, Games: 1, Positions: 2, Teacher: "alphabeta:depth=4", Note: "é"}
	dir := t.TempDir()
	if err := n.Save(filepath.Join(dir, FileName)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, FileName)} {
		got, err := OpenFor(path, g)
		if err != nil {
			t.Fatal(err)
		}
		if got.Game() != "kiothi" || got.Rules() != "wikipedia-it" || got.Hidden() != 64 || got.Provenance() != n.provenance {
			t.Errorf("%s with rules %s, %d units, %+v", got.Game(), got.Rules(), got.Hidden(), got.Provenance())
		}
		for _, s := range positions(t, g, 200) {
			if a, b := n.Evaluate(&s), got.Evaluate(&s); a != b {
				t.Fatalf("%s: %d, and %d when it is read back", g.Format(&s), a, b)
			}
		}
		if !bytes.Equal(content(t, n), content(t, got)) {
			t.Error("written again the file is another")
		}
	}
}

func TestANetworkOfAnotherGameOrRuleSetIsRefused(t *testing.T) {
	n := randomNetwork(t, open(t, "rio-kadalis", ""), 64, 1)
	path := filepath.Join(t.TempDir(), "a.nnue")
	if err := n.Save(path); err != nil {
		t.Fatal(err)
	}
	for _, name := range [][2]string{{"kiothi", "mancala-world"}, {"rio-kadalis", "clockwise"}} {
		_, err := OpenFor(path, open(t, name[0], name[1]))
		if err == nil || !strings.Contains(err.Error(), "expected one for "+name[0]+" with rules "+name[1]) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v: %v", name, err)
		}
	}
}

func TestAFileThatIsNotWholeIsRefused(t *testing.T) {
	whole := content(t, randomNetwork(t, open(t, "rio-kadalis", "five-holes"), 64, 1))
	for _, length := range []int{0, len(whole) / 2, len(whole) - 1} {
		if _, err := Read(whole[:length]); err == nil {
			t.Errorf("the first %d bytes of %d are read", length, len(whole))
		}
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 0x40
	if _, err := Read(damaged); err == nil {
		t.Error("with a byte damaged it is read")
	}
	if _, err := Read(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("with a byte more it is read")
	}
}

// TestAFileThatLiesIsRefused changes files and gives them the right checksum.
func TestAFileThatLiesIsRefused(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes")
	whole := content(t, randomNetwork(t, g, 64, 1))
	change := func(old, new string) []byte {
		if len(old) != len(new) || !bytes.Contains(whole, []byte(old)) {
			t.Fatalf("%q cannot become %q", old, new)
		}
		return sealed(bytes.Replace(whole, []byte(old), []byte(new), 1))
	}
	for what, data := range map[string][]byte{
		"an unknown game":                  change("rio-kadalis", "rio-kadalit"),
		"an unknown rule set":              change("five-holes", "fire-holes"),
		"a rule set with larger tables":    change(`"rules":"five-holes"`, `"rules":  "standard"`),
		"another input":                    change(`"features":1`, `"features":2`),
		"other layers":                     change(`"dense":16`, `"dense":32`),
		"other buckets":                    change(`"buckets":8`, `"buckets":4`),
		"a width that is not whole blocks": change(`"hidden":64`, `"hidden":65`),
		"no width":                         change(`"hidden":64`, `"hidden":00`),
		"a width below zero":               change(`"hidden":64`, `"hidden":-4`),
		"another number for a shift":       change(`"shift":`, `"shifs":`),
	} {
		if n, err := Read(data); err == nil && what != "another number for a shift" {
			t.Errorf("%s: it is read", what)
		} else if err == nil && n.shift != 0 {
			t.Errorf("%s: the shift is %d", what, n.shift)
		}
	}
}

// TestParametersThatCouldOverflowAreRefused writes networks whose sums could leave the range of their integers.
func TestParametersThatCouldOverflowAreRefused(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes")
	for what, spoil := range map[string]func(*Network){
		"a shift":        func(n *Network) { n.shift = maxShift + 1 },
		"a dense weight": func(n *Network) { n.dense[7] = -128 },
		"a dense bias":   func(n *Network) { n.bias[0] = maxBias + 1 },
		"an output bias": func(n *Network) { n.last[1] = -maxBias - 1 },
		"sums of tables": func(n *Network) { n.tables[5], n.tables[Pairs*n.hidden+5] = math.MaxInt16, 20000 },
	} {
		n := randomNetwork(t, g, 64, 1)
		spoil(n)
		if _, err := Read(content(t, n)); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("%s: %v, want an error that says it is out of range", what, err)
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no network at all"), 0o666); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxFileSize+1); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                          FileName,
		filepath.Join(dir, "absent"): "absent",
		text:                         "it is no evaluation network",
		large:                        "at most",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", path, err, want)
		}
	}
}

// What has no end, and what is no file, is not read.
func TestOpenReadsRegularFilesOnly(t *testing.T) {
	for _, path := range []string{"/dev/zero", os.DevNull} {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
			continue
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "expected a regular file") {
			t.Errorf("%s: the error is %v, want that a regular file is expected", path, err)
		}
	}
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "expected a file that kiothi distill learn wrote") {
		t.Errorf("of no file the error is %v", err)
	}
}
