package bridge

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/agent/nnue"
	"kiothi/cmd/internal/view"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file makes the vectors: positions with what the engines and agents of this machine do there, by the packages that
// they are in. Here the bridge is compared with them, and in the package's own tests the module, that it does the same.

var update = flag.Bool("update", false, "rewrite the vectors")

// vectorsFile is where the module's tests find them, a JSON object a line.
const vectorsFile = "../../npm/test/vectors.jsonl"

// A vector is a position with what comes of it.
type vector struct {
	Game     string     `json:"game"`
	Rules    string     `json:"rules"`
	Position string     `json:"position"`
	Legal    []string   `json:"legal"`
	After    []string   `json:"after"` // the position after each of the legal moves
	Chosen   []chosenBy `json:"chosen"`
}

// chosenBy is the turn that an agent plays.
type chosenBy struct {
	Agent string `json:"agent"`
	Seed  uint64 `json:"seed"`
	Text  string `json:"text"`
}

// vectorAgents are the agents whose turns are in the vectors, and in each game one with a released network.
var vectorAgents = []string{"random", "greedy", "alphabeta:depth=4", "alphabeta:nodes=2000", "uct:sims=200"}

func TestTheVectorsAreWhatIsPlayedHere(t *testing.T) {
	file, err := filepath.Abs(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	net := filepath.Join(filepath.Dir(file), smallNet)
	if *update {
		writeSmallNet(t, net)
	}
	// A folder in which networks are found by their names, as they are in the module.
	folder := t.TempDir()
	small, err := os.ReadFile(net)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, smallNet), small, 0o644)
	}
	if err == nil {
		err = os.CopyFS(folder, os.DirFS(filepath.FromSlash("../../../../models")))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	made := makeVectors(t)
	if *update {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		for _, v := range made {
			if err := encoder.Encode(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored := readVectors(t, file)
	if len(stored) != len(made) {
		t.Fatalf("found %d vectors, want %d; -update writes them anew", len(stored), len(made))
	}
	c := newCaller(t)
	for i, v := range stored {
		if diff := cmp.Diff(made[i], v); diff != "" {
			t.Errorf("vector %d; -update writes it anew (-made here +stored):\n%s", i, diff)
		}
		c.check(v)
	}
}

// check compares a vector with what the bridge does.
func (c caller) check(v vector) {
	c.t.Helper()
	id := c.begin(object{"game": v.Game, "rules": v.Rules, "position": v.Position})
	var moves []view.LegalMove
	c.get("legal", object{"game": id}, &moves)
	var legal, after []string
	for _, m := range moves {
		legal = append(legal, m.Text)
		c.play(id, m.Text)
		after = append(after, c.state(id).Position)
		c.get("undo", object{"game": id}, nil)
	}
	if !slices.Equal(legal, v.Legal) || !slices.Equal(after, v.After) {
		c.t.Errorf("%s %s %s: the legal moves are %v, which lead to %v; want %v and %v", v.Game, v.Rules, v.Position, legal, after, v.Legal, v.After)
	}
	for _, want := range v.Chosen {
		if got := c.think(id, want.Agent, want.Seed).Text; got != want.Text {
			c.t.Errorf("%s %s %s: %s with seed %d plays %s, want %s", v.Game, v.Rules, v.Position, want.Agent, want.Seed, got, want.Text)
		}
	}
}

// smallNet is a network for alpha-beta in Kiothi, beside the vectors. It is no good, but small, and its arithmetic is that of
// large ones.
const smallNet = "small.nnue"

// writeSmallNet writes a network of regular numbers, which take little room.
func writeSmallNet(t *testing.T, path string) {
	t.Helper()
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := nnue.NewFloat(g, 64)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(w []float32, period int, size float64) {
		for i := range w {
			w[i] = float32(size * math.Sin(float64(i%period*(i%period))))
		}
	}
	fill(f.Tables, 64*nnue.Cells, 0.3)
	fill(f.DenseWeights, 61, 0.3)
	fill(f.DenseBias, 7, 0.2)
	fill(f.OutputWeights, 11, 0.4)
	fill(f.OutputBias, 3, 0.2)
	f.Clip()
	n, _, err := f.Quantise(g, nnue.Provenance{})
	if err == nil {
		err = n.Save(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// makeVectors makes vectors from random games of each rule set.
func makeVectors(t *testing.T) []vector {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var all []vector
	for _, e := range games.All() {
		for at, set := range e.Sets {
			g, err := games.Open(e.Name, set.Name)
			if err != nil {
				t.Fatal(err)
			}
			wanted := []int{0, 3, 9, 15, 40} // plies at which a position is taken; the opening has some thirty
			if at == 0 {
				wanted = append(wanted, 26, 28, 30, 34, 50, 60, 70)
			}
			for _, plies := range wanted {
				s := g.Start()
				for range plies {
					next := s
					legal := g.AppendLegal(nil, &s)
					if _, err := g.Play(&next, legal[rng.IntN(len(legal))]); err != nil {
						t.Fatal(err)
					}
					if next.Over() {
						break
					}
					s = next
				}
				all = append(all, makeVector(t, g, s, set.Name, at == 0))
			}
		}
	}
	return all
}

// makeVector makes the vector of a position.
func makeVector(t *testing.T, g mancala.Game, s mancala.State, rules string, asked bool) vector {
	t.Helper()
	v := vector{Game: g.Name(), Rules: rules, Position: g.Format(&s)}
	for _, a := range g.AppendLegal(nil, &s) {
		next := s
		if _, err := g.Play(&next, a); err != nil {
			t.Fatal(err)
		}
		v.Legal = append(v.Legal, g.ActionText(&s, a))
		v.After = append(v.After, g.Format(&next))
	}
	if !asked {
		return v
	}
	specs := append(vectorAgents[:len(vectorAgents):len(vectorAgents)], "zero:"+g.Name()+"-quick,sims=32")
	if g.Name() == "kiothi" {
		specs = append(specs, "alphabeta:depth=4,net="+smallNet)
	}
	for i, spec := range specs {
		if s.Phase != mancala.Sow && strings.HasPrefix(spec, "alphabeta:depth=4") {
			continue // which takes long in an opening
		}
		by := chosenBy{Agent: spec, Seed: uint64(100 + i)}
		by.Text = turnOf(t, g, s, by)
		v.Chosen = append(v.Chosen, by)
	}
	return v
}

// turnOf returns the turn that an agent plays, as kiothi engine asks for it.
func turnOf(t *testing.T, g mancala.Game, s mancala.State, by chosenBy) string {
	t.Helper()
	a, err := kinds().Open(g, by.Agent)
	if err != nil {
		t.Fatal(err)
	}
	player, begin := agent.Start(a), s
	var turn []mancala.Action
	for !protocol.TurnDone(&s, begin.Player) {
		action, err := player.Choose(t.Context(), &s, seed.Rand(by.Seed, seed.Match, 0, 0, uint64(len(turn))))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Play(&s, action); err != nil {
			t.Fatal(err)
		}
		turn = append(turn, action)
	}
	return g.TurnText(&begin, turn)
}

// readVectors reads the stored vectors.
func readVectors(t *testing.T, file string) []vector {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for line := range bytes.Lines(text) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}
