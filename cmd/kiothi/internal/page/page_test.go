package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kiothi/agent/release"
	_ "kiothi/models"
)

// read returns the files of the page.
func read(t *testing.T) Files {
	t.Helper()
	files, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every file that a file of the page names is there, and no address is one of elsewhere.
func TestThePageIsCompleteAndNeedsNobody(t *testing.T) {
	files := read(t)
	for _, name := range []string{"index.html", "engine/kiothi.mjs", "engine/worker.mjs", moduleFile, "models.json"} {
		if files[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	named := regexp.MustCompile(`(?:from |import |new URL\(|src=|href=)"([^"#][^"]*)"`)
	outside := regexp.MustCompile(`(?:https?:)?//[a-z]+\.`)
	for name, data := range files {
		if ext := filepath.Ext(name); ext != ".mjs" && ext != ".html" && ext != ".css" && ext != ".svg" {
			continue
		}
		for _, m := range named.FindAllSubmatch(data, -1) {
			to := filepath.ToSlash(filepath.Join(filepath.Dir(name), string(m[1])))
			if files[to] == nil && to != "engine/kiothi.wasm" && !strings.HasPrefix(string(m[1]), "node:") { // the page says where the module is
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
		for _, m := range outside.FindAll(data, -1) {
			if !bytes.Contains(data, []byte("http://www.w3.org/2000/svg")) || string(m) != "http://www." {
				t.Errorf("%s names an address elsewhere: %s", name, m)
			}
		}
	}
	module, err := gzip.NewReader(bytes.NewReader(files[moduleFile]))
	if err != nil {
		t.Fatal(err)
	}
	magic := make([]byte, 4)
	if _, err := io.ReadFull(module, magic); err != nil || string(magic) != "\x00asm" {
		t.Errorf("the module begins with %q, %v", magic, err)
	}
}

// What the page may do is said in it, too, for hosts that say nothing.
func TestThePageBringsItsOwnPolicy(t *testing.T) {
	html := string(read(t)["index.html"])
	if !strings.Contains(html, `http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; `) {
		t.Error("index.html has no policy")
	}
	if regexp.MustCompile(`<script>|style="|onclick=`).MatchString(html) {
		t.Error("index.html has what its policy forbids")
	}
}

func TestReleasedBotsAreListed(t *testing.T) {
	files := Files{}
	releases := func() ([]release.Release, error) {
		return []release.Release{{Name: "a", Game: "kiothi", Rules: "x", Agent: "zero:a", Rating: 7}}, nil
	}
	carried := fstest.MapFS{"a/model.json": {Data: []byte("{}")}, "a/model.safetensors": {Data: []byte("w")}, "b/other.json": {}}
	if err := files.addModels(releases, carried); err != nil {
		t.Fatal(err)
	}
	var list []listedModel
	if err := json.Unmarshal(files["models.json"], &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Agent != "zero:a" || !slices.Equal(list[0].Files, []string{"model.json", "model.safetensors"}) ||
		string(files["models/a/model.safetensors"]) != "w" || files["models/b/other.json"] != nil {
		t.Errorf("listed: %+v", list)
	}
	none := Files{}
	if err := none.addModels(func() ([]release.Release, error) { return nil, nil }, nil); err != nil || string(none["models.json"]) != "[]" {
		t.Errorf("without releases: %s, %v", none["models.json"], err)
	}
}

func TestFilesAreServedWithTheirTypes(t *testing.T) {
	handlers, err := read(t).Handlers()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for pattern, handler := range handlers {
		mux.Handle(pattern, handler)
	}
	for path, want := range map[string]string{
		"/": "text/html; charset=utf-8", "/index.html": "text/html; charset=utf-8", "/main.mjs": "text/javascript; charset=utf-8",
		"/engine/worker.mjs": "text/javascript; charset=utf-8", "/style.css": "text/css; charset=utf-8", "/models.json": "application/json",
		"/" + moduleFile: "application/gzip", "/models/kiothi-quick/model.safetensors": "application/octet-stream", "/icon.svg": "image/svg+xml",
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != want || w.Header().Get("Content-Encoding") != "" || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, type %q", path, w.Code, w.Header().Get("Content-Type"))
		}
	}
	for path, want := range map[string]int{"/other": http.StatusNotFound, "/engine/": http.StatusNotFound, "/../page.go": http.StatusTemporaryRedirect} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want && w.Code != http.StatusMovedPermanently {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("POST", "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a POST has status %d", w.Code)
	}
}

func TestAFolderIsWrittenOnlyOverAPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "web é")
	old := Files{"index.html": []byte("old"), "gone/old.mjs": []byte("x")}
	if err := old.Write(dir, false); err != nil {
		t.Fatal(err)
	}
	files := Files{"index.html": []byte("new"), "engine/a.mjs": []byte("y")}
	if err := files.Write(dir, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a page is replaced unasked: %v", err)
	}
	own := filepath.Join(dir, "own.txt")
	if err := os.WriteFile(own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(dir, true); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"index.html": "new", "engine/a.mjs": "y", "own.txt": ""} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "gone", "old.mjs")); err == nil {
		t.Error("a file of the old page is still there")
	}

	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		if err := files.Write(other, force); err == nil || !strings.Contains(err.Error(), "found other files in it, such as ") {
			t.Errorf("something else is written over, force %v: %v", force, err)
		}
	}
	if err := files.Write(own, false); err == nil || !strings.Contains(err.Error(), "expected a folder") {
		t.Errorf("a file is taken for a folder: %v", err)
	}
}

// The list of a folder decides what is removed from it, and never anything outside of it.
func TestNothingOutsideIsRemoved(t *testing.T) {
	root := t.TempDir()
	dir, precious := filepath.Join(root, "web"), filepath.Join(root, "precious")
	for path, text := range map[string]string{filepath.Join(dir, listFile): `{"page": "kiothi", "files": ["../precious"]}`, precious: ""} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := (Files{"index.html": nil}).Write(dir, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}
