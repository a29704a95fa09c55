package bridge

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env"
	"kiothi/env/mancala"
)

func TestAPanicBecomesAFailureWithItsStack(t *testing.T) {
	f := Guard(func() error { panic("oh") })
	if f == nil || f.Kind != KindInternal || !strings.Contains(f.Message, "oh") || !strings.Contains(f.Message, "failure_test.go") {
		t.Errorf("got %+v, want an internal failure that tells the panic and where it was", f)
	}
}

func TestAPanicInAGoroutineBecomesAFailureToo(t *testing.T) {
	f := Guard(func() error {
		return spread(4*fewRows, 4, func(part, _, _ int) error {
			if part == 2 {
				panic("oh")
			}
			return nil
		})
	})
	if f == nil || f.Kind != KindInternal || !strings.Contains(f.Message, "oh") {
		t.Errorf("got %+v, want an internal failure", f)
	}
}

func TestNoErrorIsNoFailure(t *testing.T) {
	if f := Guard(func() error { return nil }); f != nil {
		t.Errorf("got %+v, want none", f)
	}
}

func TestAFailureTellsItsKind(t *testing.T) {
	illegal := &mancala.IllegalError{Action: 3, Text: "d", Reason: "the hole is empty"}
	for _, c := range []struct {
		err  error
		want Failure
	}{
		{&ArgumentError{errors.New("bad")}, Failure{Kind: KindArgument, Message: "bad"}},
		{env.ErrNotRunning, Failure{Kind: KindNotRunning, Message: env.ErrNotRunning.Error()}},
		{&ClosedError{"vector", 7}, Failure{Kind: KindClosed, Message: "there is no vector with handle 7: it was closed, or never made"}},
		{fmt.Errorf("agent: %w", fs.ErrNotExist), Failure{Kind: KindFailed, Message: "agent: file does not exist"}},
		{
			&env.StepError{Rows: []env.RowError{{Row: 1, Action: 5, Err: env.ErrNotRunning}}},
			Failure{Kind: KindNotRunning, Rows: []RefusedRow{{1, 5, "5", env.ErrNotRunning.Error()}},
				Message: "no row was stepped, because 1 could not be: row 1, action 5: " + env.ErrNotRunning.Error()},
		},
		{
			&env.StepError{Rows: []env.RowError{{Row: 0, Action: 5, Err: env.ErrNotRunning}, {Row: 2, Action: 3, Err: illegal}}},
			Failure{Kind: KindIllegal, Rows: []RefusedRow{{2, 3, "d", "the hole is empty"}},
				Message: "no row was stepped, because 2 could not be: row 0, action 5: " + env.ErrNotRunning.Error() + "; row 2, action 3: " + illegal.Error()},
		},
	} {
		f := Guard(func() error { return c.err })
		if f == nil {
			t.Fatalf("%v is no failure", c.err)
		}
		if diff := cmp.Diff(c.want, *f); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.err, diff)
		}
	}
}
