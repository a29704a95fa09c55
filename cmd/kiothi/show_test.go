package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestShowDrawsAPosition(t *testing.T) {
	out := succeed(t, "", "show", "--position", "0,0,3,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 cE 20-20 N sow 9")
	inOrder(t, out, "North     J    I", "2    0    0    0    5    5*", "store 20", "3*", "store 20", "South     a    b", "North to sow, 9 turns")
	if strings.Contains(out, "\x1b") {
		t.Errorf("what is no terminal gets escapes: %q", out)
	}
}

func TestShowPlaysMoves(t *testing.T) {
	out := succeed(t, "", "show", "--game", "rio-kadalis", "--moves", "c", "--color", "always")
	// c's four go to d, e, f and A, and A's five to the next ones, up to F.
	if plain := succeed(t, "", "show", "--game", "rio-kadalis", "--moves", "c", "--color", "never"); strings.Contains(plain, "\x1b") || plain == out {
		t.Errorf("without colours: %q", plain)
	}
	inOrder(t, out, "\x1b[1mNorth\x1b[0m", "\x1b[2;7m0\x1b[0m", "\nNorth to sow")
	out = succeed(t, "", "show", "--moves", "eh:a3c2J5 EH:A3C2j5")
	inOrder(t, out, "3*", "South to sow, 0 turns")
}

func TestShowWritesAPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "board é.svg")
	text := succeed(t, "", "show", "--svg", path)
	picture, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(picture, []byte("<svg ")) || !strings.HasPrefix(text, "North") {
		t.Errorf("the file begins with %.40q and the output with %.40q", picture, text)
	}
	if out := succeed(t, "", "show", "--svg", "-"); out != string(picture) {
		t.Errorf("--svg - prints %.60q…, want the picture alone", out)
	}
	if _, stderr, status := kiothi(t, "", "show", "--svg", filepath.Join(path, "no", "where.svg")); status != statusFailure || !strings.Contains(stderr, "show: --svg: ") {
		t.Errorf("a picture that cannot be written: status %d, %q", status, stderr)
	}
}
