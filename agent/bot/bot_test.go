// This file checks the network without Gorgonia against the one on it.

package bot_test

import (
	"errors"
	"fmt"

	"os/exec"
	"slices"
	"strings"
	"testing"

	"kiothi/agent/blas"
	"kiothi/agent/bot"
	"kiothi/agent/features"
	"kiothi/agent/network/weights"
	"kiothi/agent/zero"
	"kiothi/env/mancala"
)

// judgement is the logits of a row.
type judgement struct{ policy, margin []float32 }

// gorgonias evaluates rows of features on Gorgonia.
func gorgonias(t *testing.T, w *weights.Weights, inputs [][]float32) []judgement {
	t.Helper()
	f := newReference(t, w, 125)
	var all []judgement
	for rows := range slices.Chunk(inputs, f.Batch()) {
		for i, input := range rows {
			copy(f.Input(i), input)
		}
		if err := f.Evaluate(len(rows)); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			all = append(all, judgement{slices.Clone(f.Policy(i)), slices.Clone(f.Margin(i))})
		}
	}
	return all
}

// compare evaluates rows of features, so many at a time, and compares their logits with Gorgonia's. legal, unless it is
// nil, returns the actions to restrict a row to.
func compare(t *testing.T, w *weights.Weights, inputs [][]float32, want []judgement, batch int, legal func(i int) []mancala.Action) {
	t.Helper()
	all := make([]mancala.Action, w.Config().Actions)
	for a := range all {
		all[a] = mancala.Action(a)
	}
	f := newInference(t, w, batch)
	from := 0
	for rows := range slices.Chunk(inputs, batch) {
		for i, input := range rows {
			copy(f.Input(i), input)
			if legal != nil {
				f.Restrict(i, legal(from+i))
			}
		}
		if err := f.Evaluate(len(rows)); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			want := want[from+i]
			for bin, got := range f.Margin(i) {
				if !agree(got, want.margin[bin]) {
					t.Fatalf("row %d, batch %d: margin logit %d is %v, want %v", from+i, batch, bin, got, want.margin[bin])
				}
			}
			actions := all
			if legal != nil {
				actions = legal(from + i)
			}
			for _, a := range actions {
				if got := f.Policy(i)[a]; !agree(got, want.policy[a]) {
					t.Fatalf("row %d, batch %d: policy logit %d is %v, want %v", from+i, batch, a, got, want.policy[a])
				}
			}
		}
		from += len(rows)
	}
}

// A thousand positions of each game, through networks that were trained, are released, or are as new.
func TestLogitsAreGorgonias(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		encoder, err := features.New(g)
		if err != nil {
			t.Fatal(err)
		}
		released, _, err := zero.Load("../../models/"+name+"-quick", g)
		if err != nil {
			t.Fatal(err)
		}
		found := positions(t, g, 1000, 1)
		inputs := make([][]float32, len(found))
		for i := range found {
			inputs[i] = make([]float32, encoder.Size())
			encoder.Encode(inputs[i], &found[i])
		}
		legal := func(i int) []mancala.Action { return g.AppendLegal(nil, &found[i]) }
		for what, w := range map[string]*weights.Weights{"released": released, "small": gameWeights(t, g, 256, 3, 64), "odd": gameWeights(t, g, 83, 1, 21)} {
			t.Run(name+"/"+what, func(t *testing.T) {
				onEachKernel(t, func(t *testing.T) {
					want := gorgonias(t, w, inputs)
					compare(t, w, inputs, want, 1, legal)
					compare(t, w, inputs, want, 250, nil)
					if blas.Selected() == blas.Go { // slow, and the rest is its tests'
						return
					}
					compare(t, w, inputs, want, 1, nil)
					compare(t, w, inputs, want, 7, legal)
					compare(t, w, inputs, want, 250, legal)
				})
			})
		}
	}
}

// Networks of any shape, with features that are not zero, for any number of rows.
func TestLogitsAreGorgoniasInAnyShape(t *testing.T) {
	for _, c := range []weights.Config{
		{Inputs: 1, Width: 1, Blocks: 0, Actions: 1, Bins: 2, ValueWidth: 1},
		{Inputs: 21, Width: 28, Blocks: 2, Actions: 70, Bins: 13, ValueWidth: 12},
		{Inputs: 100, Width: 320, Blocks: 1, Actions: 1100, Bins: 61, ValueWidth: 100},
	} {
		w := newWeights(t, c, 3)
		rng := newRand(4)
		inputs := make([][]float32, 40)
		for i := range inputs {
			inputs[i] = make([]float32, c.Inputs)
			for j := range inputs[i] {
				inputs[i][j] = float32(rng.NormFloat64())
			}
		}
		some := func(i int) []mancala.Action {
			return []mancala.Action{0, mancala.Action(i % c.Actions), mancala.Action(c.Actions - 1)}
		}
		t.Run(fmt.Sprint(c.Width), func(t *testing.T) {
			onEachKernel(t, func(t *testing.T) {
				want := gorgonias(t, w, inputs)
				for _, batch := range []int{1, 2, 5, 8, 9, 40} {
					compare(t, w, inputs, want, batch, nil)
					compare(t, w, inputs, want, batch, some)
				}
			})
		})
	}
}

