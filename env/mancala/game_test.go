package mancala_test

import (
	"strings"
	"testing"

	"kiothi/env/mancala"
)

func TestMustPlayPlaysOrPanics(t *testing.T) {
	g, s := open(t)
	want, after := s, s
	turn, err := g.Play(&want, 2)
	if got := mancala.MustPlay(g, &after, 2); err != nil || got != turn || after != want {
		t.Errorf("MustPlay did %+v and left %+v, Play %+v (%v) and %+v", got, after, turn, err, want)
	}
	defer func() {
		if text, ok := recover().(string); !ok || !strings.Contains(text, "listed as legal") {
			t.Errorf("an illegal action: %q, expected a panic", text)
		}
	}()
	mancala.MustPlay(g, &after, mancala.Action(g.Actions()))
}
