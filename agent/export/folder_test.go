package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// names lists a folder, "" when there is none.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// fill returns a function that writes an export of one other file.
func fill(t *testing.T, name string) func(string) ([]string, error) {
	return func(stage string) ([]string, error) {
		m := &Manifest{Schema: schemaFile, Format: Format, Game: "kiothi", Files: []File{{Path: name}}}
		data, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []struct {
			name string
			data []byte
		}{{name, []byte(name)}, {ManifestFile, data}} {
			path := filepath.Join(stage, filepath.FromSlash(f.name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return []string{name, ManifestFile}, nil
	}
}

var errFull = errors.New("no space left on device")

func fail(stage string) ([]string, error) {
	if err := os.WriteFile(filepath.Join(stage, "half"), nil, 0o644); err != nil {
		return nil, err
	}
	return nil, errFull
}

func TestAFolderAppearsCompleteOrNotAtAll(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "new é")
	for _, there := range []bool{false, true} {
		dir := filepath.Join(parent, "bot")
		if there {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := publish(dir, false, fail); !errors.Is(err, errFull) {
			t.Errorf("error %v", err)
		}
		if _, err := os.Stat(dir); names(t, dir) != "" || (err == nil) != there {
			t.Errorf("a failed export leaves %q, %v", names(t, dir), err)
		}
		if left := names(t, parent); strings.Contains(left, "export") {
			t.Errorf("a failed export leaves %q beside its folder", left)
		}
		if err := publish(dir+string(filepath.Separator), false, fill(t, "a/b")); err != nil || names(t, dir) != "a manifest.json" {
			t.Errorf("an export of two files leaves %q, %v", names(t, dir), err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// What a crash left is no obstacle.
func TestLeftoversAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bot")
	for _, stage := range []string{dir + stageName, filepath.Join(dir, stageName)} {
		if err := os.MkdirAll(filepath.Join(stage, "half"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := publish(dir, false, fill(t, "a")); err != nil || names(t, dir) != "a manifest.json" {
		t.Errorf("an export after a crash leaves %q, %v", names(t, dir), err)
	}
}

func TestNothingButAnExportIsReplaced(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(path string, force bool, want string) {
		t.Helper()
		never := func(string) ([]string, error) { t.Error("the folder is filled"); return nil, nil }
		if err := publish(path, force, never); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	write("mine", "")
	refused(filepath.Join(dir, "mine"), true, "found a file")
	refused(dir, true, "found 1 files in it, expected a folder that is empty")
	write(ManifestFile, `{"format": 1, "name": "an app"}`)
	refused(dir, true, "found 2 files in it")
	if err := os.Remove(filepath.Join(dir, ManifestFile)); err != nil {
		t.Fatal(err)
	}

	bot := filepath.Join(dir, "bot")
	if err := publish(bot, false, fill(t, "a/b")); err != nil {
		t.Fatal(err)
	}
	dir = bot
	write("notes", "mine")
	refused(bot, false, "found an export of kiothi in it: add --force")
	if err := publish(bot, true, fail); !errors.Is(err, errFull) || names(t, bot) != "a manifest.json notes" {
		t.Errorf("a failed replacement leaves %q, %v", names(t, bot), err)
	}
	if err := publish(bot, true, fill(t, "c")); err != nil || names(t, bot) != "c manifest.json notes" {
		t.Errorf("a replacement leaves %q, %v; want the new files, and what is not the export's", names(t, bot), err)
	}
}

// The working directory can be exported to, and stays what it is.
func TestHere(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, force := range []bool{false, true} {
		if err := publish(".", force, fill(t, "a")); err != nil || names(t, ".") != "a manifest.json" {
			t.Errorf("an export to . leaves %q, %v", names(t, "."), err)
		}
	}
}

func TestAnExportCanBeStopped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bot")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Write(ctx, dir, false, newBot(t, open(t, "rio-kadalis", ""))); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left := names(t, filepath.Dir(dir)); left != "" {
		t.Errorf("a stopped export leaves %q", left)
	}
}
