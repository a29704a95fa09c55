package endgame_test

import (
	"errors"
	"strings"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// An oware is a game whose positions nothing here knows.
type oware struct{ mancala.Game }

func (oware) Name() string { return "oware" }

func TestThereIsNoTableForAGameThatIsNotKnown(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = endgame.Build(t.Context(), oware{g}, 4, endgame.Options{})
	if !errors.Is(err, endgame.ErrNoTable) || !strings.Contains(err.Error(), "oware: its positions are not known here, expected kiothi or rio-kadalis") {
		t.Errorf("Build says %v, expected that there is no table", err)
	}
}
