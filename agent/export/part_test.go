package export

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// What a part brings lies in the folder, and is told in its README and its manifest as everything else.
func TestAFolderHoldsItsParts(t *testing.T) {
	b := newBot(t, open(t, "rio-kadalis", ""))
	b.Parts = []Part{{
		Name: "more", Doc: "something more", Section: "## More\n\nThere is more.\n",
		Files:  map[string][]byte{"more/deep/a": []byte("a"), "examples/more": []byte("x"), "more/empty": nil},
		Copies: map[string]string{"more/weights": "model.safetensors"},
	}}
	dir, m := exported(t, b)
	listed := map[string]int64{}
	for _, f := range m.Files {
		listed[f.Path] = f.Bytes
	}
	weights := read(t, dir, "model.safetensors")
	for name, want := range map[string][]byte{"more/deep/a": []byte("a"), "examples/more": []byte("x"), "more/empty": {}, "more/weights": weights} {
		if got := read(t, dir, name); !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes, want %d", name, len(got), len(want))
		}
		if n, ok := listed[name]; !ok || n != int64(len(want)) {
			t.Errorf("the manifest gives %s %d bytes, want %d", name, n, len(want))
		}
	}
	page := string(read(t, dir, readmeFile))
	if !strings.Contains(page, "\n| `more/` | something more |\n") || !strings.Contains(page, "\n## More\n\nThere is more.\n\n## ") {
		t.Errorf("the README is\n%s", page)
	}
}

func TestAPartCannotReplaceOrLeaveTheFolder(t *testing.T) {
	b := newBot(t, open(t, "rio-kadalis", ""))
	for _, name := range []string{"README.md", "manifest.json", "examples/check.py", "../x", "/x", ""} {
		dir := filepath.Join(t.TempDir(), "bot")
		b.Parts = []Part{{Name: "more", Files: map[string][]byte{name: nil}}}
		if err := Write(context.Background(), dir, false, b); err == nil || !strings.Contains(err.Error(), "the part more has a file") {
			t.Errorf("a file %q: %v", name, err)
		}
		if left := names(t, filepath.Dir(dir)); left != "" {
			t.Errorf("a refused part leaves %q", left)
		}
	}
	b.Parts = []Part{{Name: "more", Files: map[string][]byte{"more/a": nil}}, {Name: "less", Copies: map[string]string{"more/a": "model.json"}}}
	if err := Write(context.Background(), filepath.Join(t.TempDir(), "bot"), false, b); err == nil || !strings.Contains(err.Error(), `the part less has a file "more/a"`) {
		t.Errorf("two parts with one file: %v", err)
	}
}
