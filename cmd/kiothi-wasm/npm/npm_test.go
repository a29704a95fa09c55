package npm

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The package that is given away is the one that npm pack makes here, but for the scripts.
func TestThePackageIsTheOneOfTheSource(t *testing.T) {
	files, err := Package([]byte("module"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"README.md", "kiothi.wasm", "package.json"}
	for _, pattern := range []string{"*.mjs", "*.d.ts", "example/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if name != "build.mjs" {
				want = append(want, filepath.ToSlash(name))
			}
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	source, err := os.ReadFile(manifestFile)
	if err != nil {
		t.Fatal(err)
	}
	var here, published map[string]any
	if err := json.Unmarshal(source, &here); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(files[manifestFile], &published); err != nil {
		t.Fatal(err)
	}
	delete(here, "scripts")
	if diff := cmp.Diff(here, published); diff != "" {
		t.Errorf("%s (-here +published):\n%s", manifestFile, diff)
	}
	if text := string(files[manifestFile]); strings.Index(text, `"types": "./bot.d.ts"`) > strings.Index(text, `"default": "./bot.mjs"`) {
		t.Errorf("compilers find no types behind a default:\n%s", text)
	}
}
