package players

import (
	"testing"

	"kiothi/env/games"
)

func TestThePlayersThatNeedNoNetworkCanBeOpenedForEveryGame(t *testing.T) {
	for _, name := range games.Names() {
		g, err := games.Open(name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range []string{"random", "greedy", "alphabeta:depth=2", "uct:sims=10"} {
			if _, err := Kinds().Open(g, spec); err != nil {
				t.Errorf("%s for %s: %v", spec, name, err)
			}
		}
	}
}

func TestNoTwoSortsOfPlayerHaveOneName(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range Kinds().Names() {
		if seen[name] {
			t.Errorf("two sorts of player are named %s", name)
		}
		seen[name] = true
	}
}
