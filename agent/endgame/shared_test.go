package endgame_test

import (
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/env/games"
)

func TestATableIsReadOnceForAllPlayers(t *testing.T) {
	table, path := saved(t)
	spec := func(path string) agent.Spec {
		s, err := agent.ParseSpec("alphabeta:depth=3,table=" + strings.ReplaceAll(path, ",", ",,"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, err := endgame.OfSpec(spec(path), table.Game())
	if err != nil {
		t.Fatal(err)
	}
	second, err := endgame.OfSpec(spec(filepath.Join(filepath.Dir(path), ".", filepath.Base(path))), table.Game())
	if err != nil || first != second {
		t.Errorf("a second player gets another table, %v", err)
	}
	none, err := agent.ParseSpec("alphabeta:depth=3")
	if err != nil {
		t.Fatal(err)
	}
	if e, err := endgame.OfSpec(none, table.Game()); e != nil || err != nil {
		t.Errorf("without a table: %v, %v", e, err)
	}
	if _, err := endgame.OfSpec(spec(path+"x"), table.Game()); err == nil || !strings.Contains(err.Error(), path+"x") {
		t.Errorf("a file that is missing: %v", err)
	}
	other, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := endgame.OfSpec(spec(path), other); err == nil || !strings.Contains(err.Error(), "expected rio-kadalis standard") {
		t.Errorf("a table of another game: %v", err)
	}
}
