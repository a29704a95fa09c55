package zero

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"kiothi/agent"
	"kiothi/agent/network/weights"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// chooseAll asks for one action at a time.
func chooseAll(t *testing.T, p *Player, positions []mancala.State) []mancala.Action {
	t.Helper()
	actions := make([]mancala.Action, len(positions))
	for i := range positions {
		action, err := p.Choose(t.Context(), &positions[i], newRand(0))
		if err != nil {
			t.Fatal(err)
		}
		actions[i] = action
	}
	return actions
}

func TestAPlayerCountsItsSimulations(t *testing.T) {
	g := openGame(t, "kiothi", "")
	c := quick()
	p := newPlayer(t, g, newWeights(t, g, 1), c)
	var effort agent.Effort
	ctx := agent.WithEffort(t.Context(), &effort)
	positions := append(states(t, g, 5, 2, choices), states(t, g, 3, 2, forced)...)
	if err := p.ChooseBatch(ctx, positions, sources(8), make([]mancala.Action, 8)); err != nil {
		t.Fatal(err)
	}
	if n := effort.Simulations.Load(); n != int64(5*c.Simulations) || effort.Nodes.Load() != 0 {
		t.Errorf("%d simulations, want %d in each of the five positions with a choice", n, c.Simulations)
	}
}

func TestAPlayerAnswersTheSameInAnyBatchAndOrder(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		for kind := range search.KindNames {
			g := openGame(t, name, "")
			c := quick()
			c.Search.Kind = search.Kind(kind)
			p := newPlayer(t, g, newWeights(t, g, 1), c)
			positions := states(t, g, 21, 2, all) // two full batches and a rest
			want := chooseAll(t, p, positions)
			for i, action := range want {
				if legal := g.AppendLegal(nil, &positions[i]); !slices.Contains(legal, action) {
					t.Errorf("%s: action %d is illegal in %s", name, action, g.Format(&positions[i]))
				}
			}
			order := newRand(3).Perm(len(positions))
			shuffled := make([]mancala.State, len(positions))
			for i, from := range order {
				shuffled[i] = positions[from]
			}
			got := make([]mancala.Action, len(positions))
			if err := p.ChooseBatch(t.Context(), shuffled, sources(len(shuffled)), got); err != nil {
				t.Fatal(err)
			}
			for i, from := range order {
				if got[i] != want[from] {
					t.Errorf("%s, %v: action %d in a batch, %d alone, in %s", name, c.Search.Kind, got[i], want[from], g.Format(&shuffled[i]))
				}
			}
		}
	}
}

// Run it with the race detector.
func TestAPlayerIsSafeForConcurrentUse(t *testing.T) {
	g := openGame(t, "kiothi", "")
	p := newPlayer(t, g, newWeights(t, g, 1), quick())
	positions := states(t, g, 8, 4, choices)
	want := chooseAll(t, p, positions)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			got := make([]mancala.Action, len(positions))
			var err error
			if worker%2 == 0 {
				err = p.ChooseBatch(t.Context(), positions, nil, got)
			} else {
				for i := range positions {
					if got[i], err = p.Choose(t.Context(), &positions[i], nil); err != nil {
						break
					}
				}
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("worker %d: actions %v, %v; want %v", worker, got, err, want)
			}
		})
	}
	group.Wait()
}

func TestAPlayerStopsWithItsContext(t *testing.T) {
	g := openGame(t, "kiothi", "")
	c := quick()
	c.Simulations = MaxSimulations // would take a minute
	p := newPlayer(t, g, newWeights(t, g, 1), c)
	ctx, cancel := context.WithCancel(t.Context())
	counted := &countdown{Context: ctx, left: 20, cancel: cancel}
	s := g.Start()
	if _, err := p.Choose(counted, &s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the context's", err)
	}
	if _, err := NewPolicy(p, 0).Choose(ctx, &s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a policy's error is %v, want the context's", err)
	}
}

// countdown is a context that ends when it has been asked a number of times.
type countdown struct {
	context.Context
	left   int
	cancel func()
}

func (c *countdown) Err() error {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// The network's every judgement is an error here, so a forced action must be found without it.
func TestForcedActionsNeedNoNetwork(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		p := newPlayer(t, g, brokenWeights(t, g), quick())
		for _, s := range states(t, g, 5, 5, forced) {
			action, err := p.Choose(t.Context(), &s, nil)
			if legal := g.AppendLegal(nil, &s); err != nil || action != legal[0] {
				t.Errorf("%s: action %d, %v; want %d", name, action, err, legal[0])
			}
		}
		s := states(t, g, 1, 5, choices)[0]
		_, err := p.Choose(t.Context(), &s, nil)
		if broken := (*weights.NotFiniteError)(nil); !errors.As(err, &broken) {
			t.Errorf("%s: with a choice the error is %v, want that of the network", name, err)
		}
	}
}

func TestNewPlayerRefusesSettingsWithoutAMeaning(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	w := newWeights(t, g, 1)
	for want, spoil := range map[string]func(*Config){
		"-1 simulations":       func(c *Config) { c.Simulations = -1 },
		"200001 simulations":   func(c *Config) { c.Simulations = MaxSimulations + 1 },
		"batches of 0":         func(c *Config) { c.Batch = 0 },
		"considered actions 1": func(c *Config) { c.Search.Considered = 1 },
		"margin share 2":       func(c *Config) { c.Utility.MarginShare = 2 },
	} {
		c := quick()
		spoil(&c)
		if _, err := NewPlayer(g, w, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

func TestAPlayerCanBeClosedTwice(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	p, err := NewPlayer(g, newWeights(t, g, 1), quick())
	if err != nil {
		t.Fatal(err)
	}
	positions := states(t, g, 3, 6, choices)
	if err := p.ChooseBatch(t.Context(), positions, make([]*rand.Rand, 3), make([]mancala.Action, 3)); err != nil {
		t.Fatal(err)
	}
	if len(p.idle) != 2 {
		t.Errorf("%d sets of memory, want one for a single game and one for batches", len(p.idle))
	}
	for range 2 {
		if err := p.Close(); err != nil || len(p.idle) != 0 {
			t.Errorf("after Close %d sets of memory, %v", len(p.idle), err)
		}
	}
}
