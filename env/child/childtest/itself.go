package childtest

import (
	"os"
	"testing"
)

// Itself returns the path of the test program, to be run as a child. For the rest of the test a variable of the environment
// has a value, by which TestMain knows that it is to be the child.
func Itself(t *testing.T, variable, value string) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(variable, value)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // else each process of a test with the race detector sleeps a second at its end
	return path
}
