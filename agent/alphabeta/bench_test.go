package alphabeta

import (
	"math/rand/v2"
	"testing"
	"time"

	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func TestProbe(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		g, _ := games.Open(game, "")
		p, err := New(g, Config{Limits: Limits{Time: 100 * time.Millisecond}, Hash: 16})
		if err != nil {
			t.Fatal(err)
		}
		q, _ := New(g, Config{Limits: Limits{Depth: 4}, Hash: 1})
		rng := rand.New(rand.NewPCG(1, 1))
		var nodes uint64
		var depths []int
		began := time.Now()
		moves := 0
		for range 20 {
			s := g.Start()
			for s.Opening > 0 {
				for _, a := range scripted.SampleOpening(g, &s, rng) {
					g.Play(&s, a)
				}
			}
			n := 4 + rng.IntN(9)
			for range n {
				if s.Over() {
					break
				}
				a, _ := q.Choose(t.Context(), &s, rng)
				if rng.IntN(4) == 0 {
					a, _ = scripted.Random{Game: g}.Choose(t.Context(), &s, rng)
				}
				g.Play(&s, a)
			}
			if s.Over() {
				continue
			}
			moves += len(g.AppendLegal(nil, &s))
			a, err := p.Analyse(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			nodes += a.Nodes
			depths = append(depths, a.Depth)
		}
		t.Log(game, float64(nodes)/time.Since(began).Seconds()/1e6, depths, float64(moves)/20)
	}
	_ = mancala.Sow
}
