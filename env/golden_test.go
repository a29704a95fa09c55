package env_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// This file compares with stored files, which are rewritten by
//
//	go test ./env -update

var update = flag.Bool("update", false, "rewrite the stored files that tests compare with")

// sameAsFile checks that a file holds what was made now.
func sameAsFile(t *testing.T, path, made string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(made), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with: go test ./env -update", err)
	}
	// A checkout on Windows may end lines with a carriage return.
	if stored = bytes.ReplaceAll(stored, []byte("\r\n"), []byte("\n")); string(stored) != made {
		t.Errorf("%s holds another text than is made now; look at the difference after: go test ./env -update", path)
	}
}
