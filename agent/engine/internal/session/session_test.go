package session

import (
	"context"
	"os"
	"testing"
)

// childVariable makes the test program an engine that ends at once.
const childVariable = "KIOTHI_TEST_SESSION"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The id of a process that has ended may be another program's by now.
func TestAProcessThatHasEndedIsNotKilled(t *testing.T) {
	t.Setenv(childVariable, "1")
	s, err := Start([]string{os.Args[0]}, "engine")
	if err != nil {
		t.Fatal(err)
	}
	<-s.Exited()
	s.end = func() error {
		t.Error("a process that has ended is killed")
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = s.Write(ctx, "stop\n") // an error: the engine is gone
	_ = s.Failure(context.Canceled)
	s.Close()
	s.Kill()
}
