package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Train, then play, evaluate and export what was learned: the way of a newcomer, in a folder with a space, a comma and a
// letter beyond ASCII.
func TestWhatWasTrainedPlaysIsMeasuredAndExported(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		dir := filepath.Join("läufe", game+", erster lauf")
		output := succeed(t, "", append([]string{"train", "--game", game, "--dir", dir, "--progress", "none"}, tinyTrain...)...)
		for _, want := range []string{"iteration 1/1: loss policy", "after iteration 1 against random:", "after iteration 1 against greedy:",
			"kiothi play", "kiothi evaluate", "kiothi export"} {
			if !strings.Contains(output, want) {
				t.Errorf("%s: train does not say %q:\n%s", game, want, output)
			}
		}
		spec := "zero:" + strings.ReplaceAll(dir, ",", ",,")
		if !strings.Contains(output, "'"+spec+"',sims=2") && !strings.Contains(output, spec) {
			t.Errorf("%s: train does not name its agent %q:\n%s", game, spec, output)
		}
		if out := succeed(t, "", "evaluate", spec+",sims=4", "policy:"+strings.ReplaceAll(dir, ",", ",,"), "--game", game, "--games", "4"); !strings.Contains(out, "score") {
			t.Errorf("%s: evaluate says %s", game, out)
		}
		if out := succeed(t, "legal\nquit\n", "play", "--game", game, "--agent", spec+",sims=4", "--seat", "north"); !strings.Contains(out, "North is you") {
			t.Errorf("%s: play says %s", game, out)
		}
		if out := succeed(t, "", "play", "--game", game, "--agent", spec+",sims=2", "--agent", "random"); !strings.Contains(out, "wins") && !strings.Contains(out, "draw") {
			t.Errorf("%s: a game between two agents ends with %s", game, out)
		}
		bot := "bot-" + game
		if out := succeed(t, "", "export", dir, "--out", bot); !strings.Contains(out, game) {
			t.Errorf("%s: export says %s", game, out)
		}
		from, to := "zero:"+bot+",sims=4", spec+",sims=4"
		a := succeed(t, "", "evaluate", from, "random", "--game", game, "--games", "6", "--json", "--progress", "none")
		b := succeed(t, "", "evaluate", to, "random", "--game", game, "--games", "6", "--json", "--progress", "none")
		if timeless(strings.ReplaceAll(a, from, "")) != timeless(strings.ReplaceAll(b, to, "")) {
			t.Errorf("%s: the exported network plays otherwise than the run's", game)
		}
	}
}

// A time that is far too short still leaves a run to go on with.
func TestTrainingStopsWhenItsTimeIsUp(t *testing.T) {
	t.Chdir(t.TempDir())
	arguments := append(append([]string{"train", "--dir", "run"}, tinyTrain...), sets("run.iterations=900000")...)
	if out := succeed(t, "", append(arguments, "--for", "50ms")...); !strings.Contains(out, "stopped after 50ms; go on with: kiothi train --resume run") {
		t.Errorf("train says %s", out)
	}
	succeed(t, "", "train", "--resume", "run", "--for", "50ms")
}

// The games of self-play replay to their ends.
func TestTheGamesOfARunAreReplayed(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "", append(append([]string{"train", "--dir", "run é"}, tinyTrain...), sets("run.iterations=2")...)...)
	newest := succeed(t, "", "games", "run é")
	if first := succeed(t, "", "games", "run é", "--iteration", "1"); first == newest || !strings.Contains(first, `"actions":[`) {
		t.Errorf("iteration 1 has the games of the newest, or none: %s", first)
	}
	file := filepath.Join("run é", "games", "000002.kgr")
	if succeed(t, "", "games", file) != newest {
		t.Error("the file of iteration 2 has other games than the newest iteration")
	}
	lines := strings.Count(newest, "\n")
	if over := strings.Count(succeed(t, newest, "trace", "--batch"), `"over":true`); lines < 4 || over != lines {
		t.Errorf("%d of %d games replay to their end", over, lines)
	}
	for _, c := range []struct{ args, want string }{
		{"games nowhere", "nowhere"}, {"games .", "found no games"}, {"games run --iteration 7", "run"},
	} {
		if _, stderr, status := kiothi(t, "", strings.Split(c.args, " ")...); status != statusFailure || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, error %q; want %q", c.args, status, stderr, c.want)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("torn.kgr", data[:len(data)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, status := kiothi(t, "", "games", "torn.kgr"); status != statusFailure || !strings.HasPrefix(newest, stdout) || !strings.Contains(stderr, "torn.kgr") {
		t.Errorf("a torn file: status %d, error %q", status, stderr)
	}
}

func TestNetworksForSomethingElseAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "", append([]string{"train", "--dir", "run"}, tinyTrain...)...)
	for _, c := range []struct{ args, want string }{
		{"play --game rio-kadalis --agent zero:run", "choose --game kiothi"},
		{"play --rules wikipedia-it --agent zero:run", "choose --rules mancala-world"},
		{"play --agent zero:nowhere", "nowhere"},
		{"export run --out run", "found a run of train (config.toml)"},
		{"export nowhere --out bot", "nowhere"},
		{"train --resume nowhere", "found no run"},
	} {
		stdout, stderr, status := kiothi(t, "", strings.Split(c.args, " ")...)
		if status != statusFailure || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, output %q, error %q; want status %d and one line with %q", c.args, status, stdout, stderr, statusFailure, c.want)
		}
	}
	model := filepath.Join("run", "checkpoints", "000001", "model.safetensors")
	if err := os.Truncate(model, 1000); err != nil {
		t.Fatal(err)
	}
	_, stderr, status := kiothi(t, "", "play", "--agent", "zero:run")
	if status != statusFailure || !strings.Contains(stderr, "checksum") || !strings.Contains(stderr, "model.safetensors") {
		t.Errorf("a torn file: status %d, error %q", status, stderr)
	}
}

func TestTrainRefusesAWrongCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("typo.toml", []byte("[training]\nlearning_rte = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join("full", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"train --preset quik", `unknown preset "quik", did you mean "quick"?`},
		{"train --set training.bach=3", `did you mean "training.batch"?`},
		{"train --set training.batch=many", "key training.batch"},
		{"train --set training.batch", "key=value"},
		{"train --game chess", `key game: found "chess", expected "kiothi" or "rio-kadalis"`},
		{"train --rules mancala-word", `did you mean "mancala-world"?`},
		{"train --seed -1", "seed"},
		{"train --config typo.toml", "learning_rte"},
		{"train --resume x --dir y", "exclude each other"},
		{"train --resume x --preset small", "exclude each other"},
		{"train --set evaluation.opponents=gredy", `did you mean "greedy"?`},
		{"train --for -1m", "found -1m0s"},
		{"train extra", "takes no arguments"},
		{"export", "needs the folder"},
		{"export run", "--out is missing"},
	} {
		stdout, stderr, status := kiothi(t, "", strings.Split(c.args, " ")...)
		if status != statusUsage || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, output %q, error %q; want status %d and %q", c.args, status, stdout, stderr, statusUsage, c.want)
		}
	}
}

// Without --dir every run gets a folder of its own; with one that holds a run, nothing is written over.
func TestRunsNeverShareAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []string{"runs/kiothi-quick", "runs/kiothi-quick-2"} {
		succeed(t, "", append([]string{"train"}, tinyTrain...)...)
		if _, err := os.Stat(filepath.FromSlash(want)); err != nil {
			t.Errorf("no run in %s: %v", want, err)
		}
	}
	_, stderr, status := kiothi(t, "", append([]string{"train", "--dir", "runs/kiothi-quick"}, tinyTrain...)...)
	if status != statusUsage || !strings.Contains(stderr, "--resume runs/kiothi-quick") {
		t.Errorf("a folder with a run: status %d, error %q", status, stderr)
	}
}

func TestPrintConfigIsAConfiguration(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, preset := range []string{"quick", "small", "strong"} {
		printed := succeed(t, "", "train", "--preset", preset, "--print-config", "--set", "training.batch=77")
		if err := os.WriteFile("config.toml", []byte(printed), 0o644); err != nil {
			t.Fatal(err)
		}
		if again := succeed(t, "", "train", "--config", "config.toml", "--print-config"); again != printed || !strings.Contains(again, "batch = 77") {
			t.Errorf("%s: what --print-config prints reads back as something else", preset)
		}
	}
}
