package checkpoint

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/lock"
)

// open opens a store that the test closes.
func open(t *testing.T, dir string, keep int) *Store {
	t.Helper()
	s, err := Open(dir, keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestASecondStoreInTheSameFolderIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run é 1")
	s := open(t, dir, 1)
	var held *lock.HeldError
	if _, err := Open(dir, 1); !errors.As(err, &held) || held.Dir != dir || held.PID != os.Getpid() {
		t.Fatalf("the second Open returned %v, want that this process has %s", err, dir)
	}
	s.Close()
	open(t, dir, 1)
}

// newStore opens a store in a new folder whose path has a space and an é.
func newStore(t *testing.T, keep int) *Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "run é 1", "checkpoints"), keep)
}

// files returns a fill that writes two files, one of them in a folder.
func files(text string) func(string) error {
	return func(dir string) error {
		return errors.Join(
			os.WriteFile(filepath.Join(dir, "weights"), []byte("weights "+text), 0o644),
			os.Mkdir(filepath.Join(dir, "games"), 0o755),
			os.WriteFile(filepath.Join(dir, "games", "é 1"), []byte("games "+text), 0o644),
		)
	}
}

// create makes snapshots.
func create(t *testing.T, s *Store, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := s.Create(name, files(name)); err != nil {
			t.Fatal(err)
		}
	}
}

// wantList checks the sound snapshots and the number of broken ones.
func wantList(t *testing.T, s *Store, broken int, want ...string) {
	t.Helper()
	all, err := s.names()
	if err != nil {
		t.Fatal(err)
	}
	sound := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return s.check(name) != nil })
	if diff := cmp.Diff(want, sound); diff != "" {
		t.Errorf("snapshots (-want +got):\n%s", diff)
	}
	if found := len(all) - len(sound); found != broken {
		t.Errorf("found %d broken snapshots, want %d", found, broken)
	}
}

// wantDir checks what is in the store's folder, the lock aside.
func wantDir(t *testing.T, s *Store, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.Name() != lock.File {
			got = append(got, e.Name())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the store's folder (-want +got):\n%s", diff)
	}
}

func TestASnapshotHoldsWhatWasWritten(t *testing.T) {
	s := newStore(t, 3)
	create(t, s, "000001")
	for name, want := range map[string]string{"weights": "weights 000001", "games/é 1": "games 000001"} {
		got, err := os.ReadFile(filepath.Join(s.Path("000001"), filepath.FromSlash(name)))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
}

func TestLatestIsTheNewestSoundOne(t *testing.T) {
	s := newStore(t, 9)
	if _, _, err := s.Latest(); !errors.Is(err, ErrNone) {
		t.Errorf("Latest of an empty store returned %v, want ErrNone", err)
	}
	create(t, s, "000009", "000009-000040", "000010")
	name, skipped, err := s.Latest()
	if name != "000010" || skipped != nil || err != nil {
		t.Errorf("Latest = %s, %v, %v; want 000010", name, skipped, err)
	}
}

func TestRetentionKeepsTheNewest(t *testing.T) {
	s := newStore(t, 2)
	create(t, s, "000001", "000002", "000003", "000003-000001")
	wantDir(t, s, "000003", "000003-000001")
}

func TestRetentionNeverRemovesTheOnlySoundOne(t *testing.T) {
	s := newStore(t, 1)
	create(t, s, "000001")
	if err := os.Mkdir(s.Path("000002"), 0o755); err != nil { // a broken one, without a manifest
		t.Fatal(err)
	}
	if err := s.prune(); err != nil {
		t.Fatal(err)
	}
	wantList(t, s, 1, "000001")
	create(t, s, "000003") // now there is a better one, and both others are too old
	wantDir(t, s, "000003")
}

func TestBrokenSnapshotsAreSkippedWithAReason(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(dir string) error
		reason string
	}{
		"torn file": {func(dir string) error { return os.Truncate(filepath.Join(dir, "weights"), 3) }, "weights: expected 14 bytes, found 3"},
		"flipped bit": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "weights"), []byte("veights 000002"), 0o644)
		}, "weights: expected sha256"},
		"missing file":     {func(dir string) error { return os.Remove(filepath.Join(dir, "games", "é 1")) }, "games/é 1: expected a file, found none"},
		"missing folder":   {func(dir string) error { return os.RemoveAll(filepath.Join(dir, "games")) }, "games/é 1: expected a file, found none"},
		"missing manifest": {func(dir string) error { return os.Remove(filepath.Join(dir, ManifestFile)) }, ManifestFile + ": expected a file, found none"},
		"torn manifest":    {func(dir string) error { return os.Truncate(filepath.Join(dir, ManifestFile), 20) }, ManifestFile + ": expected JSON"},
		"empty manifest":   {manifestOf(`{"format": 1, "files": []}`), "expected files"},
		"newer manifest":   {manifestOf(`{"format": 2, "novelty": 1}`), "expected format version 1, found 2"},
		"unknown field":    {manifestOf(`{"format": 1, "novelty": 1}`), "novelty"},
		"path outside":     {manifestOf(`{"format": 1, "files": [{"path": "../000001/weights"}]}`), "inside the snapshot"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, 3)
			create(t, s, "000001", "000002")
			if err := c.damage(s.Path("000002")); err != nil {
				t.Fatal(err)
			}
			s.Close()
			s = open(t, s.dir, 3)
			name, skipped, err := s.Latest()
			if name != "000001" || err != nil || len(skipped) != 1 {
				t.Fatalf("Latest = %s, %v, %v; want 000001 and one skipped", name, skipped, err)
			}
			var broken *BrokenError
			if err := skipped[0]; !errors.As(err, &broken) || broken.Path != s.Path("000002") || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("the error is %v, want a *BrokenError with %q", err, c.reason)
			}
			wantList(t, s, 1, "000001")
			create(t, s, "000002") // the broken one gives way
			wantList(t, s, 0, "000001", "000002")
		})
	}
}

