package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/players"
	"kiothi/env/webserver"
)

// This file tests the page to play on as the program serves and writes it.

// The page may run WebAssembly and workers of its own, and reach nobody else.
func TestServeAnswersWithThePageToPlayOn(t *testing.T) {
	a := &app{kinds: players.Kinds()}
	handler, err := a.serving()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(webserver.Guard("localhost", webserver.OwnWithWebAssembly, handler))
	defer s.Close()
	for path, want := range map[string]string{
		"/": "text/html; charset=utf-8", "/engine/worker.mjs": "text/javascript; charset=utf-8", "/kiothi.wasm.gz": "application/gzip",
		"/models.json": "application/json",
	} {
		response, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		policy := response.Header.Get("Content-Security-Policy")
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != want || !strings.Contains(policy, "worker-src 'self'") {
			t.Errorf("%s: %s, type %q, policy %q", path, response.Status, response.Header.Get("Content-Type"), policy)
		}
	}
}

func TestServeRefusesWhatItCannotListenAt(t *testing.T) {
	for _, address := range []string{"8080", "localhost:nothing"} {
		if _, stderr, status := kiothi(t, "", "serve", "--listen", address); status == statusOK || !strings.Contains(stderr, "expected HOST:PORT") {
			t.Errorf("--listen %s: status %d, error %q", address, status, stderr)
		}
	}
	if _, _, status := kiothi(t, "", "serve", "something"); status != statusUsage {
		t.Errorf("an argument: status %d, want %d", status, statusUsage)
	}
}

func TestExportWritesThePage(t *testing.T) {
	t.Chdir(t.TempDir())
	out := succeed(t, "", "export", "--web", "a page")
	if !strings.HasPrefix(out, "a page: the page to play on, ") {
		t.Errorf("it says %q", out)
	}
	for _, name := range []string{"index.html", "main.mjs", "engine/worker.mjs", "kiothi.wasm.gz", "models.json"} {
		if info, err := os.Stat(filepath.Join("a page", filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, stderr, status := kiothi(t, "", "export", "--web", "a page"); status != statusFailure || !strings.Contains(stderr, "add --force") {
		t.Errorf("over another: status %d, error %q", status, stderr)
	}
	succeed(t, "", "export", "--web", "a page", "--force")
	for _, args := range [][]string{{"run", "--web", "x"}, {"--web", "x", "--out", "y"}} {
		if _, stderr, status := kiothi(t, "", append([]string{"export"}, args...)...); status != statusUsage {
			t.Errorf("export %v: status %d, error %q", args, status, stderr)
		}
	}
}
