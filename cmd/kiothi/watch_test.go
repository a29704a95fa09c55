//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kiothi/train/watch"
)

// pageURL waits for the line that says where the page is, and returns its address.
func pageURL(t *testing.T, output *bufio.Reader) string {
	t.Helper()
	for {
		line, err := output.ReadString('\n')
		if err != nil {
			t.Fatalf("the program ended without the address of a page: %v", err)
		}
		if _, url, ok := strings.Cut(strings.TrimSpace(line), " is at "); ok {
			return url
		}
	}
}

// follow reads the updates of a page up to the last, and sends them.
func follow(t *testing.T, url string) <-chan watch.Update {
	t.Helper()
	response, err := http.Get(url + "updates")
	if err != nil {
		t.Fatal(err)
	}
	updates := make(chan watch.Update, 1000)
	go func() {
		defer response.Body.Close()
		defer close(updates)
		lines := bufio.NewReader(response.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			var u watch.Update
			if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &u) == nil {
				updates <- u
			}
		}
	}()
	return updates
}

// all returns the number of lines that were told, and the last update.
func all(updates <-chan watch.Update) (lines int, last watch.Update) {
	for u := range updates {
		if u.Reset {
			lines = 0
		}
		lines += len(u.Lines)
		last = u
	}
	return lines, last
}

// startTraining starts a training with a page, and returns what it still has to say and the page's address.
func startTraining(t *testing.T, dir string, more ...string) (*exec.Cmd, *bufio.Reader, string) {
	t.Helper()
	args := append([]string{"train", "--dir", dir, "--game", "rio-kadalis", "--progress", "plain", "--listen", "localhost:0"}, tinyTrain...)
	cmd := program(t, append(args, more...)...)
	stderr := launch(t, cmd, cmd.StderrPipe)
	return cmd, stderr, pageURL(t, stderr)
}

// The page tells what happens, and the run is the one that it would have been without it. It has no end that could come before
// the page is opened.
func TestAPageBesideATrainingChangesNoByte(t *testing.T) {
	dir := t.TempDir()
	plain, shown := filepath.Join(dir, "plain é"), filepath.Join(dir, "shown é")
	more := sets("run.iterations=900000", "training.schedule=constant", "selfplay.games=20", "evaluation.every=0", "evaluation.games=0")
	cmd, stderr, url := startTraining(t, shown, more...)
	updates := follow(t, url)
	told := 0
	for u := range updates {
		if told += len(u.Lines); told >= 3 {
			break
		}
	}
	interrupt(t, cmd, stderr)
	rest, last := all(updates)
	told += rest
	metrics, err := os.ReadFile(filepath.Join(shown, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(metrics, []byte("\n")); n != told || !last.Last || last.Status != watch.Stopped || last.Newest < n || last.About.Name != "shown é" {
		t.Errorf("%d of %d lines were told, and at last %+v; want all, and that it is stopped", told, n, last)
	}
	succeed(t, "", append(append(append([]string{"train", "--dir", plain, "--game", "rio-kadalis"}, tinyTrain...), more...), "--iterations", fmt.Sprint(told))...)
	checkpoint := fmt.Sprintf("checkpoints/%06d/", told)
	for _, file := range []string{checkpoint + "model.safetensors", checkpoint + "optimizer.safetensors", fmt.Sprintf("games/%06d.kgr", told)} {
		want, err := os.ReadFile(filepath.Join(plain, file))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(shown, file)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from that of a run without a page (%v)", file, err)
		}
	}
}

func TestAPageIsToldHowItsTrainingEnds(t *testing.T) {
	for _, c := range []struct {
		err  error
		want watch.Status
	}{
		{nil, watch.Finished}, {context.Canceled, watch.Stopped},
		{fmt.Errorf("its time is up: %w", context.DeadlineExceeded), watch.Stopped}, {errors.New("broken"), watch.Failed},
	} {
		var messages bytes.Buffer
		end, err := serveTraining(t.Context(), "localhost:0", t.TempDir(), &messages)
		if err != nil {
			t.Fatal(err)
		}
		updates := follow(t, pageURL(t, bufio.NewReader(&messages)))
		end(c.err)
		if _, last := all(updates); !last.Last || last.Status != c.want {
			t.Errorf("after %v the page is told at last %+v, want %s", c.err, last, c.want)
		}
	}
}

func TestAnInterruptedTrainingTellsItsPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run é")
	cmd, stderr, url := startTraining(t, dir, sets("run.iterations=1000", "selfplay.games=40")...)
	updates := follow(t, url)
	wait(t, stderr, "iteration 2/1000 self-play")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _, last := all(updates); !last.Last || last.Status != watch.Stopped {
		t.Errorf("the page is told at last %+v, want that training has stopped", last)
	}
	rest, err := io.ReadAll(stderr)
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != statusFailure || !strings.Contains(string(rest), "go on with: kiothi train --resume") {
		t.Errorf("the program ended with %v and %q", err, rest)
	}
}

// Another process is watched while it writes; Ctrl-C ends the watching, with a page open, in good order.
func TestWatchFollowsAnotherProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run é")
	cmd := program(t, "watch", dir, "--listen", "localhost:0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	url := pageURL(t, launch(t, cmd, cmd.StdoutPipe))
	updates := follow(t, url)
	if u := <-updates; u.Status != watch.Waiting || u.About != nil {
		t.Errorf("told %+v before the run begins", u)
	}
	succeed(t, "", append([]string{"train", "--dir", dir}, tinyTrain...)...)
	lines := 0
	for u := range updates {
		if lines += len(u.Lines); lines == 3 && u.Newest == 1 {
			break
		}
	}
	if lines != 3 {
		t.Errorf("%d lines were told, want those of an iteration and of two evaluations", lines)
	}
	response, err := http.Get(url + "game")
	if err != nil {
		t.Fatal(err)
	}
	var g watch.Game
	err = json.NewDecoder(response.Body).Decode(&g)
	response.Body.Close()
	if err != nil || g.Iteration != 1 || g.Number != 4 || g.Game != "kiothi" {
		t.Errorf("got game %d of iteration %d (%v), want the fourth", g.Number, g.Iteration, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v, want status 0: %s", err, stderr.String())
	}
	if !strings.Contains(stderr.String(), "there is no run in "+dir+" yet") {
		t.Errorf("standard error is %q, want a word about the run that is not there", stderr.String())
	}
}

func TestATakenAddressIsAnErrorBeforeAnythingIsTrained(t *testing.T) {
	t.Chdir(t.TempDir())
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, args := range [][]string{
		append([]string{"train", "--dir", "run", "--listen", taken.Addr().String()}, tinyTrain...),
		{"watch", "run", "--listen", taken.Addr().String()},
	} {
		stdout, stderr, status := kiothi(t, "", args...)
		if status != statusFailure || stdout != "" || !strings.Contains(stderr, "choose another one") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, output %q, error %q", args[0], status, stdout, stderr)
		}
	}
	if _, err := os.Stat("run"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run has begun all the same (%v)", err)
	}
}

func TestAFileCannotBeWatched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := kiothi(t, "", "watch", file); status != statusUsage || !strings.Contains(stderr, "expected the folder of a run") {
		t.Errorf("status %d, error %q", status, stderr)
	}
}
