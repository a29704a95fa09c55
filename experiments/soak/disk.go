//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"kiothi/agent/model"
	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/train/runfiles"
)

// This file takes the disk away.

// fullDisk runs training on a file system that is too small for it, and goes on once there is room.
func (s *soak) fullDisk(straight string) error {
	s.say("\n## A full disk\n\n")
	const script = `set -e
mount -t tmpfs -o size=1m,mode=755 soak "$1"
status=0
"$2" train --game rio-kadalis --seed 11 --dir "$1/run" --progress plain $3 >"$4/output" 2>&1 || status=$?
cp -r "$1/run" "$4/full"
rm -f "$4/full/checkpoints/lock"
echo $status >"$4/status"
mount -o remount,size=100m "$1"
"$2" train --resume "$1/run" --progress plain >"$4/resumed" 2>&1
cp -r "$1/run" "$4/run"
`
	mounted, out := filepath.Join(s.dir, "mounted"), filepath.Join(s.dir, "disk")
	for _, dir := range []string{mounted, out} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	sets := "--set " + strings.Join(settings, " --set ")
	cmd := exec.Command("unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", mounted, s.program, sets, out)
	if output, err := cmd.CombinedOutput(); err != nil {
		if _, e := os.Stat(filepath.Join(out, "status")); e != nil {
			s.say("Left out: no small file system could be made here (%v: %s).\n", err, lastLine(output))
			return nil
		}
		resumed, _ := os.ReadFile(filepath.Join(out, "resumed"))
		return fmt.Errorf("going on after the disk was full: %w\n%s%s", err, output, resumed)
	}
	output, err := os.ReadFile(filepath.Join(out, "output"))
	if err != nil {
		return err
	}
	status, err := os.ReadFile(filepath.Join(out, "status"))
	if err != nil {
		return err
	}
	s.check(strings.TrimSpace(string(status)) == "1" && strings.Contains(lastLine(output), "no space left"),
		"on a disk of 1 MB the run ends with status %s and says: `%s`", strings.TrimSpace(string(status)), s.plain(lastLine(output)))
	s.checkNewest(filepath.Join(out, "full"))
	s.say("- given room, it goes on to its end:\n")
	return s.checkSame(filepath.Join(out, "run"), straight)
}

// plain takes the scratch folder out of a message.
func (s *soak) plain(message string) string { return strings.ReplaceAll(message, s.dir+"/", "") }

// checkNewest says whether the newest checkpoint of a run is sound.
func (s *soak) checkNewest(run string) {
	rules, err := games.Open("rio-kadalis", "")
	if err == nil {
		var path string
		if path, err = model.Find(run); err == nil {
			if _, _, err = zero.Load(path, rules); err == nil {
				s.check(true, "the newest checkpoint, of iteration %s, is sound", strings.TrimLeft(filepath.Base(path), "0"))
				return
			}
		}
	}
	s.check(false, "the newest checkpoint: %v", err)
}

// nobody is the user without rights, whom root becomes: root may write everywhere.
const nobody = 65534

// readOnly takes the right to write away from a run under way, and gives it back.
func (s *soak) readOnly(straight string) error {
	s.say("\n## Without the right to write\n\n")
	home := filepath.Join(s.dir, "guest")
	if err := os.Mkdir(home, 0o755); err != nil {
		return err
	}
	run := filepath.Join(home, "run")
	as := func(cmd *exec.Cmd) *exec.Cmd {
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		cmd.Dir = home
		return cmd
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(home, nobody, nobody); err != nil {
			return err
		}
	}
	folders := []string{run, filepath.Join(run, runfiles.Games), filepath.Join(run, runfiles.Checkpoints)}
	chmod := func(mode os.FileMode) error {
		for _, dir := range folders {
			if err := os.Chmod(dir, mode); err != nil {
				return err
			}
		}
		return nil
	}

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := as(s.train(run))
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		return err
	}
	for {
		if n, err := strconv.Atoi(progressOf(run)); err == nil && n >= 3 {
			break
		}
		if ctx.Err() != nil {
			return fmt.Errorf("no three iterations within ten minutes: %s", output.String())
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := chmod(0o555); err != nil {
		return err
	}
	err := cmd.Wait()
	s.check(failed(err) && strings.Contains(lastLine([]byte(output.String())), "permission denied"),
		"a run whose folders become read-only ends with `%v` and says: `%s`", err, s.plain(lastLine([]byte(output.String()))))
	s.checkNewest(run)
	text, err := as(s.resume(run)).CombinedOutput()
	s.check(failed(err), "going on as long as they are ends with `%v` and says: `%s`", err, s.plain(lastLine(text)))
	if err := chmod(0o755); err != nil {
		return err
	}
	if text, err := as(s.resume(run)).CombinedOutput(); err != nil {
		return fmt.Errorf("going on with folders that may be written to: %w\n%s", err, text)
	}
	s.say("- given the right back, it goes on to its end:\n")
	return s.checkSame(run, straight)
}
