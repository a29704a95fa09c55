//go:build unix

// Learn trains networks from nothing on the games of a run of Kiothi, each with one setting changed, and asks them about later
// games of the same run. What concerns only learning shows there in seconds, and far more sharply than in another run. It prints
// tables in Markdown, as experiments/ablations.md has them:
//
//	go run ./experiments/learn --run runs/ablations/kiothi/standard
//	go run ./experiments/learn --run runs/ablations/kiothi/standard standard "1,600 steps"
package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

func run() error {
	dir := flag.String("run", "", "folder of the run whose games are learned from")
	from := flag.Int("from", 10, "the first iteration whose games are learned from")
	to := flag.Int("to", 18, "the last of these; the next two are asked about")
	steps := flag.Int("steps", 0, "training steps of all variants; 0 for each one's own")
	out := flag.String("out", "", "folder to keep the networks in; none are kept without")
	list := flag.Bool("list", false, "list the variants and end")
	flag.Parse()
	if *list {
		for _, v := range variants {
			fmt.Println(v.name)
		}
		return nil
	}
	chosen, err := choose(flag.Args())
	if err != nil {
		return err
	}
	for i := range chosen {
		if *steps > 0 {
			chosen[i].steps = *steps
		}
	}
	if *dir == "" {
		return errors.New("found no --run, expected the folder of a run of Kiothi that has its games")
	}
	game, err := gameOf(runfiles.GamesOf(*dir, *to))
	if err != nil {
		return err
	}
	learned, err := load(game, *dir, *from, *to)
	if err != nil {
		return err
	}
	asked, err := load(game, *dir, *to+1, *to+2)
	if err != nil {
		return err
	}
	e, err := newExam(game, asked)
	if err != nil {
		return err
	}
	fmt.Printf("%d positions of iterations %d to %d to learn from, %d of iterations %d and %d to be asked about. The search's policy has\n"+
		"%.3f nats of entropy there.\n\n", learned.Len(), *from, *to, len(e.samples), *to+1, *to+2, e.entropy())
	return table(game, learned, e, chosen, *out)
}

// table learns each variant and prints a row of what it answers, and of the difference to the first.
func table(game mancala.Game, learned *replay.Window, e *exam, chosen []variant, out string) error {
	fmt.Println("| variant | inputs | weights | CPU s | policy, nats | to the first | same action | value, squared error | to the first | right sign |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	var first *answers
	for _, v := range chosen {
		w, spent, err := v.learn(game, learned)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		a, err := e.ask(w, v.inputs(game))
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		policy, value := "", ""
		if first == nil {
			first = a
		} else {
			policy, value = difference(a.policy, first.policy, 3), difference(a.value, first.value, 4)
		}
		fmt.Printf("| %s | %d | %d | %.0f | %.3f | %s | %.1f %% | %.4f | %s | %.1f %% |\n", v.name, w.Config().Inputs, w.Count(),
			spent.Seconds(), a.policy.mean(), policy, 100*a.same.mean(), a.value.mean(), value, 100*a.sign.mean())
		if out != "" && v.view == nil {
			folder := filepath.Join(out, strings.NewReplacer(" ", "-", ",", "").Replace(v.name))
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			if err := zero.Save(folder, game, w, v.description()); err != nil {
				return err
			}
		}
	}
	return nil
}

// choose returns the variants of some names, or all.
func choose(names []string) ([]variant, error) {
	if len(names) == 0 {
		return slices.Clone(variants), nil
	}
	var chosen []variant
	for _, name := range names {
		i := slices.IndexFunc(variants, func(v variant) bool { return v.name == name })
		if i < 0 {
			return nil, fmt.Errorf("found no variant %q, expected one that --list names", name)
		}
		chosen = append(chosen, variants[i])
	}
	return chosen, nil
}

// gameOf returns the game of a file of records, which has to be Kiothi.
func gameOf(path string) (mancala.Game, error) {
	header, _, err := replay.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if header.Game != kiothi.Name {
		return nil, fmt.Errorf("%s: found games of %s, expected Kiothi", path, header.Game)
	}
	return games.Open(header.Game, header.Rules)
}

// load reads the games of some iterations of a run.
func load(game mancala.Game, dir string, from, to int) (*replay.Window, error) {
	window, err := replay.NewWindow(game, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	var paths []string
	for i := from; i <= to; i++ {
		paths = append(paths, runfiles.GamesOf(dir, i))
	}
	damage, err := window.Load(paths)
	return window, errors.Join(append(damage, err)...)
}

// scores is a number for each position, in the order of the games.
type scores struct {
	numbers []float64
	games   []int // of the numbers
}

func (s *scores) add(game int, x float64) {
	s.numbers, s.games = append(s.numbers, x), append(s.games, game)
}

func (s *scores) mean() float64 {
	sum := 0.0
	for _, x := range s.numbers {
		sum += x
	}
	return sum / float64(len(s.numbers))
}

// difference writes how much the mean of a is above that of b, which is about the same positions, with its interval of 95 %.
// The positions of a game have much in common, so that the interval is from the games' sums and not from the positions.
func difference(a, b scores, digits int) string {
	mean := a.mean() - b.mean()
	sums := map[int]float64{}
	for i := range a.numbers {
		sums[a.games[i]] += a.numbers[i] - b.numbers[i] - mean
	}
	squares := 0.0
	for _, sum := range sums {
		squares += sum * sum
	}
	half := 1.96 * math.Sqrt(squares) / float64(len(a.numbers))
	return fmt.Sprintf("%+.*f (%+.*f to %+.*f)", digits, mean, digits, mean-half, digits, mean+half)
}
