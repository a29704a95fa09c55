package replay

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/mancala"
)

func window(t testing.TB, limit int, list ...*Game) *Window {
	t.Helper()
	w, err := NewWindow(toy{}, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		if err := w.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// all returns every position of a window, with policies of its own.
func all(w *Window) []Sample {
	list := make([]Sample, w.Len())
	for i := range list {
		w.At(i, &list[i])
		list[i].Policy = append([]Entry(nil), list[i].Policy...)
	}
	return list
}

func TestTheWindowHoldsThePositionsOfTheGame(t *testing.T) {
	g := play(t, 7, whole)
	w := window(t, whole, g)
	if w.Len() != len(g.Plies) || w.Games() != 1 {
		t.Fatalf("the window holds %d positions of %d games, want %d of 1", w.Len(), w.Games(), len(g.Plies))
	}
	s := toy{}.Start()
	for i, got := range all(w) {
		want := Sample{State: s, Policy: append([]Entry(nil), g.Policy(i)...), Flags: g.Plies[i].Flags, Value: g.Plies[i].Value}
		want.Margin = int(g.Final[s.Player]) - int(g.Final[s.Player.Other()])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ply %d (-want +got):\n%s", i, diff)
		}
		if _, err := (toy{}).Play(&s, mancala.Action(g.Plies[i].Action)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheMarginBelongsToThePlayerToMove(t *testing.T) {
	// North wins 7:6, and South moves twice in a row: the sign follows the player to move, not the ply.
	g := &Game{Start: "1,1,0/0,0,2 - 4-6 S sow 0"}
	for _, action := range []mancala.Action{0, 1, 2} {
		if err := g.Append(action, 0, Random, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	last, err := toy{}.Parse("0,0,0/0,0,1 - 6-7 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	g.Finish(toy{}, &last)
	for i, s := range all(window(t, 9, g)) {
		if want := []int{-1, -1, 1}[i]; s.Margin != want {
			t.Errorf("ply %d: the margin is %d, want %d", i, s.Margin, want)
		}
	}

	seen := map[int]bool{}
	for _, g := range games(t, 0, 30) {
		south := int(g.Final[0]) - int(g.Final[1])
		for i, s := range all(window(t, whole, g)) {
			want := south
			if s.State.Player == mancala.North {
				want = -south
			}
			if s.Margin != want {
				t.Errorf("game %s, ply %d, %s to move: the margin is %d, want %d", g.ID, i, s.State.Player, s.Margin, want)
			}
			seen[s.Margin] = true
		}
	}
	if len(seen) < 3 {
		t.Errorf("the games have the margins %v only, so that this test proves little", seen)
	}
}

func TestTheOldestGamesGoFirstAndWhole(t *testing.T) {
	list := games(t, 0, 40)
	const limit = 100
	w := window(t, limit)
	for n, g := range list {
		if err := w.Add(g); err != nil {
			t.Fatal(err)
		}
		// What has to be there: as many of the newest games as fit.
		want, positions := 0, 0
		for want <= n && positions+len(list[n-want].Plies) <= limit {
			positions += len(list[n-want].Plies)
			want++
		}
		if w.Games() != want || w.Len() != positions {
			t.Fatalf("after %d games the window holds %d games of %d positions, want %d of %d", n+1, w.Games(), w.Len(), want, positions)
		}
	}
	if diff := cmp.Diff(all(window(t, limit, list[len(list)-w.Games():]...)), all(w)); diff != "" {
		t.Errorf("the window differs from one that only saw the games left in it (-want +got):\n%s", diff)
	}
}

func TestAddRefusesAndStaysAsItWas(t *testing.T) {
	w := window(t, 14, play(t, 1, whole))
	before := all(w)
	bad := play(t, 2, whole)
	bad.Plies[3].Value = float32(math.NaN())
	for word, g := range map[string]*Game{
		"ply 3":        bad,
		"unfinished":   play(t, 4, 3),
		"no positions": {End: mancala.Stuck},
	} {
		if err := w.Add(g); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "game "+g.ID.String()) {
			t.Errorf("Add returned %v, want the game and %q", err, word)
		}
	}
	if diff := cmp.Diff(before, all(w)); diff != "" {
		t.Errorf("a refused game changed the window (-before +after):\n%s", diff)
	}
	if _, err := NewWindow(toy{}, 0); err == nil {
		t.Error("NewWindow took a limit of 0")
	}
}

// A run whose games outgrow its window goes on with the newest game, rather than end for good.
func TestAGameOverTheLimitStandsAlone(t *testing.T) {
	newest := play(t, 2, whole)
	w := window(t, 3, play(t, 1, whole), newest)
	if n := len(newest.Plies); w.Games() != 1 || w.Len() != n {
		t.Errorf("the window holds %d positions of %d games, want the %d of the newest", w.Len(), w.Games(), n)
	}
	if diff := cmp.Diff(all(window(t, whole, newest)), all(w)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheWindowKeepsNothingOfTheGame(t *testing.T) {
	g := play(t, 7, whole)
	w := window(t, whole, g)
	before := all(w)
	clear(g.policy)
	clear(g.Plies)
	if diff := cmp.Diff(before, all(w)); diff != "" {
		t.Errorf("a change of the game changed the window (-before +after):\n%s", diff)
	}
}

func TestSamplesAreUniformAndRepeatable(t *testing.T) {
	w := window(t, 60, games(t, 0, 30)...)
	type key struct {
		state mancala.State
		value float32
	}
	index := map[key]int{}
	for i, s := range all(w) {
		index[key{s.State, s.Value}] = i
	}
	if len(index) != w.Len() {
		t.Fatalf("found %d distinct positions, want %d", len(index), w.Len())
	}
	const draws = 2000 // a position
	one, two := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
	counts := make([]float64, w.Len())
	var a, b Sample
	for range draws * w.Len() {
		w.Sample(one, &a)
		w.Sample(two, &b)
		if a.State != b.State || a.Value != b.Value {
			t.Fatal("the same generator gave other samples")
		}
		counts[index[key{a.State, a.Value}]]++
	}
	chi := 0.0
	for _, n := range counts {
		chi += (n - draws) * (n - draws) / draws
	}
	// The statistic has mean n-1 and variance 2(n-1); six deviations are beyond any luck.
	if n := float64(w.Len() - 1); chi > n+6*math.Sqrt(2*n) {
		t.Errorf("the draws are not uniform: chi-squared is %.0f, want about %.0f", chi, n)
	}
}

func TestSamplingAllocatesNothing(t *testing.T) {
	w := window(t, 1000, games(t, 0, 100)...)
	rng := rand.New(rand.NewPCG(1, 1))
	var s Sample
	if n := testing.AllocsPerRun(1000, func() { w.Sample(rng, &s) }); n != 0 {
		t.Errorf("a sample allocates %v times, want none", n)
	}
}

func TestMemoryIsBoundedAndReported(t *testing.T) {
	list := games(t, 0, 500)
	w := window(t, 2000)
	for _, g := range list[:300] {
		if err := w.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	full := w.Bytes()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 20 {
		for _, g := range list {
			if err := w.Add(g); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > full/4 {
		t.Errorf("10,000 games made the heap grow by %d bytes, the window is %d", grown, full)
	}
	if now := w.Bytes(); now > full*5/4 || now < full*3/4 {
		t.Errorf("the window reports %d bytes, want about %d as before", now, full)
	}
	entries := 0
	for _, s := range all(w) {
		entries += len(s.Policy)
	}
	estimate := EstimateBytes(w.Len(), float64(entries)/float64(w.Len()))
	if now := w.Bytes(); estimate > now || estimate < now*3/4 {
		t.Errorf("the estimate is %d bytes, the window has %d", estimate, now)
	}
}

// save writes games in files of ten and returns their paths.
func save(t *testing.T, list []*Game) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i := 0; i < len(list); i += 10 {
		path := filepath.Join(dir, FileName(i/10))
		if err := WriteFile(path, HeaderOf(toy{}), list[i:i+10]); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestAWindowLoadedFromFilesIsTheOneThatSawTheGames(t *testing.T) {
	list := games(t, 0, 60)
	paths := save(t, list)
	if err := os.Remove(paths[0]); err != nil { // too old to be needed
		t.Fatal(err)
	}
	w := window(t, 300)
	damage, err := w.Load(paths)
	if damage != nil || err != nil {
		t.Fatal(damage, err)
	}
	if diff := cmp.Diff(all(window(t, 300, list...)), all(w)); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}

func TestLoadReportsDamageAndKeepsTheRest(t *testing.T) {
	list := games(t, 0, 30)
	paths := save(t, list)
	info, err := os.Stat(paths[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Truncate(paths[1], info.Size()-12), os.Truncate(paths[2], 3)); err != nil {
		t.Fatal(err)
	}
	w := window(t, 1000)
	damage, err := w.Load(paths)
	if err != nil || len(damage) != 2 {
		t.Fatalf("Load returned %v and %v, want two damages", damage, err)
	}
	for i, path := range []string{paths[2], paths[1]} {
		if !strings.Contains(damage[i].Error(), path) || !strings.Contains(damage[i].Error(), "cut off") {
			t.Errorf("damage %d is %v, want that %s is cut off", i, damage[i], path)
		}
	}
	if w.Games() != 19 {
		t.Errorf("the window holds %d games, want the 19 that are whole", w.Games())
	}
}

func TestLoadRefusesOtherRulesAndBadGames(t *testing.T) {
	list := games(t, 0, 10)
	path := save(t, list)[0]
	w, err := NewWindow(toy{rules: ",other"}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Load([]string{path}); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "plain,other") {
		t.Errorf("Load of games under other rules returned %v", err)
	}
	list[4].Final[0]++
	path = save(t, list)[0]
	if _, err := window(t, 1000).Load([]string{path}); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "game 0/4") {
		t.Errorf("Load of a game with a wrong end returned %v", err)
	}
	if _, err := window(t, 1000).Load([]string{path + "x"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Load of a missing file returned %v", err)
	}
}

func BenchmarkSample(b *testing.B) {
	w := window(b, 100_000, games(b, 0, 5000)...)
	rng := rand.New(rand.NewPCG(1, 1))
	var s Sample
	b.ReportAllocs()
	for b.Loop() {
		w.Sample(rng, &s)
	}
}

func BenchmarkAdd(b *testing.B) {
	w := window(b, 10_000)
	g := play(b, 1, whole)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Add(g); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(g.Plies)), "positions/op")
}
