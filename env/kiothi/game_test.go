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
