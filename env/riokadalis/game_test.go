package riokadalis_test

import (
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/mancala/enginetest"
	"kiothi/env/riokadalis"
)

// open opens a game for the test kit.
func open(rules string) (mancala.Game, error) {
	g, err := riokadalis.New(rules)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func TestRecordedGames(t *testing.T) {
	enginetest.Vectors(t, open, "testdata/vectors/rio-kadalis_*.jsonl")
}

func TestRecordedCounts(t *testing.T) {
	enginetest.Counts(t, open, "testdata/vectors/perft.jsonl")
}

func TestCases(t *testing.T) {
	if n := enginetest.Cases(t, open, "testdata/cases/*.txt"); n < 40 {
		t.Errorf("found %d cases, there were more", n)
	}
}
