package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nlpodyssey/safetensors"
)

func exampleDescription() Description {
	return Description{
		Game: "kiothi", Rules: "mancala-world,bonus=run", ActionEncoding: 1, FeatureEncoding: 2,
		Architecture: Architecture{Inputs: 2, Width: 3, Blocks: 1, Actions: 2, Bins: 3, ValueWidth: 1},
		Steps:        100, Games: 20, Positions: 3000, Seed: math.MaxUint64, Commit: "abc", CreatedWith: "v0.1.0",
	}
}

func exampleTensors() []Tensor {
	return []Tensor{
		{Name: "trunk.bias", Shape: []int{3}, Data: []float32{1, -0.5, math.SmallestNonzeroFloat32}},
		{Name: "input.weight", Shape: []int{2, 3}, Data: []float32{1, 2, 3, 4, 5, math.MaxFloat32}},
	}
}

// written returns a folder, with a space and an é in its path, that holds the example.
func written(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "modèle 1 é")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, exampleDescription(), exampleTensors()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadGivesWhatWriteWasGiven(t *testing.T) {
	d, tensors, err := Read(written(t))
	if err != nil {
		t.Fatal(err)
	}
	want := exampleDescription()
	want.Format, want.Parameters, want.Checksum = Format, 9, d.Checksum
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("description (-want +got):\n%s", diff)
	}
	sorted := exampleTensors()
	slices.Reverse(sorted) // by name
	if diff := cmp.Diff(sorted, tensors); diff != "" {
		t.Errorf("tensors (-want +got):\n%s", diff)
	}
}

func TestEqualModelsAreEqualBytes(t *testing.T) {
	one, two := written(t), t.TempDir()
	tensors := exampleTensors()
	slices.Reverse(tensors)
	if err := Write(two, exampleDescription(), tensors); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{DescriptionFile, WeightsFile} {
		a, err := os.ReadFile(filepath.Join(one, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(two, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Errorf("%s differs between two writes of the same model", name)
		}
	}
}

func TestTheSeedIsTextInJSON(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(written(t), DescriptionFile))
	if err != nil {
		t.Fatal(err)
	}
	if want := `"seed": "18446744073709551615"`; !strings.Contains(string(data), want) {
		t.Errorf("found no %s, which other readers of JSON would round as a number, in:\n%s", want, data)
	}
}

func TestWriteRefusesTensorsThatAreNone(t *testing.T) {
	ones := []float32{1}
	for name, tensors := range map[string][]Tensor{
		"no name":        {{"", []int{1}, ones}},
		"reserved name":  {{"__metadata__", []int{1}, ones}},
		"equal names":    {{"a", []int{1}, ones}, {"a", []int{1}, ones}},
		"no shape":       {{"a", nil, ones}},
		"zero dimension": {{"a", []int{0}, nil}},
		"negative":       {{"a", []int{-1, -1}, ones}},
		"overflow":       {{"a", []int{1 << 32, 1 << 32}, ones}},
		"short data":     {{"a", []int{2}, ones}},
		"not a number":   {{"a", []int{1}, []float32{float32(math.NaN())}}},
		"infinite":       {{"a", []int{1}, []float32{float32(math.Inf(-1))}}},
	} {
		dir := t.TempDir()
		if err := Write(dir, exampleDescription(), tensors); err == nil {
			t.Errorf("%s: Write took it", name)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 0 {
			t.Errorf("%s: Write left %v", name, entries)
		}
	}
}

// reject reads a model that must be refused and checks the error against the words that it has to hold.
func reject(t *testing.T, dir string, words ...string) {
	t.Helper()
	_, _, err := Read(dir)
	var mismatch *MismatchError
	if !errors.As(err, &mismatch) {
		t.Fatalf("Read returned %v, want a *MismatchError", err)
	}
	for _, word := range append(words, dir, "expected", "found") {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error has no %q: %v", word, err)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has more than one line: %q", err)
	}
}

// edit changes a field of model.json.
func edit(t *testing.T, dir, field string, value any) {
	t.Helper()
	path := filepath.Join(dir, DescriptionFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	fields[field] = value
	if data, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadRefusesAnotherFormat(t *testing.T) {
	dir := written(t)
	edit(t, dir, "format", 2)
	edit(t, dir, "novelty", true) // a newer format may have other fields; its version is what the error must name
	reject(t, dir, "format version", "1", "2", "update")
}

func TestReadRefusesUnknownFields(t *testing.T) {
	dir := written(t)
	edit(t, dir, "novelty", true)
	reject(t, dir, "novelty")
}

func TestReadRefusesADescriptionThatIsNoJSON(t *testing.T) {
	dir := written(t)
	if err := os.WriteFile(filepath.Join(dir, DescriptionFile), []byte(`{"format": 1,`), 0o644); err != nil {
		t.Fatal(err)
	}
	reject(t, dir, DescriptionFile, "damaged")
}

func TestReadRefusesAWrongParameterCount(t *testing.T) {
	dir := written(t)
	edit(t, dir, "parameters", 10)
	reject(t, dir, "parameters", "10", "9")
}

func TestReadRefusesAFlippedBitAndATornFile(t *testing.T) {
	dir := written(t)
	path := filepath.Join(dir, WeightsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(data)
	flipped[len(flipped)-1] ^= 1
	for name, bytes := range map[string][]byte{"flipped": flipped, "torn": data[:len(data)-3], "empty": nil} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, bytes, 0o644); err != nil {
				t.Fatal(err)
			}
			reject(t, dir, WeightsFile, "checksum", "use another checkpoint")
		})
	}
}

