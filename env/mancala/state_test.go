package mancala_test

import (
	"fmt"
	"testing"

	"kiothi/env/mancala"
)

// Whatever number such a value has, it can be printed, as in the message of a test that fails.
func TestPhasesAndReasonsHaveNames(t *testing.T) {
	for value, want := range map[fmt.Stringer]string{
		mancala.Sow: "sow", mancala.Lift: "lift", mancala.Place: "place", mancala.Phase(9): "Phase(9)",
		mancala.Running: "", mancala.Stuck: "stuck", mancala.Exhausted: "exhausted", mancala.Reason(9): "Reason(9)",
	} {
		if got := value.String(); got != want {
			t.Errorf("a %T is written %q, want %q", value, got, want)
		}
	}
}

func TestSwapPitsExchangesTheHalvesOfASet(t *testing.T) {
	for _, c := range []struct {
		width     int
		set, want uint32
	}{{6, 0b000001_000110, 0b000110_000001}, {10, 1 << 19, 1 << 9}, {10, 1<<20 - 1, 1<<20 - 1}, {6, 0, 0}} {
		if got := mancala.SwapPits(c.set, c.width); got != c.want {
			t.Errorf("%b becomes %b, expected %b", c.set, got, c.want)
		}
	}
}
