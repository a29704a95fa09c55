package zero

import (
	"errors"
	"fmt"
	"slices"

	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// This file is the players in the text of agent specs.

// Kinds returns the sorts of player of this package.
func Kinds() agent.Kinds {
	return agent.Kinds{
		{
			Name: "zero", Argument: "PATH",
			Doc: "Searches with the network of a checkpoint, of a run's newest one, or of a release, such as kiothi-quick.",
			Options: []agent.Option{
				{Name: "sims", Default: "64", Doc: "simulations an action, 1 to 200000"},
				{Name: "movetime", Default: "T", Doc: "time an action, or a whole opening turn, such as 100ms, in place of sims"},
				{Name: "search", Default: "KIND", Doc: fmt.Sprintf("gumbel or puct (default: puct with movetime and from %d simulations on, gumbel with fewer, and where considered is given)", farPlans)},
				{Name: "considered", Default: "16", Doc: "actions that the root considers in a Gumbel search, which this option means (with sims, not with search=puct), 2 to 1000"},
				{Name: "margin", Default: "0", Doc: "share of the expected margin in what is maximised, against that of the outcome, 0 to 1"},
				{Name: "warrior", Default: "1", Doc: "wins that a victory by exactly two seeds counts, 1 to 10"},
				endgame.Option,
			},
			New: newZero,
		},
		{
			Name: "policy", Argument: "PATH",
			Doc:     "Plays the network's policy without a search.",
			Options: []agent.Option{{Name: "temperature", Default: "0", Doc: "0 plays the most likely action, 1 draws from the policy, up to 10"}},
			New:     newPolicy,
		},
	}
}

func newZero(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
	c := DefaultConfig()
	var err error
	if c.Simulations, err = spec.Int("sims", c.Simulations, 1, MaxSimulations); err != nil {
		return nil, err
	}
	kind, err := spec.Word("search", search.KindNames...)
	if err != nil {
		return nil, err
	}
	c.Search.Kind = search.Kind(slices.Index(search.KindNames, kind))
	if c.Search.Considered, err = spec.Int("considered", c.Search.Considered, 2, 1000); err != nil {
		return nil, err
	}
	if c.Utility.MarginShare, err = spec.Float("margin", 0, 0, 1); err != nil {
		return nil, err
	}
	if c.Utility.Warrior, err = spec.Float("warrior", 1, 1, 10); err != nil {
		return nil, err
	}
	if c.Endgames, err = endgame.OfSpec(spec, g); err != nil {
		return nil, err
	}
	d, err := spec.Duration("movetime")
	if err != nil {
		return nil, err
	}
	if d > 0 {
		if err := spec.ExactlyOne("sims", "movetime"); err != nil {
			return nil, err
		}
		c.Batch = Leaves
	}
	if plansFar(spec, c.Simulations, d > 0) {
		c.Search.Kind = search.PUCT
	}
	if err := contradiction(spec, &c, d > 0); err != nil {
		return nil, &agent.SpecError{Text: spec.Text, Err: err}
	}
	p, err := open(g, spec.Argument, c)
	if err != nil || d == 0 {
		return p, err
	}
	return NewTimed(p, d)
}

// farPlans is the number of simulations from which PUCT plays better than Gumbel search, as experiments/search.md has it.
const farPlans = 200

// plansFar reports whether a spec that leaves the search open asks for so many simulations that PUCT is the better one.
func plansFar(spec agent.Spec, simulations int, timed bool) bool {
	_, named := spec.Value("search")
	_, considered := spec.Value("considered") // means Gumbel search
	return !named && !considered && (timed || simulations >= farPlans)
}

// contradiction returns what is wrong with options that are right each by itself.
func contradiction(spec agent.Spec, c *Config, timed bool) error {
	if _, given := spec.Value("considered"); given && (timed || c.Search.Kind != search.Gumbel) {
		return errors.New("option considered is of a Gumbel search with sims: leave it out with movetime and with search=puct")
	}
	if c.Endgames != nil && c.Utility.Warrior > 1 {
		return fmt.Errorf("option table knows nothing of who wins by exactly two seeds: leave it out with warrior=%v", c.Utility.Warrior)
	}
	return nil
}

func newPolicy(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
	temperature, err := spec.Float("temperature", 0, 0, 10)
	if err != nil {
		return nil, err
	}
	p, err := open(g, spec.Argument, DefaultConfig())
	if err != nil {
		return nil, err
	}
	return NewPolicy(p, temperature), nil
}

// open makes a player of a checkpoint.
func open(g mancala.Game, path string, c Config) (*Player, error) {
	w, _, err := Load(path, g)
	if err != nil {
		return nil, err
	}
	return NewPlayer(g, w, c)
}
