package folders

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// holding returns a folder with some files, and folders whose names end with a slash.
func holding(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		parent := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			parent = path
		}
		if err := os.MkdirAll(parent, 0o755); err != nil {
			t.Fatal(err)
		}
		if parent == path {
			continue
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What is one's own is written to again, and what is empty; everything else is refused by what it is.
func TestAFolderIsOfOneKind(t *testing.T) {
	marks := map[Kind]string{Bot: "model.json", Run: "config.toml", Games: "games.json", Network: "state.json", Page: "page.json"}
	for want := range Other {
		for kind, mark := range marks {
			err := Check(holding(t, mark, "more"), want)
			var wrong *Error
			if kind == want {
				if err != nil {
					t.Errorf("%v is refused where it is wanted: %v", kind, err)
				}
			} else if !errors.As(err, &wrong) || wrong.Found != kind || wrong.Want != want || !strings.Contains(err.Error(), kind.String()+" ("+mark+")") {
				t.Errorf("%v where %v is wanted: %v, want a refusal by its name", kind, want, err)
			}
		}
		var wrong *Error
		if err := Check(holding(t, "a/", "b/thesis.txt"), want); !errors.As(err, &wrong) || wrong.Found != Other ||
			!strings.Contains(err.Error(), "other files, such as b/thesis.txt, expected") || !strings.HasSuffix(err.Error(), "choose another folder") {
			t.Errorf("somebody's file where %v is wanted: %v", want, err)
		}
		if err := Check(filepath.Join(t.TempDir(), "new"), want); err != nil {
			t.Errorf("a folder that does not exist, where %v is wanted: %v", want, err)
		}
	}
}

// A folder that is of two kinds was written to by mistake: neither goes on in it.
func TestAFolderOfTwoKindsIsRefused(t *testing.T) {
	dir := holding(t, "config.toml", "state.json")
	for _, want := range []Kind{Run, Network} {
		if err := Check(dir, want); err == nil {
			t.Errorf("%v is taken in a folder with another kind", want)
		}
	}
	if err := Check(holding(t, "model.json", "state.json", "manifest.json"), Network); err == nil || !strings.Contains(err.Error(), "checkpoint") {
		t.Errorf("a network in a checkpoint: %v, want a refusal", err)
	}
}

// What stopped before it had anything begins once more.
func TestWhatIsLeftOfABeginIsNothing(t *testing.T) {
	for want := range Other {
		if err := Check(holding(t, "lock", "games/", "checkpoints/lock", "config.toml.part.tmp", "games.json.part.tmp", "games.json.part-2.tmp"), want); err != nil {
			t.Errorf("an unfinished begin, where %v is wanted: %v", want, err)
		}
	}
	for _, name := range []string{"thesis.tmp", "config.toml.tmp", "config.toml.part-thesis.tmp", "config.toml.part-.tmp"} {
		if err := Check(holding(t, name), Run); err == nil {
			t.Errorf("somebody's temporary file %s is nothing", name)
		}
	}
}

func TestAFileIsNoFolder(t *testing.T) {
	if err := Check(filepath.Join(holding(t, "file"), "file"), Run); err == nil || !strings.Contains(err.Error(), "found a file, expected a folder") {
		t.Errorf("a file: %v", err)
	}
}

func TestKindsCanBePrinted(t *testing.T) {
	for kind, want := range map[Kind]string{Empty: "nothing", Other: "other files", -1: "Kind(-1)", Other + 1: "Kind(7)"} {
		if got := kind.String(); got != want {
			t.Errorf("a kind is written %q, want %q", got, want)
		}
	}
}