// manifestOf returns a damage that replaces the manifest.
func manifestOf(text string) func(string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, ManifestFile), []byte(text), 0o644) }
}

func TestLeftoversOfACrashAreRemovedAtOpen(t *testing.T) {
	s := newStore(t, 3)
	create(t, s, "000001")
	half := s.Path("000002.tmp")
	if err := os.MkdirAll(filepath.Join(half, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = open(t, s.dir, 3)
	if diff := cmp.Diff([]string{half}, s.Removed()); diff != "" {
		t.Errorf("Removed (-want +got):\n%s", diff)
	}
	wantDir(t, s, "000001")
}

func TestAFailedSaveKeepsThePreviousSnapshot(t *testing.T) {
	broken := errors.New("no space left")
	for name, fail := range map[string]func(*Store) error{
		"midway": func(s *Store) error {
			return s.Create("000002", func(dir string) error { return errors.Join(files("x")(dir), broken) })
		},
		"at the rename": func(s *Store) error {
			s.rename = func(string, string) error { return broken }
			return s.Create("000002", files("x"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, 1)
			create(t, s, "000001")
			if err := fail(s); !errors.Is(err, broken) {
				t.Errorf("Create returned %v, want the failure", err)
			}
			wantDir(t, s, "000001")
			wantList(t, s, 0, "000001")
		})
	}
}

func TestAPanicInFillLeavesNothing(t *testing.T) {
	s := newStore(t, 1)
	func() {
		defer func() { recover() }()
		s.Create("000001", func(dir string) error { panic(files("x")(dir)) })
	}()
	wantDir(t, s)
}

func TestCreateRefusesWhatIsNoSnapshot(t *testing.T) {
	s := newStore(t, 3)
	for name, fill := range map[string]func(string) error{
		"nothing": func(string) error { return nil },
		"a file of the manifest's name": func(dir string) error {
			return errors.Join(files("x")(dir), os.WriteFile(filepath.Join(dir, ManifestFile), nil, 0o644))
		},
		"a link": func(dir string) error { return os.Symlink("elsewhere", filepath.Join(dir, "link")) },
	} {
		if err := s.Create("000001", fill); err == nil {
			t.Errorf("a snapshot of %s was saved", name)
		}
	}
	wantDir(t, s)
}

func TestNamesAreCheckedAndGrow(t *testing.T) {
	s := newStore(t, 3)
	for _, name := range []string{"", "1", "000001.tmp", "../000001", "0000001", "000001-1", "lock"} {
		if err := s.Create(name, files("x")); err == nil {
			t.Errorf("Create took the name %q", name)
		}
	}
	create(t, s, "000005")
	for _, name := range []string{"000005", "000004", "000004-000009"} {
		if err := s.Create(name, files("x")); err == nil || !strings.Contains(err.Error(), "000005") {
			t.Errorf("Create of %s after 000005 returned %v, want an error that names 000005", name, err)
		}
	}
}

func TestNameSortsByAge(t *testing.T) {
	names := []string{Name(0, 0), Name(0, 7), Name(9, 0), Name(9, 40), Name(9, 300), Name(10, 0), Name(MaxNumber, MaxNumber)}
	if !slices.IsSorted(names) {
		t.Errorf("the names are not in order: %v", names)
	}
	for _, name := range names {
		if err := checkName(name); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "checkpoints"), 1); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("Open below a file returned %v, want an error that names it", err)
	}
	if _, err := Open(t.TempDir(), 0); err == nil || !strings.Contains(err.Error(), "at least 1") {
		t.Errorf("Open with nothing to keep returned %v", err)
	}
}

func TestAReadOnlyFolderIsAnErrorAndLosesNothing(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	s := newStore(t, 1)
	create(t, s, "000001")
	if err := os.Chmod(s.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(s.dir, 0o755) })
	if err := s.Create("000002", files("x")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("Create returned %v, want os.ErrPermission", err)
	}
	wantList(t, s, 0, "000001")
}

func TestThatOldOnesCannotBeRemovedIsSaidAndLosesNothing(t *testing.T) {
	s := newStore(t, 1)
	create(t, s, "000001")
	denied := errors.New("denied")
	rename := s.rename
	s.rename = func(from, to string) error {
		if temporary(to) {
			return denied
		}
		return rename(from, to)
	}
	err := s.Create("000002", files("x"))
	var prune *PruneError
	if !errors.As(err, &prune) || !errors.Is(err, denied) {
		t.Errorf("Create returned %v, want a *PruneError", err)
	}
	wantList(t, s, 0, "000001", "000002")
}
