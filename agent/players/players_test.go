package players

import (
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/agent/engine/server"
	"kiothi/env/games"
	_ "kiothi/models"
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

// The option Simulations of kiothi engine is for whichever agent is set: each that has simulations takes the most that it offers.
func TestEveryPlayerWithSimulationsTakesThoseThatTheEngineOffers(t *testing.T) {
	var offered strings.Builder
	if err := server.Serve(t.Context(), strings.NewReader("ugi\nquit\n"), &offered, server.Options{Kinds: Kinds(), Agent: "greedy", Game: "kiothi", Threads: 1}); err != nil {
		t.Fatal(err)
	}
	_, most, found := strings.Cut(offered.String(), "Simulations type spin default 0 min 0 max ")
	most, _, _ = strings.Cut(most, "\n")
	if !found {
		t.Fatalf("the engine offers\n%s", &offered)
	}
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"uct:sims=", "zero:kiothi-quick,sims="} {
		a, err := Kinds().Open(g, spec+most)
		if err != nil {
			t.Errorf("%s%s: %v", spec, most, err)
			continue
		}
		if err := agent.Close(a); err != nil {
			t.Error(err)
		}
	}
}
