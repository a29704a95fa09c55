package env_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// list returns what go list prints.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestPackagesImportOnlyWhatLiesBelowThem keeps the engines and the environment free of everything but the standard
// library, so that they build small and for any target, and the agents free of the training. (The test kit enginetest may
// use more.)
func TestPackagesImportOnlyWhatLiesBelowThem(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to list imports with")
	}
	for _, c := range []struct {
		packages string
		ours     []string // prefixes of the packages of this module that may be imported
		others   bool     // other modules may be imported
	}{
		{"kiothi/env/...", []string{"kiothi/env"}, false},
		{"kiothi/models", []string{"kiothi/env", "kiothi/models", "kiothi/agent/release"}, false},
		{"kiothi/agent/...", []string{"kiothi/env", "kiothi/models", "kiothi/agent"}, true},
		{"kiothi/train/...", []string{"kiothi/env", "kiothi/models", "kiothi/agent", "kiothi/train"}, true},
	} {
		packages := slices.DeleteFunc(list(t, c.packages), func(path string) bool { return strings.HasSuffix(path, "/enginetest") })
		for _, path := range list(t, append([]string{"-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, packages...)...) {
			if !strings.HasPrefix(path, "kiothi/") {
				if !c.others {
					t.Errorf("%s import %s, want the standard library alone", c.packages, path)
				}
				continue
			}
			allowed := false
			for _, prefix := range c.ours {
				allowed = allowed || path == prefix || strings.HasPrefix(path, prefix+"/")
			}
			if !allowed {
				t.Errorf("%s import %s, which lies above them", c.packages, path)
			}
		}
	}
}