func TestReadRefusesAMissingFile(t *testing.T) {
	for _, name := range []string{DescriptionFile, WeightsFile} {
		dir := written(t)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		reject(t, dir, name, "none")
	}
}

// forge replaces the weights by others and gives the description their checksum.
func forge(t *testing.T, dir string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, WeightsFile), data, 0o644); err != nil {
		t.Fatal(err)
	}
	edit(t, dir, "sha256", checksumOf(data))
}

func TestReadRefusesWeightsThatAreNotFinite(t *testing.T) {
	dir := written(t)
	data, err := safetensors.Serialize(map[string]view{"a": newView(Tensor{"a", []int{1}, []float32{float32(math.NaN())}})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	forge(t, dir, data)
	reject(t, dir, "tensor a", "NaN")
}

func TestReadRefusesHostileHeaders(t *testing.T) {
	for _, header := range []string{
		`{"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}}`,
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,99999999999]}}`,
		`{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}`,
		`{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`,
		`{"a":{"dtype":"F32","shape":[0,5],"data_offsets":[0,0]}}`,
		`{"a":null}`, `null`, `[]`, `{`,
	} {
		dir := written(t)
		data := fmt.Appendf([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, "%s", header)
		if strings.Contains(header, "[0,4]") {
			data = append(data, 0, 0, 0, 0)
		}
		forge(t, dir, data)
		if _, _, err := Read(dir); err == nil {
			t.Errorf("Read took the header %s", header)
		}
	}
}

func TestCheckNamesWhatDoesNotMatch(t *testing.T) {
	dir := written(t)
	d, tensors, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	full := Want{"kiothi", "mancala-world,bonus=run", 1, 2, d.Architecture, exampleTensors()}
	for _, want := range []Want{{}, full} {
		if err := want.Check(dir, d, tensors); err != nil {
			t.Errorf("a model that matches is refused: %v", err)
		}
	}
	for name, c := range map[string]struct {
		change func(*Want)
		words  []string
	}{
		"game":             {func(w *Want) { w.Game = "rio-kadalis" }, []string{"game: expected rio-kadalis, found kiothi", "--game kiothi"}},
		"rules":            {func(w *Want) { w.Rules = "mancala-world" }, []string{"rule set: expected mancala-world, found mancala-world,bonus=run", "--rules mancala-world,bonus=run"}},
		"action encoding":  {func(w *Want) { w.ActionEncoding = 2 }, []string{"action encoding: expected 2, found 1", "v0.1.0"}},
		"feature encoding": {func(w *Want) { w.FeatureEncoding = 3 }, []string{"feature encoding: expected 3, found 2"}},
		"architecture":     {func(w *Want) { w.Architecture.Width = 4 }, []string{"width 4", "width 3"}},
		"shape":            {func(w *Want) { w.Tensors[0].Shape = []int{4} }, []string{"tensor trunk.bias: expected shape [4], found shape [3]"}},
		"missing tensor":   {func(w *Want) { w.Tensors[0].Name = "head" }, []string{"tensor head: expected shape [3], found no such tensor"}},
		"extra tensor":     {func(w *Want) { w.Tensors = w.Tensors[:1] }, []string{"tensor input.weight: expected no such tensor, found shape [2 3]"}},
	} {
		want := full
		want.Tensors = exampleTensors()
		c.change(&want)
		err := want.Check(dir, d, tensors)
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) {
			t.Errorf("%s: Check returned %v, want a *MismatchError", name, err)
			continue
		}
		for _, word := range append(c.words, dir) {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: the error has no %q: %v", name, word, err)
			}
		}
	}
}

// A model is the same in any file system, and what is wrong with it is told in the same words.
func TestReadFSReadsWhatWriteWrote(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "bots", "a")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tensors := []Tensor{{Name: "x", Shape: []int{2}, Data: []float32{1, -2}}}
	if err := Write(dir, Description{Game: "kiothi"}, tensors); err != nil {
		t.Fatal(err)
	}
	d, got, err := ReadFS(os.DirFS(root), "bots/a")
	if err != nil || d.Game != "kiothi" || len(got) != 1 || got[0].Name != "x" || got[0].Data[1] != -2 {
		t.Errorf("read %+v, %+v, %v", d, got, err)
	}
	mismatch := (*MismatchError)(nil)
	if _, _, err := ReadFS(os.DirFS(root), "bots/b"); !errors.As(err, &mismatch) || mismatch.Path != "bots/b/model.json" {
		t.Errorf("the error is %v, want one about bots/b/model.json", err)
	}
}
