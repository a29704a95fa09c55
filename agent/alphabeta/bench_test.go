package alphabeta

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

func knobs(name string) (k [8]int) {
	for i, f := range strings.Fields(os.Getenv(name)) {
		k[i], _ = strconv.Atoi(f)
	}
	return k
}

func midgame(t *testing.T, g mancala.Game, n int) (list []mancala.State) {
	q, _ := New(g, Config{Limits: Limits{Depth: 4}, Hash: 1})
	rng := rand.New(rand.NewPCG(1, 1))
	for len(list) < n {
		s := g.Start()
		for s.Opening > 0 {
			for _, a := range scripted.SampleOpening(g, &s, rng) {
				g.Play(&s, a)
			}
		}
		for range 4 + rng.IntN(9) {
			if s.Over() {
				break
			}
			a, _ := q.Choose(t.Context(), &s, rng)
			if rng.IntN(4) == 0 {
				a, _ = scripted.Random{Game: g}.Choose(t.Context(), &s, rng)
			}
			g.Play(&s, a)
		}
		if !s.Over() {
			list = append(list, s)
		}
	}
	return list
}

func TestProbe(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		g, _ := games.Open(game, "")
		list := midgame(t, g, 60)
		p, _ := New(g, Config{Limits: Limits{Nodes: 300000}, Hash: 16})
		p.tune = knobs("KA")
		var nodes uint64
		var depths []int
		sum := 0
		p.Analyse(t.Context(), &list[0])
		began := cpu()
		for _, s := range list {
			a, err := p.Analyse(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			nodes += a.Nodes
			depths = append(depths, a.Depth)
			sum += a.Depth
		}
		rate := float64(nodes) / (cpu() - began) / 1e6
		sort.Ints(depths)
		t.Log(game, "Mnodes/cpu s", rate, "median", depths[30], "quartiles", depths[15], depths[45], float64(sum)/60)
	}
}

func TestVersus(t *testing.T) {
	game := os.Getenv("GAME")
	n, _ := strconv.Atoi(os.Getenv("PAIRS"))
	nodes, _ := strconv.Atoi(os.Getenv("NODES"))
	dA, _ := strconv.Atoi(os.Getenv("DA"))
	dB, _ := strconv.Atoi(os.Getenv("DB"))
	g, _ := games.Open(game, "")
	mk := func(d int, k [8]int) *Player {
		l := Limits{Nodes: uint64(nodes)}
		if d > 0 {
			l = Limits{Depth: d}
		}
		p, err := New(g, Config{Limits: l, Hash: 8})
		if err != nil {
			t.Fatal(err)
		}
		p.tune = k
		return p
	}
	A, B := mk(dA, knobs("KA")), mk(dB, knobs("KB"))
	var mu sync.Mutex
	var wg sync.WaitGroup
	var w, d, l, margin int
	next := 0
	began := time.Now()
	for range 2 {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				for seat := range 2 {
					rng := rand.New(rand.NewPCG(77, uint64(i)))
					s := g.Start()
					for s.Opening > 0 {
						for _, a := range scripted.SampleOpening(g, &s, rng) {
							g.Play(&s, a)
						}
					}
					if game == "rio-kadalis" {
						for range 6 {
							a, _ := scripted.Random{Game: g}.Choose(context.Background(), &s, rng)
							g.Play(&s, a)
						}
					}
					for !s.Over() {
						p := A
						if int(s.Player) != seat {
							p = B
						}
						a, err := p.Choose(context.Background(), &s, rng)
						if err != nil {
							panic(err)
						}
						g.Play(&s, a)
					}
					m := mancala.Margin(g, &s, mancala.Player(seat))
					mu.Lock()
					margin += m
					switch {
					case m > 0:
						w++
					case m < 0:
						l++
					default:
						d++
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	N := float64(w + d + l)
	sc := (float64(w) + float64(d)/2) / N
	t.Logf("%s A=%v B=%v: %.1f%% ± %.1f  +%d =%d -%d margin %+.2f  (%.0fs)", game, os.Getenv("KA"), os.Getenv("KB"), 100*sc, 196*math.Sqrt(sc*(1-sc)/N), w, d, l, float64(margin)/N, time.Since(began).Seconds())
}
