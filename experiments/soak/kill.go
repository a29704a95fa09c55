//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kiothi/env/games"
	"kiothi/train/replay"
)

// This file kills a run again and again.

// kill kills a run at random moments. So that all of it is met, a life lasts a fifteenth of the whole run at most, beside what it
// takes to begin.
func (s *soak) kill(straight string, took time.Duration, kills int) error {
	s.say("\n## Killed %d times\n\nA run of %d iterations, which takes %.1f s by itself, was killed (signal 9) at random moments and went on from its newest\ncheckpoint each time.\n\n",
		kills, iterations, took.Seconds())
	dir := filepath.Join(s.dir, "killed")
	var reached []string
	lives := 0
	for done := false; !done; lives++ {
		cmd := s.train(dir)
		if lives > 0 {
			cmd = s.resume(dir)
		}
		var output strings.Builder
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		moment := time.Duration(-1)
		var alarm <-chan time.Time
		if lives < kills {
			moment = took/40 + time.Duration(s.rng.Int64N(int64(took/15)))
			alarm = time.After(moment)
		}
		select {
		case err := <-ended:
			if strings.Contains(output.String(), "found no run") { // killed before it had written anything
				lives = -1
				continue
			}
			if err != nil {
				return fmt.Errorf("life %d: %w\n%s", lives+1, err, output.String())
			}
			if lives < kills {
				return fmt.Errorf("the run was complete after %d of %d kills", lives, kills)
			}
			done = true
		case <-alarm:
			if err := cmd.Process.Kill(); err != nil {
				return err
			}
			<-ended
			reached = append(reached, strconv.Itoa(progressOf(dir)))
		}
	}
	s.say("Iterations in the newest checkpoint at each kill: %s.\n\n", strings.Join(reached, ", "))
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
	return nil
}

// progressOf returns how many iterations are done in a run's newest checkpoint, or -1 when it has none.
func progressOf(dir string) int {
	newest := -1
	paths, _ := filepath.Glob(filepath.Join(dir, "checkpoints", "0*"))
	for _, path := range paths {
		if n, err := strconv.Atoi(filepath.Base(path)); err == nil {
			newest = max(newest, n)
		}
	}
	return newest
}

// checkGames replays all games of a run, and compares their number with the metrics'.
func (s *soak) checkGames(dir string) error {
	rules, err := games.Open("rio-kadalis", "")
	if err != nil {
		return err
	}
	lines, err := samples(filepath.Join(dir, "metrics.jsonl"))
	if err != nil {
		return err
	}
	seen := map[replay.ID]bool{}
	all, damaged := 0, 0
	for i := range iterations {
		_, records, err := replay.ReadFile(filepath.Join(dir, "games", replay.FileName(i+1)))
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
	last := lines[len(lines)-1]
	s.check(len(lines) == iterations && last.Iteration == iterations, "metrics have %d lines for %d iterations", len(lines), iterations)
	s.check(damaged == 0 && len(seen) == all && all == last.TotalGames, "%d games are in the files, %d of them different ones, %d damaged; the metrics count %d",
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
