package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/release"
)

// An export holds all that its manifest says, is not written over unasked, and exports to itself: what goes into another
// folder from there is the same to the byte, with how strong the network was found to be.
func TestExportsAreExportedAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "", append([]string{"train", "--game", "rio-kadalis", "--dir", "run é", "--progress", "none"}, tinyTrain...)...)
	succeed(t, "", "export", "run é", "--out", "a bot")
	manifest, err := os.ReadFile(filepath.Join("a bot", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bot.onnx", "bot-raw.onnx", "vectors.jsonl", "manifest.schema.json", "README.md", "model.json",
		"model.safetensors", "examples/check.py", "examples/check.mjs", "examples/check.html", "examples/example.py", "examples/example.mjs", "examples/example-engine.py",
		"npm/package.json", "npm/kiothi.wasm", "npm/bot/model.safetensors", "examples/example-npm.mjs", "examples/check-npm.mjs", "web/index.html", "web/models/bot/model.safetensors"} {
		if _, err := os.Stat(filepath.Join("a bot", filepath.FromSlash(name))); err != nil || !bytes.Contains(manifest, []byte(`"path": "`+name+`"`)) {
			t.Errorf("%s: %v, or the manifest does not name it", name, err)
		}
	}

	if _, stderr, status := kiothi(t, "", "export", "run é", "--out", "a bot"); status != statusFailure || !strings.Contains(stderr, "add --force") {
		t.Errorf("an export over another: status %d, error %q", status, stderr)
	}
	succeed(t, "", "export", "a bot", "--out", "a bot", "--force")
	if again, err := os.ReadFile(filepath.Join("a bot", "manifest.json")); err != nil || !bytes.Equal(manifest, again) {
		t.Errorf("an export over itself has other files, %v", err)
	}

	strength := []byte(`[{"agent": "zero:x", "opponent": "greedy", "games": 400, "score": 0.9, "interval": [0.87, 0.93], "conditions": "none"}]`)
	if err := os.WriteFile(filepath.Join("a bot", "strength.json"), strength, 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", "export", "a bot", "--out", "new/bot")
	again, err := os.ReadFile(filepath.Join("new", "bot", "manifest.json"))
	if err != nil || !bytes.Contains(again, []byte(`"opponent": "greedy"`)) || !bytes.Contains(again, []byte(`"path": "strength.json"`)) {
		t.Errorf("the strength is lost, %v", err)
	}
}

func TestAReleaseIsExportedByItsName(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "", "export", "kiothi-mancala-world", "--out", "strong", "--without", "npm,web")
	if page, err := os.ReadFile(filepath.Join("strong", "README.md")); err != nil || !strings.Contains(string(page), "\n| `greedy` | 1.000 ") {
		t.Errorf("the strength of a release is lost, %v:\n%s", err, page)
	}
	succeed(t, "", "export", "rio-kadalis-quick", "--out", "bot", "--without", "npm")
	for name, want := range map[string]bool{"npm": false, "web": true, "examples/check-npm.mjs": false} {
		if _, err := os.Stat(filepath.Join("bot", name)); (err == nil) != want {
			t.Errorf("without npm: %s: %v, want it there: %v", name, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join("bot", "manifest.json")); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{{"export", "nowhere", "--out", "x"}, {"evaluate", "zero:nowhere", "greedy"}, {"evaluate", "alphabeta:depth=1,net=nowhere", "greedy"}, {"evaluate", "zero:release:nowhere", "greedy"}, {"evaluate", "alphabeta:depth=1,net=release:nowhere", "greedy"}} {
		if _, stderr, status := kiothi(t, "", args...); status != statusFailure || !strings.Contains(stderr, "this program carries kiothi-") {
			t.Errorf("%v: status %d, error %q, want the releases", args, status, stderr)
		}
	}
}

// Not every release has a network for every player: only those are offered that have one, and the others say what they have.
func TestAReleaseWithoutTheNetworkSaysWhatItHas(t *testing.T) {
	t.Chdir(t.TempDir())
	policy, evaluation := release.Policy.Hint(), release.Evaluation.Hint()
	if !strings.Contains(policy, "kiothi-quick") || strings.Contains(policy, "rio-kadalis-standard") || strings.Contains(evaluation, "kiothi-quick") {
		t.Errorf("offered are %q and %q", policy, evaluation)
	}
	for _, c := range []struct{ line, found, offered string }{
		{"export rio-kadalis-standard --out x", "rio-kadalis-standard holds only an evaluation network (net=)", policy},
		{"evaluate zero:rio-kadalis-standard random --game rio-kadalis", "rio-kadalis-standard holds only an evaluation network (net=)", policy},
		{"evaluate policy:release:rio-kadalis-standard random --game rio-kadalis", "rio-kadalis-standard holds only an evaluation network (net=)", policy},
		{"train --init-from rio-kadalis-standard --game rio-kadalis", "rio-kadalis-standard holds only an evaluation network (net=)", policy},
		{"evaluate alphabeta:depth=1,net=kiothi-quick random", "kiothi-quick holds only a policy network (zero:)", evaluation},
		{"evaluate alphabeta:depth=1,net=nope random", "nope", evaluation},
		{"evaluate zero:nope random", "nope", policy},
	} {
		_, stderr, status := kiothi(t, "", strings.Fields(c.line)...)
		if status == statusOK || !strings.Contains(stderr, c.found) || !strings.HasSuffix(strings.TrimSpace(stderr), c.offered) {
			t.Errorf("%s: status %d, error %q; want %q and %q", c.line, status, stderr, c.found, c.offered)
		}
	}
}
