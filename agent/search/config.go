package search

import (
	"fmt"

	"kiothi/env/choice"
)

// A Kind is a way of searching.
type Kind uint8

// The kinds of search.
const (
	Gumbel Kind = iota
	PUCT
)

// KindNames lists the names of the kinds, in their order.
var KindNames = []string{"gumbel", "puct"}

// String returns the kind's name.
func (k Kind) String() string { return choice.Name("Kind", KindNames, int(k)) }

// Config holds the settings of a search. All searches of a run may share one.
type Config struct {
	Kind Kind

	Considered int     // Gumbel: how many actions the root considers, at most; 0: all
	CVisit     float64 // Gumbel: c_visit of σ(q) = (c_visit + max N)·c_scale·q, with q scaled to [0, 1]
	CScale     float64 // Gumbel: c_scale

	CPUCT          float64 // PUCT: weight of the prior against the value
	DirichletAlpha float64 // PUCT: concentration of the root noise, scaled by 10/legal actions
	DirichletShare float64 // PUCT: share of the root noise in the root's priors

	// Proofs has the search keep proven bounds of the result of each position (see proof.go): it plays what is proven to be
	// best, and puts no simulation where the result is known. It changes what a search of self-play says.
	Proofs bool
	// Twins has a position that was judged elsewhere in the tree judged no more.
	Twins bool
}

// Default returns the settings that the paper of each kind recommends.
func Default() Config {
	return Config{Kind: Gumbel, Considered: 16, CVisit: 50, CScale: 1, CPUCT: 1.5, DirichletAlpha: 1, DirichletShare: 0.25}
}

// ForPlay returns the settings of a kind with what makes a search stronger that is to choose an action, not to teach.
func (c Config) ForPlay() Config {
	c.Proofs, c.Twins = true, true
	return c
}

// Validate refuses settings that no search can use.
func (c *Config) Validate() error {
	switch {
	case int(c.Kind) >= len(KindNames):
		return fmt.Errorf("search kind %d, expected one of %v", c.Kind, KindNames)
	case c.Considered < 0 || c.Considered == 1:
		return fmt.Errorf("considered actions %d, expected at least 2, or 0 for all", c.Considered)
	case !(c.CVisit >= 0) || !(c.CScale > 0) || !(c.CPUCT > 0) || !(c.DirichletAlpha > 0):
		return fmt.Errorf("c_visit %v, c_scale %v, c_puct %v, dirichlet_alpha %v: expected positive numbers",
			c.CVisit, c.CScale, c.CPUCT, c.DirichletAlpha)
	case !(c.DirichletShare >= 0 && c.DirichletShare < 1):
		return fmt.Errorf("dirichlet_share %v, expected 0 up to 1", c.DirichletShare)
	}
	return nil
}
