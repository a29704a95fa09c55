package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// snapshot returns the content of every file below a folder.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// Whatever a command makes, no other command writes into its folder, nor into a folder of something else; the one who made it
// goes on.
func TestNoCommandWritesIntoAFolderOfAnother(t *testing.T) {
	t.Chdir(t.TempDir())
	line := func(words ...string) []string { return words }
	game := func(words ...string) []string { return append(words, "--game", "rio-kadalis", "--progress", "none") }
	train := append(game("train"), tinyTrain...)
	commands := map[string][]string{ // the folder comes last
		"run":     append(train, "--dir"),
		"games":   append(game("distill", "games"), "--games", "40", "--shard", "20", "--depth", "1", "--dir"),
		"network": append(game("distill", "learn", "games", "--epochs", "1"), "--dir"),
		"bot":     line("export", "rio-kadalis-quick", "--without", "npm,web", "--force", "--out"),
		"page":    line("export", "--force", "--web"),
	}
	into := func(command, dir string) []string { return append(append([]string{}, commands[command]...), dir) }
	for _, made := range []string{"run", "games", "network", "bot", "page"} {
		succeed(t, "", into(made, made)...)
	}
	if err := os.MkdirAll("other", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("other", "eval.nnue"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, found := range map[string]string{"run": "a run of train", "games": "games of distill", "network": "a network of distill", "bot": "a bot",
		"page": "the page", "other": "other files, such as eval.nnue"} {
		before := snapshot(t, dir)
		for command := range commands {
			if command == dir || dir == "games" && command == "network" {
				continue // its own, or the games that it is given
			}
			_, stderr, status := kiothi(t, "", into(command, dir)...)
			if status != statusFailure || !strings.Contains(stderr, "found "+found) || !strings.Contains(stderr, "choose another folder") {
				t.Errorf("%s into the folder of a %s: status %d, %q; want a refusal that says what it is", command, dir, status, stderr)
			}
		}
		after := snapshot(t, dir)
		for path, text := range before {
			if after[path] != text {
				t.Errorf("%s was changed", path)
			}
		}
		if len(after) != len(before) {
			t.Errorf("%s: %d files became %d", dir, len(before), len(after))
		}
	}
	for _, own := range []string{"games", "network", "bot", "page"} {
		succeed(t, "", into(own, own)...)
	}
	succeed(t, "", "train", "--resume", "run", "--progress", "none")
}
