package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOnePathIsKnownHoweverItIsWritten(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	same := [][2]string{
		{"new", "./new"}, {"new", filepath.Join(dir, "new")}, {"sub/new", "sub/../sub/new"}, {"sub", "sub/"}, {"none/new", "none/./new"}, {"file", "sub/../file"},
	}
	if runtime.GOOS != "windows" { // there, links need a privilege
		if err := os.Symlink("sub", "link"); err != nil {
			t.Fatal(err)
		}
		same = append(same, [2]string{"sub/new", "link/new"}, [2]string{"sub", "link"})
	}
	for _, c := range same {
		if !samePath(c[0], c[1]) {
			t.Errorf("%s and %s are taken for two", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{"new", "other"}, {"new", "sub/new"}, {"file", "sub"}, {"none/new", "sub/new"}} {
		if samePath(c[0], c[1]) {
			t.Errorf("%s and %s are taken for one", c[0], c[1])
		}
	}
}

// What a command with results of hours finds at its path stays, unless it is told otherwise. A text is no result, and stays
// whatever it is told.
func TestNoResultTakesThePlaceOfAFileUnasked(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	solve := []string{"solve", "--game", "rio-kadalis", "--rules", "five-holes", "--progress", "none"}
	match := []string{"evaluate", "random", "greedy", "--games", "2", "--progress", "none"}
	for _, c := range []struct {
		name  string
		line  []string
		kinds bool // a file of another kind is known
	}{
		{"certificate", append(solve, "--out"), true},
		{"weights", append(append([]string{"fit", "--workers", "1", "--progress", "none"}, tinyFit...), "--out"), true},
		{"a.csv", append(match, "--csv"), false},
		{"games", append(match, "--games-out"), false},
		{"text", append(match, "--games-text"), false},
		{"picture.svg", append(match, "--plot"), false},
	} {
		file := path(c.name)
		line := append(c.line[:len(c.line):len(c.line)], file)
		refused := func(want string, more ...string) {
			t.Helper()
			before := content(t, file)
			stdout, stderr, status := kiothi(t, "", append(line, more...)...)
			if status != statusFailure || stdout != "" || !strings.Contains(stderr, file+want) || content(t, file) != before {
				t.Errorf("%s %v: status %d, output %q, error %q, want a refusal with %q", c.name, more, status, stdout, stderr, want)
			}
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil { // as mktemp does
			t.Fatal(err)
		}
		succeed(t, "", line...)
		refused(": it is there already: add --force to replace it, or choose another name")
		succeed(t, "", append(line, "--force")...)
		if c.kinds {
			if err := os.WriteFile(file, []byte("dear diary"), 0o644); err != nil {
				t.Fatal(err)
			}
			refused(": found a file that is no ")
			refused(": found a file that is no ", "--force")
		}
	}
	// The picture of the matches is named by no flag.
	if err := os.Remove(path("picture.svg")); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := kiothi(t, "", append(match, "--plot", path("picture.svg"))...); status != statusFailure || !strings.Contains(stderr, "picture-matches.svg: it is there already") {
		t.Errorf("over a picture of matches: status %d, %s", status, stderr)
	}
}

// What two commands would write, one would lose after its work.
func TestAFileThatIsBeingWrittenIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	first, err := beginFile("csv", path, replacing{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.abort()
	line := []string{"evaluate", "random", "greedy", "--games", "2", "--progress", "none", "--csv", path}
	if _, stderr, status := kiothi(t, "", line...); status != statusFailure || !strings.Contains(stderr, "--csv: "+path+": another program is writing it") {
		t.Errorf("status %d, %s", status, stderr)
	}
	first.abort()
	succeed(t, "", line...)
}

func TestTheCommandsOwnOutputIsNoFileForResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	output, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	was := os.Stdout
	os.Stdout = output
	defer func() { os.Stdout = was }()
	if _, err := beginFile("out", path, replacing{force: true}); err == nil || !strings.Contains(err.Error(), "the command's own output goes there") {
		t.Errorf("the file is begun: %v", err)
	}
}

// Pictures are drawn again and again, in the place of pictures alone.
func TestAPictureTakesThePlaceOfAPictureAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "board.svg")
	succeed(t, "", "show", "--svg", path)
	succeed(t, "", "show", "--svg", path, "--moves", "eh:a3c2J5")
	if err := os.WriteFile(path, []byte("dear diary"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := kiothi(t, "", "show", "--svg", path); status != statusFailure || !strings.Contains(stderr, "--svg: "+path+": found a file that is no picture") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// A file is lost when another one of the same call is put in its place.
func TestTwoFilesOfACallAreNeverOne(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"evaluate random greedy --games 2 --csv a.txt --games-text ./a.txt":           "evaluate: --csv and --games-text are both ./a.txt, expected two files",
		"evaluate random greedy --games 2 --plot out.png --csv out-matches.png":       "evaluate: --csv and --plot are both out-matches.png, expected two files",
		"evaluate random greedy --games 2 --plot shown --games-out ./shown/rates.svg": "",
		"evaluate random greedy --games 2 --plot all --games-out all/ratings.svg":     "evaluate: --games-out and --plot are both " + filepath.Join("all", "ratings.svg") + ", expected two files",
		"solve --rules mancala-world,start=1x3 --save a --out ./a":                    "solve: --save and --out are both ./a, expected two files",
		"solve --rules mancala-world,start=1x3 --resume a --out b/../a":               "solve: --resume and --out are both b/../a, expected two files",
		"solve --rules mancala-world,start=1x3 --resume a --save b --out ./a":         "solve: --resume and --out are both ./a, expected two files",
	} {
		_, stderr, status := kiothi(t, "", strings.Fields(line)...)
		if want == "" {
			if status != statusOK {
				t.Errorf("%s: status %d, %s", line, status, stderr)
			}
			continue
		}
		if status != statusUsage || stderr != "kiothi: "+want+"\n" {
			t.Errorf("%s: status %d, %s, want %s", line, status, stderr, want)
		}
	}
	left, err := filepath.Glob("*")
	if err != nil || len(left) != 1 || left[0] != "shown" {
		t.Errorf("%v is left, want the folder of the one call that is right (%v)", left, err)
	}
}
