package main

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"kiothi/agent/blas"
	"kiothi/env/games"
	"kiothi/env/seed"
)

// tinyBenchNet makes bench net quick. It follows other flags: a number given twice is the last one, and a list is added to.
var tinyBenchNet = []string{"--runs", "1", "--time", "1us", "--width", "16", "--blocks", "1", "--batch", "2,3", "--workers", "1,2"}

// benchTable returns the cells of a table of bench, one line for each of its rows.
func benchTable(t *testing.T, output, title string) [][]string {
	t.Helper()
	_, rest, found := strings.Cut(output, title+"\n")
	if !found {
		t.Fatalf("the output lacks a table %q:\n%s", title, output)
	}
	var rows [][]string
	for line := range strings.Lines(rest) {
		if strings.TrimSpace(line) == "" {
			break
		}
		rows = append(rows, strings.Fields(line))
	}
	return rows[1:] // without the heading
}

// wantNumbers checks that the given columns of a table are numbers from 0: on a busy machine too little may be done in the time
// that a test takes to show in the digits that are printed.
func wantNumbers(t *testing.T, rows [][]string, columns ...int) {
	t.Helper()
	for _, row := range rows {
		for _, i := range columns {
			if x, err := strconv.ParseFloat(row[i], 64); err != nil || !(x >= 0) || math.IsInf(x, 0) {
				t.Errorf("column %d is %q in %v, want a number from 0", i, row[i], row)
			}
		}
	}
}

// wantPositive checks that the given columns of a table are numbers above 0.
func wantPositive(t *testing.T, rows [][]string, columns ...int) {
	t.Helper()
	for _, row := range rows {
		for _, i := range columns {
			if x, err := strconv.ParseFloat(row[i], 64); err != nil || !(x > 0) {
				t.Errorf("column %d is %q in %v, want a number above 0", i, row[i], row)
			}
		}
	}
}

func TestBenchNetPrintsARowForEachBatchAndNumberOfWorkers(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		output := succeed(t, "", append([]string{"bench", "net", "--game", game}, tinyBenchNet...)...)
		head, _, _ := strings.Cut(output, "\n\n")
		for _, want := range []string{"kernel " + string(blas.Selected()), "cores", "network for " + game, "weights", "width 16, blocks 1", "the median of 1 runs"} {
			if !strings.Contains(head, want) {
				t.Errorf("the output begins without %q:\n%s", want, head)
			}
		}
		forward := benchTable(t, output, "forward pass")
		var batches []string
		for _, row := range forward {
			batches = append(batches, row[0]+":"+row[1])
		}
		if got, want := strings.Join(batches, " "), "1:2 1:3 2:2 2:3"; got != want {
			t.Errorf("forward passes of workers:batch %s, want %s", got, want)
		}
		wantPositive(t, forward, 3, 6)
		training := benchTable(t, output, "training step")
		if len(training) != 2 || training[0][0] != "1" || training[1][0] != "2" || training[0][1] != "512" {
			t.Errorf("training steps %v, want one of batch 512 for 1 worker and one for 2", training)
		}
		wantPositive(t, training, 3, 6)
	}
}

func TestBlasSelectsTheKernel(t *testing.T) {
	t.Cleanup(func() {
		if err := blas.Use(blas.Auto); err != nil {
			t.Error(err)
		}
	})
	for _, kernel := range append(blas.Kernels(), blas.Auto) {
		want := kernel
		if kernel == blas.Auto {
			want = blas.Kernels()[0]
		}
		output := succeed(t, "", append([]string{"bench", "net", "--blas", string(kernel)}, tinyBenchNet...)...)
		if !strings.Contains(output, "kernel "+string(want)+"\n") || blas.Selected() != want {
			t.Errorf("--blas %s selects %s, want %s:\n%s", kernel, blas.Selected(), want, output)
		}
	}
}

// A step multiplies three matrices for each layer but the first, whose input has no gradient.
func TestLoadsCountTheirProducts(t *testing.T) {
	g, w := tinyNetwork(t, "kiothi")
	flop := func(l *load, err error) (total float64) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range l.products {
			total += p.flop()
		}
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
		return total
	}
	layers := w.Config().Products()
	forward := 0.0
	for _, p := range layers {
		forward += 2 * 8 * float64(p.In) * float64(p.Out)
	}
	if got := flop(newForward(g, w, 8, 1)); got != forward {
		t.Errorf("a forward pass has %v FLOP, want %v", got, forward)
	}
	want := 3*forward - 2*8*float64(layers[0].In)*float64(layers[0].Out)
	if got := flop(newTraining(g, w, 8, 1)); got != want {
		t.Errorf("a training step has %v FLOP, want %v", got, want)
	}
}

func TestALoadStopsWithItsContext(t *testing.T) {
	g, w := tinyNetwork(t, "rio-kadalis")
	l, err := newForward(g, w, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.compare(ctx, &benchTiming{runs: 1, length: time.Hour}, nil); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("the error is %v, want the context's", err)
	}
}

func TestRandomPositionsCanBePlayedFrom(t *testing.T) {
	for _, game := range games.Names() {
		g, err := games.Open(game, "")
		if err != nil {
			t.Fatal(err)
		}
		positions := randomPositions(g, 300, seed.Rand(1, seed.Opening))
		if len(positions) != 300 {
			t.Fatalf("%s: %d positions, want 300", game, len(positions))
		}
		for _, s := range positions {
			if s.Over() {
				t.Errorf("%s: %s is over", game, g.Format(&s))
			}
		}
	}
}
