//go:build unix

// Soak puts training through what happens to programs that run for long: it watches the memory, kills the program twenty times,
// fills the disk, takes the right to write away, and plants numbers that are none. It prints a page of what happened, as
// experiments/soak.md is, and fails when anything was not as it should be:
//
//	go run ./experiments/soak >experiments/soak.md
//
// The full disk needs Linux, and the right to make a namespace; without these it is left out with a word.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"kiothi/train/checkpoint"
	"kiothi/train/runfiles"
)

// A soak is a test under way.
type soak struct {
	program string // kiothi
	dir     string // scratch
	page    io.Writer
	rng     *rand.Rand
	wrong   int
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run() error {
	length := flag.Duration("time", 3*time.Minute, "how long to train while the memory is watched")
	runs := flag.String("runs", "", "folders of runs, with commas between, whose memory is looked at instead")
	kills := flag.Int("kills", 20, "how often the program is killed")
	seed := flag.Uint64("seed", 1, "seed of the moments")
	flag.Parse()

	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // another user is to work in it
		return err
	}
	s := &soak{program: filepath.Join(dir, "kiothi"), dir: dir, page: os.Stdout, rng: rand.New(rand.NewPCG(*seed, 0))}
	if out, err := exec.Command("go", "build", "-buildvcs=true", "-o", s.program, "./cmd/kiothi").CombinedOutput(); err != nil {
		return fmt.Errorf("building kiothi, which is to be done from the root of the repository: %w\n%s", err, out)
	}
	commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("asking git for the commit: %w", err)
	}
	s.say("# The soak test\n\nWhat training does when it runs for long, is killed, finds no room, may not write, or meets a number that is none. Made by\n"+
		"`go run ./experiments/soak`: commit %s, %s, %s/%s, %d cores.\n", strings.TrimSpace(string(commit)), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())

	if *runs != "" {
		err = s.memoryOf(strings.Split(*runs, ","))
	} else {
		err = s.memory(*length)
	}
	if err != nil {
		return err
	}
	straight := filepath.Join(dir, "straight")
	began := time.Now()
	if out, err := s.train(straight).CombinedOutput(); err != nil {
		return fmt.Errorf("the run that nothing happens to: %w\n%s", err, out)
	}
	took := time.Since(began)
	for _, part := range []func() error{
		func() error { return s.kill(straight, took, *kills) },
		func() error { return s.fullDisk(straight) },
		func() error { return s.readOnly(straight) },
		func() error { return s.notFinite(straight) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	if s.wrong > 0 {
		return fmt.Errorf("%d things were not as they should be; the page says which", s.wrong)
	}
	return nil
}

// say adds to the page.
func (s *soak) say(format string, args ...any) { fmt.Fprintf(s.page, format, args...) }

// check adds a line that says whether something was as it should be.
func (s *soak) check(ok bool, format string, args ...any) {
	mark := "✓"
	if !ok {
		mark = "**✗**"
		s.wrong++
	}
	s.say("- %s %s\n", mark, fmt.Sprintf(format, args...))
}

// settings make a run of some seconds, with a checkpoint after each iteration.
var settings = []string{"network.width=32", "network.blocks=1", "network.value_width=16", "selfplay.streams=2", "selfplay.games_per_stream=16",
	"selfplay.games=32", "selfplay.simulations=8", "training.batch=300", "training.steps=10", "training.window=4000",
	"run.iterations=" + strconv.Itoa(iterations), "evaluation.every=0", "evaluation.games=0"}

const iterations = 40

// train returns the command that begins a run.
func (s *soak) train(dir string) *exec.Cmd {
	args := []string{"train", "--game", "rio-kadalis", "--seed", "11", "--dir", dir, "--progress", "plain"}
	for _, setting := range settings {
		args = append(args, "--set", setting)
	}
	return exec.Command(s.program, args...)
}

// resume returns the command that goes on with a run.
func (s *soak) resume(dir string) *exec.Cmd {
	return exec.Command(s.program, "train", "--resume", dir, "--progress", "plain")
}

// differences lists the files of two runs' last checkpoints and games that are not the same, byte for byte.
func differences(run, straight string) (different []string, err error) {
	for _, part := range []string{filepath.Join(runfiles.Checkpoints, checkpoint.Name(iterations, 0)), runfiles.Games} {
		names := map[string]bool{}
		for _, dir := range []string{run, straight} {
			entries, err := os.ReadDir(filepath.Join(dir, part))
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				names[filepath.Join(part, e.Name())] = true
			}
		}
		for name := range names {
			a, errA := os.ReadFile(filepath.Join(run, name))
			b, errB := os.ReadFile(filepath.Join(straight, name))
			if errors.Join(errA, errB) != nil || !bytes.Equal(a, b) {
				different = append(different, name)
			}
		}
	}
	slices.Sort(different)
	return different, nil
}

// checkSame says whether a run ended as the one that nothing happened to.
func (s *soak) checkSame(run, straight string) error {
	different, err := differences(run, straight)
	if err != nil {
		return err
	}
	if len(different) > 0 {
		s.check(false, "these files differ from those of the run that nothing happened to: %s", strings.Join(different, ", "))
	} else {
		s.check(true, "the last checkpoint and all games are those of the run that nothing happened to, byte for byte")
	}
	return nil
}

// lastLine returns the last line of a program's output.
func lastLine(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return lines[len(lines)-1]
}

// failed reports whether a program ended by itself, with a status that says that it failed.
func failed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() > 0
}
