package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/env/lock"
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

// What a crash left is no obstacle; what only looks like it, beside the folder, is somebody's.
func TestLeftoversAreNoObstacle(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "bot")
	for _, name := range []string{"bot.export.tmp", "bot.export-1.tmp", filepath.Join("bot", ".export-1.tmp")} {
		put(t, filepath.Join(parent, name), "half", "precious")
	}
	if err := publish(dir, false, fill(t, "a")); err != nil || names(t, dir) != "a manifest.json" {
		t.Errorf("an export after a crash leaves %q, %v", names(t, dir), err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := publish(dir, false, fill(t, "a")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bot.export.tmp", "bot.export-1.tmp"} {
		if text, err := os.ReadFile(filepath.Join(parent, name, "half")); err != nil || string(text) != "precious" {
			t.Errorf("%s became %q, %v", name, text, err)
		}
	}
	if left := names(t, parent); left != "bot bot.export-1.tmp bot.export.tmp" {
		t.Errorf("the export leaves %q", left)
	}
}

// put writes a file into a folder, which is made.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Of two exports to a new folder one is there, whole, and the other is told so.
func TestTwoExportsAtOnceLeaveOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bot")
	err := publish(dir, false, func(stage string) ([]string, error) {
		if err := publish(dir, false, fill(t, "inner")); err != nil {
			t.Errorf("the one that is done first: %v", err)
		}
		return fill(t, "outer")(stage)
	})
	if err == nil || !strings.Contains(err.Error(), "another export") || names(t, dir) != "inner manifest.json" {
		t.Errorf("two exports at once: %v and %q; want the first one, and the other refused", err, names(t, dir))
	}
	if left := names(t, filepath.Dir(dir)); left != "bot" {
		t.Errorf("they leave %q", left)
	}
	// Into a folder that is there, the second does not even begin.
	for _, force := range []bool{false, true} {
		if !force {
			dir = t.TempDir()
		}
		if err := publish(dir, force, func(stage string) ([]string, error) {
			var held *lock.HeldError
			if err := publish(dir, true, fill(t, "inner")); !errors.As(err, &held) || held.PID != os.Getpid() {
				t.Errorf("a second export: %v, want that the folder is in use by this process", err)
			}
			return fill(t, "outer")(stage)
		}); err != nil || names(t, dir) != "manifest.json outer" {
			t.Errorf("beside a second export: %v, %q", err, names(t, dir))
		}
	}
}

// An export that was interrupted, or whose manifest is no more what it was, can be replaced, with what the old one had.
func TestABrokenExportIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := publish(dir, false, fill(t, "a/b")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "notes", "mine")
	lost := func(stage string) ([]string, error) {
		files, err := fill(t, "c")(stage)
		return append([]string{files[0], "not written"}, files[1:]...), err
	}
	if err := publish(dir, true, lost); err == nil || names(t, dir) != ".export.json c notes" {
		t.Fatalf("an interrupted replacement leaves %q, %v", names(t, dir), err)
	}
	if err := publish(dir, false, fill(t, "d")); err == nil || !strings.Contains(err.Error(), "an export that was interrupted in it: add --force") {
		t.Errorf("an interrupted export: %v, want that --force helps", err)
	}
	if err := publish(dir, true, fill(t, "d")); err != nil || names(t, dir) != "d manifest.json notes" {
		t.Errorf("a replacement of an interrupted export leaves %q, %v", names(t, dir), err)
	}
	put(t, dir, schemaFile, string(manifestSchema))
	for what, damage := range map[string]func() error{
		"damaged": func() error { return os.Truncate(filepath.Join(dir, ManifestFile), 10) },
		"missing": func() error { return os.Remove(filepath.Join(dir, ManifestFile)) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if err := publish(dir, false, fill(t, "d")); err == nil || !strings.Contains(err.Error(), "manifest.json is damaged or missing in it: add --force") {
			t.Errorf("%s: %v, want that --force helps", what, err)
		}
		if err := publish(dir, true, fill(t, "d")); err != nil || names(t, dir) != "d manifest.json manifest.schema.json notes" {
			t.Errorf("%s: a replacement leaves %q, %v", what, names(t, dir), err)
		}
	}
}

// A manifest decides what is removed from its folder, and never anything outside of it.
func TestNothingOutsideIsRemoved(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "bot")
	put(t, root, "precious", "mine")
	put(t, dir, listName, `{"export": "kiothi", "files": ["../precious"]}`)
	if err := publish(dir, true, fill(t, "a")); err != nil || names(t, root) != "bot precious" {
		t.Errorf("the export leaves %q, %v", names(t, root), err)
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
	refused(dir, true, "found other files, such as mine, expected a folder that is empty")
	write(ManifestFile, `{"format": 1, "name": "an app"}`)
	refused(dir, true, "found other files, such as ")
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
