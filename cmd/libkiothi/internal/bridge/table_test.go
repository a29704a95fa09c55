package bridge

import (
	"errors"
	"testing"
)

func TestAHandleStandsForItsValueUntilItIsTakenBack(t *testing.T) {
	table := NewTable[string]("word")
	a, b := table.Add("a"), table.Add("b")
	if a == b || a <= 0 || b <= 0 {
		t.Fatalf("handles %d and %d, want two different positive numbers", a, b)
	}
	if got, err := table.Get(a); err != nil || got != "a" {
		t.Errorf("Get(%d) = %q, %v", a, got, err)
	}
	if got, err := table.Remove(a); err != nil || got != "a" {
		t.Errorf("Remove(%d) = %q, %v", a, got, err)
	}
	for _, handle := range []int64{a, 0, -1, b + 1} {
		_, getErr := table.Get(handle)
		_, removeErr := table.Remove(handle)
		var closed *ClosedError
		if !errors.As(getErr, &closed) || !errors.As(removeErr, &closed) || closed.Handle != handle {
			t.Errorf("handle %d: %v and %v, want ClosedErrors that name it", handle, getErr, removeErr)
		}
	}
	if c := table.Add("c"); c == a {
		t.Errorf("handle %d is given out twice", c)
	}
}
