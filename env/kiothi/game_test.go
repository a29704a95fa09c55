package kiothi_test

import (
	"testing"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/mancala/enginetest"
)

// open opens a game for the test kit.
func open(rules string) (mancala.Game, error) {
	g, err := kiothi.New(rules)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func TestRecordedGames(t *testing.T) {
	enginetest.Vectors(t, open, "testdata/vectors/kiothi_*.jsonl")
}

func TestRecordedCounts(t *testing.T) {
	enginetest.Counts(t, open, "testdata/vectors/perft.jsonl")
}

// TestCases runs the cases written by hand, each named after the sentence of the rules that it is about.
func TestCases(t *testing.T) {
	if n := enginetest.Cases(t, open, "testdata/cases/*.txt"); n < 80 {
		t.Errorf("there are %d cases", n)
	}
}