// A restriction holds for one evaluation of one row.
func TestARestrictionEnds(t *testing.T) {
	w := small(t)
	f := newInference(t, w, 2)
	rng := newRand(1)
	for i := range 2 {
		for j := range f.Input(i) {
			f.Input(i)[j] = rng.Float32()
		}
	}
	evaluate := func() [2][]float32 {
		if err := f.Evaluate(2); err != nil {
			t.Fatal(err)
		}
		return [2][]float32{append([]float32(nil), f.Policy(0)...), append([]float32(nil), f.Policy(1)...)}
	}
	want := evaluate()
	f.Restrict(0, []mancala.Action{7})
	some := evaluate()
	all := evaluate()
	for a := range want[0] {
		if some[1][a] != want[1][a] || all[0][a] != want[0][a] || all[1][a] != want[1][a] {
			t.Fatalf("logit %d changed", a)
		}
	}
	if some[0][7] != want[0][7] || some[0][300] == want[0][300] {
		t.Errorf("restricted to 7: logits 7 and 300 are %v and %v, all of them %v and %v", some[0][7], some[0][300], want[0][7], want[0][300])
	}
}

// A network keeps the weights that it was made of.
func TestANetworkIsACopy(t *testing.T) {
	w := gameWeights(t, openGame(t, "rio-kadalis", ""), 32, 1, 16)
	f := newInference(t, w, 1)
	if err := f.Evaluate(1); err != nil {
		t.Fatal(err)
	}
	before := f.Margin(0)[0]
	clear(w.Flat())
	if err := f.Evaluate(1); err != nil || f.Margin(0)[0] != before {
		t.Errorf("a logit is %v, %v after the weights changed, %v before", f.Margin(0)[0], err, before)
	}
}

func TestEvaluateFindsWhatIsNotFinite(t *testing.T) {
	w := gameWeights(t, openGame(t, "kiothi", ""), 32, 1, 16)
	for i := range w.Flat() {
		w.Flat()[i] = 3e38
	}
	f := newInference(t, w, 8)
	for i := range 8 {
		f.Input(i)[0] = 1
	}
	for _, n := range []int{1, 8} {
		for _, restrict := range []bool{false, true} {
			if restrict {
				f.Restrict(0, []mancala.Action{5})
			}
			err := f.Evaluate(n)
			if notFinite := (*weights.NotFiniteError)(nil); !errors.As(err, &notFinite) || notFinite.Row != 0 {
				t.Errorf("%d rows: the error is %v, want a *weights.NotFiniteError about row 0", n, err)
			}
		}
	}
}

func TestRowsOutOfRangeAreRefused(t *testing.T) {
	n := bot.NewNetwork(small(t))
	if _, err := bot.NewInference(n, 0); err == nil {
		t.Error("batch 0 is accepted")
	}
	f := newInference(t, small(t), 3)
	for _, n := range []int{-1, 4} {
		if err := f.Evaluate(n); err == nil {
			t.Errorf("%d rows are evaluated", n)
		}
	}
	if err := f.Evaluate(0); err != nil {
		t.Error(err)
	}
}

func TestAnEvaluationAllocatesNothing(t *testing.T) {
	f := newInference(t, small(t), 16)
	for i := range 16 {
		f.Input(i)[i] = 1
	}
	onEachKernel(t, func(t *testing.T) {
		for _, rows := range []int{1, 16} {
			allocated := testing.AllocsPerRun(20, func() {
				f.Restrict(0, []mancala.Action{1, 2, 300})
				if err := f.Evaluate(rows); err != nil {
					t.Fatal(err)
				}
			})
			if allocated != 0 {
				t.Errorf("%d rows: %v allocations", rows, allocated)
			}
		}
	})
}

// What plays carries no framework that trains.
func TestNothingThatPlaysNeedsGorgonia(t *testing.T) {
	command, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask")
	}
	out, err := exec.Command(command, "list", "-deps", "kiothi/agent/bot", "kiothi/agent/zero").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasPrefix(path, "gorgonia.org/") || strings.HasPrefix(path, "kiothi/train") || path == "kiothi/agent/network" {
			t.Errorf("agent/bot or agent/zero imports %s", path)
		}
	}
}

// One row and many, with the two networks in turn, so that a busy machine slows both alike.
func BenchmarkEvaluate(b *testing.B) {
	w := small(b)
	g := openGame(b, "kiothi", "")
	encoder, err := features.New(g)
	if err != nil {
		b.Fatal(err)
	}
	for _, batch := range []int{1, 8, 32, 256} {
		found := positions(b, g, batch+100, 1)[100:]
		f, r := newInference(b, w, batch), newReference(b, w, batch)
		for i := range found {
			encoder.Encode(f.Input(i), &found[i])
			encoder.Encode(r.Input(i), &found[i])
		}
		var legal []mancala.Action
		for _, c := range []struct {
			name     string
			evaluate func() error
		}{
			{"bot", func() error { return f.Evaluate(batch) }},
			{"legal", func() error {
				for i := range found {
					legal = g.AppendLegal(legal[:0], &found[i])
					f.Restrict(i, legal)
				}
				return f.Evaluate(batch)
			}},
			{"gorgonia", func() error { return r.Evaluate(batch) }},
		} {
			b.Run(fmt.Sprintf("batch=%d/%s", batch, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.evaluate(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(batch)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}
