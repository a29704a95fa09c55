package export

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent/export/onnx/onnxtest"
	"kiothi/agent/margin"
	"kiothi/agent/model"
)

// exported returns the folder of a bot's export, and its manifest.
func exported(t *testing.T, b *Bot) (string, *Manifest) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bot é")
	if err := Write(context.Background(), dir, false, b); err != nil {
		t.Fatal(err)
	}
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// line is a vector as others read it.
type line struct {
	Position, Kind, Text  string
	Player, Action        int
	Observation, Features []float32
	Legal                 []int
	Policy, Margins       []float64
	Outcome               []float64 `json:"win_draw_loss"`
	Expected              float64   `json:"expected_margin"`
}

func vectorsOf(t *testing.T, dir string) []line {
	t.Helper()
	var lines []line
	scanner := bufio.NewScanner(bytes.NewReader(read(t, dir, vectorsFile)))
	for scanner.Scan() {
		decoder := json.NewDecoder(bytes.NewReader(scanner.Bytes()))
		decoder.DisallowUnknownFields()
		var v line
		if err := decoder.Decode(&v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, v)
	}
	if scanner.Err() != nil {
		t.Fatal(scanner.Err())
	}
	return lines
}

// Both models, read from their files, say about every vector what the vector says.
func TestModelsSayWhatTheVectorsSay(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		b := newBot(t, open(t, game, ""))
		dir, manifest := exported(t, b)
		lines := vectorsOf(t, dir)
		if len(lines) < 500 || len(lines) != manifest.Vectors.Positions {
			t.Fatalf("%s: %d vectors, the manifest says %d, want at least 500", game, len(lines), manifest.Vectors.Positions)
		}
		for _, described := range manifest.Models {
			m, err := onnxtest.Parse(read(t, dir, described.File))
			if err != nil {
				t.Fatal(err)
			}
			if m.Metadata["game"] != game || m.Metadata["rules"] != b.Game.Rules() || m.Metadata["weights_sha256"] == "" {
				t.Errorf("%s: the metadata are %v", described.File, m.Metadata)
			}
			compareModel(t, described, m, lines)
		}
	}
}

// compareModel runs a model on vectors.
func compareModel(t *testing.T, described Model, m *onnxtest.Model, lines []line) {
	t.Helper()
	input := described.Inputs[0]
	shape := []int{len(lines)}
	for _, n := range input.Shape[1:] {
		shape = append(shape, int(n.(float64)))
	}
	in := onnxtest.Tensor{Shape: shape}
	for _, v := range lines {
		if input.Name == observationInput {
			in.Data = append(in.Data, v.Observation...)
		} else {
			in.Data = append(in.Data, v.Features...)
		}
	}
	out, err := m.Run(map[string]onnxtest.Tensor{input.Name: in})
	if err != nil {
		t.Fatalf("%s: %v", described.File, err)
	}
	if len(out) != len(described.Outputs) {
		t.Errorf("%s: %d outputs, the manifest lists %d", described.File, len(out), len(described.Outputs))
	}
	for i, v := range lines {
		row := func(name string) []float32 {
			size := out[name].Shape[1]
			return out[name].Data[i*size : (i+1)*size]
		}
		logits := make([]float32, len(v.Legal))
		for j, a := range v.Legal {
			logits[j] = row(policyOutput)[a]
		}
		distribution := row(distributionOutput)
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) < 1e-5*max(1, math.Abs(want))) {
				t.Fatalf("%s, %s: %s is %v, want %v", described.File, v.Position, what, got, want)
			}
		}
		for j, p := range margin.Probabilities(logits) {
			near("policy", p, v.Policy[j])
		}
		for j, p := range margin.Probabilities(row(marginOutput)) {
			near("a margin", p, v.Margins[j])
			near("a margin's probability", float64(distribution[j]), v.Margins[j])
		}
		for j, want := range v.Outcome {
			near("an outcome", float64(row(outcomeOutput)[j]), want)
		}
		near("the expected margin", float64(row(expectedOutput)[0]), v.Expected)
		if input.Name == observationInput {
			if diff := cmp.Diff(row(featuresTensor), v.Features); diff != "" {
				t.Fatalf("%s, %s: %s", described.File, v.Position, diff)
			}
		}
	}
}

func TestTheFolderIsWhatItsManifestSays(t *testing.T) {
	b := newBot(t, open(t, "kiothi", ""))
	b.Strength = []Result{{Agent: "zero:x", Opponent: "greedy", Games: 400, Score: 0.9, Interval: [2]float64{0.87, 0.93}, Conditions: "random openings"}}
	dir, m := exported(t, b)
	listed := map[string]bool{ManifestFile: true}
	for _, f := range m.Files {
		listed[f.Path] = true
		data := read(t, dir, f.Path)
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(data)) != f.Bytes {
			t.Errorf("%s is not the file that the manifest describes", f.Path)
		}
	}
	if err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if name, _ := filepath.Rel(dir, path); err == nil && !info.IsDir() && !listed[filepath.ToSlash(name)] {
			t.Errorf("%s is not in the manifest", name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(m.Actions) != 631 || m.Actions[122].South != "c3" || m.Actions[122].North != "C3" || m.Actions[610].South != "=" || m.Actions[620].North != ">J" {
		t.Errorf("the table of actions is %v", m.Actions)
	}
	if last := m.Features.Groups[len(m.Features.Groups)-1]; last.Offset+last.Size != m.Features.Size {
		t.Errorf("the last group of features ends at %d of %d", last.Offset+last.Size, m.Features.Size)
	}
	if m.License != nil {
		t.Errorf("the licence is %q, and none has been given", *m.License)
	}
	strength, err := ReadStrength(dir)
	if diff := cmp.Diff(b.Strength, strength); err != nil || diff != "" || !cmp.Equal(m.Strength, strength) {
		t.Errorf("the strength is read back as %v, %v", strength, err)
	}
	if page := string(read(t, dir, readmeFile)); !strings.Contains(page, "| `greedy` | 0.900 (0.870 to 0.930) | 400 |") || strings.Contains(page, "<no value>") {
		t.Errorf("the README is\n%s", page)
	}
	d, tensors, err := model.Read(dir)
	if err != nil || d.Games != b.Description.Games || len(tensors) != len(b.Tensors) {
		t.Errorf("the network is read back with %d tensors, %v", len(tensors), err)
	}
}

func TestEqualBotsGiveEqualFolders(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	_, a := exported(t, newBot(t, g))
	_, b := exported(t, newBot(t, g))
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

// The examples are to be read in a minute.
func TestExamplesAreShort(t *testing.T) {
	for _, name := range []string{"examples/example.py", "examples/example.mjs", "examples/example-engine.py"} {
		data, err := examples.ReadFile(name)
		if lines := strings.Count(string(data), "\n"); err != nil || lines > 14 {
			t.Errorf("%s has %d lines, %v", name, lines, err)
		}
	}
}

func TestStrengthIsRefusedWhenItIsNone(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:             "expected an array",
		`[{"games": 3}]`: "expected the texts of both",
		`[{"agent": "zero", "opponent": "greedy", "games": 0}]`:                                                                 "found 0 games",
		`[{"agent": "zero", "opponent": "greedy", "games": 9, "score": 0.9, "interval": [0.1, 0.5]}]`:                           "found a score of 0.9",
		`[{"agent": "zero", "opponent": "greedy", "games": 9, "score": 0.9, "interval": [0.8, 1], "conditions": "", "elo": 3}]`: "elo",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, strengthFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadStrength(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
