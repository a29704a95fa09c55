package alphabeta

import (
	"encoding/json"
	"kiothi/env/games"
	"os"
	"testing"
)

func TestFitProbe(t *testing.T) {
	all := map[string]*Weights{}
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		g, _ := games.Open(game, "")
		w, r, err := Fit(t.Context(), g, FitOptions{Rounds: 3, Games: 1000, Depth: 3, Random: 0.2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(r)
		all[game] = w
	}
	b, _ := json.MarshalIndent(all, "", "  ")
	os.WriteFile("/tmp/weights.json", b, 0o644)
	t.Log(string(b))
}
