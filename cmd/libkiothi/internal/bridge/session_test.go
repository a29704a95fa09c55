package bridge

import (
	"errors"
	"testing"

	"kiothi/env"
)

// newSession returns a session of a vector of both players, with its actions.
func newSession(t *testing.T, s Settings) (*Session, []int32) {
	t.Helper()
	rows, err := s.New()
	if err != nil {
		t.Fatal(err)
	}
	actions := make([]int32, rows.Len())
	session := NewSession(rows, env.Buffers{}, actions)
	t.Cleanup(session.Close)
	return session, actions
}

func TestAnAgentChoosesForTheRowsThatAreWanted(t *testing.T) {
	s := settings("rio-kadalis", 3)
	s.Opponent = ""
	session, actions := newSession(t, s)
	if err := session.Reset([]uint64{1}, true); err != nil {
		t.Fatal(err)
	}
	a, err := NewAgent("greedy", 5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range actions {
		actions[i] = 99
	}
	if err := session.Choose(a, []bool{true, false, true}); err != nil {
		t.Fatal(err)
	}
	if actions[0] == 99 || actions[1] != 99 || actions[2] == 99 {
		t.Errorf("actions %v, want 99 in row 1 alone", actions)
	}
	if err := session.Choose(a, nil); err != nil {
		t.Fatal(err)
	}
	if err := session.Step(); err != nil {
		t.Errorf("an agent's actions: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnAgentsChanceDependsOnItsSeed(t *testing.T) {
	choose := func(seed uint64) []int32 {
		s := settings("kiothi", 64)
		s.Opponent = ""
		session, actions := newSession(t, s)
		if err := session.Reset([]uint64{1}, true); err != nil {
			t.Fatal(err)
		}
		a, err := NewAgent("random", seed)
		if err != nil {
			t.Fatal(err)
		}
		if err := session.Choose(a, nil); err != nil {
			t.Fatal(err)
		}
		return actions
	}
	equal := func(a, b []int32) bool {
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if !equal(choose(1), choose(1)) || equal(choose(1), choose(2)) {
		t.Error("want equal choices from equal seeds, and others from another seed")
	}
}

func TestAClosedSessionRefusesCalls(t *testing.T) {
	session, _ := newSession(t, settings("kiothi", 1))
	session.Close()
	session.Close()
	var closed *ClosedError
	if err := session.Step(); !errors.As(err, &closed) {
		t.Errorf("got %v, want a ClosedError", err)
	}
}

func TestARowTellsItsPositionBoardAndActions(t *testing.T) {
	s := settings("rio-kadalis", 1)
	s.Opponent = ""
	session, _ := newSession(t, s)
	if err := session.Reset([]uint64{1}, false); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, want string
	}{
		{"position", "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"},
		{"action", "c"},
	} {
		if got, err := session.Text(c.what, 0, 2); err != nil || got != c.want {
			t.Errorf("Text(%q) = %q, %v, want %q", c.what, got, err, c.want)
		}
	}
	if board, err := session.Text("board", 0, 0); err != nil || board == "" {
		t.Errorf("board %q, %v", board, err)
	}
	var argument *ArgumentError
	for _, row := range []int{-1, 1} {
		if _, err := session.Text("board", row, 0); !errors.As(err, &argument) {
			t.Errorf("row %d: %v, want an ArgumentError", row, err)
		}
	}
}
