//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kiothi/env/games"
	"kiothi/train/history"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
)

// This file kills a run again and again.

// kill kills a run at random moments, until it is complete; if that is before it was killed so often, then another one.
func (s *soak) kill(straight string, took time.Duration, kills int) error {
	s.say("\n## Killed %d times\n\nA run of %d iterations, which takes %.1f s by itself, was killed (signal 9) at random moments and went on from its newest\ncheckpoint each time.\n",
		kills, iterations, took.Seconds())
	began := time.Now()
	if text, err := s.resume(straight).CombinedOutput(); err != nil {
		return fmt.Errorf("going on with a complete run: %w\n%s", err, text)
	}
	// A life ends while the program begins, or not long after, so that the lives together take about as long as the run.
	longest := time.Since(began) + 2*took/time.Duration(kills)
	for runs := 1; kills > 0; runs++ {
		dir := filepath.Join(s.dir, fmt.Sprint("killed", runs))
		var reached []string
		for done := false; !done; {
			moment := time.Duration(-1)
			if len(reached) < kills {
				moment = time.Duration(s.rng.Int64N(int64(longest)))
			}
			var err error
			if done, err = s.live(dir, moment); err != nil {
				return fmt.Errorf("killed %d times: %w", len(reached), err)
			}
			if !done {
				reached = append(reached, progressOf(dir))
			}
		}
		kills -= len(reached)
		longest /= 2 // for another run, if one is needed: the machine has become faster
		if len(reached) == 0 {
			continue
		}
		s.say("\nIterations in the newest checkpoint at each kill: %s.\n\n", strings.Join(reached, ", "))
		if err := s.checkSame(dir, straight); err != nil {
			return err
		}
		if err := s.checkGames(dir); err != nil {
			return err
		}
		left, err := temporary(dir)
		if err != nil {
			return err
		}
		s.check(len(left) == 0, "%d files are left that were being written", len(left))
	}
	return nil
}

// live begins a run or goes on with it, and kills it after a time, unless that is negative. It reports whether the run came to
// its end before.
func (s *soak) live(dir string, length time.Duration) (done bool, err error) {
	cmd := s.train(dir)
	if _, err := os.Stat(filepath.Join(dir, runfiles.Config)); err == nil {
		cmd = s.resume(dir)
	}
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		return false, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var alarm <-chan time.Time
	if length >= 0 {
		alarm = time.After(length)
	}
	select {
	case err := <-ended:
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, output.String())
		}
		return true, err
	case <-alarm:
		if err := cmd.Process.Kill(); err != nil {
			return false, err
		}
		<-ended
		return false, nil
	}
}

// progressOf returns how many iterations are done in a run's newest checkpoint, or a dash when it has none.
func progressOf(dir string) string {
	newest := -1
	paths, _ := filepath.Glob(filepath.Join(dir, runfiles.Checkpoints, "0*"))
	for _, path := range paths {
		if n, err := strconv.Atoi(filepath.Base(path)); err == nil {
			newest = max(newest, n)
		}
	}
	if newest < 0 {
		return "-"
	}
	return strconv.Itoa(newest)
}

// checkGames replays all games of a run, and compares their number with the metrics'.
func (s *soak) checkGames(dir string) error {
	rules, err := games.Open("rio-kadalis", "")
	if err != nil {
		return err
	}
	run, err := history.Read(dir)
	if err != nil {
		return err
	}
	seen := map[replay.ID]bool{}
	all, damaged := 0, 0
	for i := range iterations {
		_, records, err := replay.ReadFile(runfiles.GamesOf(dir, i+1))
		if err != nil {
			s.check(false, "%v", err)
			continue
		}
		for _, g := range records {
			if g.Check(rules) != nil {
				damaged++
			}
			seen[g.ID] = true
			all++
		}
	}
	lines := run.Iterations
	last := lines[len(lines)-1]
	s.check(len(lines) == iterations && last.Iteration == iterations, "metrics have %d lines for %d iterations", len(lines), iterations)
	s.check(damaged == 0 && len(seen) == all && int64(all) == last.TotalGames, "%d games are in the files, %d of them different ones, %d damaged; the metrics count %d",
		all, len(seen), damaged, last.TotalGames)
	return nil
}

// temporary lists the files that were being written when a program ended.
func temporary(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}
