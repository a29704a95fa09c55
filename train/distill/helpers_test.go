// This file is what several tests use.

package distill

import (
	"testing"

	"kiothi/agent/nnue"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func open(t testing.TB, name string) mancala.Game {
	t.Helper()
	g, err := games.Open(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func layoutOf(t testing.TB, name string) nnue.Layout {
	t.Helper()
	l, err := nnue.LayoutOf(open(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return l
}
