package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// This file is the check of a configuration, alone and against that of a run that is to go on.

// Validate refuses values out of range, and values that do not go together. The error has a line for each, with the key,
// what was found, and what was expected.
func (c *Config) Validate() error {
	var errs []error
	for i := range keys {
		if k := &keys[i]; !k.valid(k.get(c)) {
			errs = append(errs, invalid(k.Name, k.format(c), k.Values))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...) // the rest supposes that each value is in its range
	}
	if n := c.SelfPlay.Streams; c.SelfPlay.Games%n != 0 {
		errs = append(errs, invalid("selfplay.games", fmt.Sprint(c.SelfPlay.Games), fmt.Sprintf("a multiple of selfplay.streams, which is %d", n)))
	}
	if t := c.Training; t.FinalLearningRate > t.LearningRate {
		errs = append(errs, invalid("training.final_learning_rate", fmt.Sprint(t.FinalLearningRate), fmt.Sprintf("at most training.learning_rate, which is %v", t.LearningRate)))
	}
	if g := c.Gating; g.Elo0 >= g.Elo1 {
		errs = append(errs, invalid("gating.elo1", fmt.Sprint(g.Elo1), fmt.Sprintf("more than gating.elo0, which is %v", g.Elo0)))
	}
	return errors.Join(errs...)
}

// invalid returns the error for a value.
func invalid(key, found, expected string) error {
	return fmt.Errorf("key %s: found %s, expected %s", key, found, expected)
}

// Compatible refuses a configuration by which a run that began with the old one cannot go on, because a key differs that
// makes the run what it is. The error lists those keys.
func Compatible(old, new Config) error {
	var lines []string
	for i := range keys {
		k := &keys[i]
		if k.Resume || k.format(&old) == k.format(&new) {
			continue
		}
		lines = append(lines, fmt.Sprintf("key %s: found %s, expected the run's %s", k.Name, k.format(&new), k.format(&old)))
	}
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("the run cannot go on with other settings than it began with: leave these out, or begin a new run\n%s", strings.Join(lines, "\n"))
}

// Identity returns, as TOML that Parse reads, the keys that determine what the run is. Runs with equal results have equal
// identities.
func (c *Config) Identity() string {
	var text strings.Builder
	for i := range keys {
		if k := &keys[i]; !k.Resume {
			fmt.Fprintf(&text, "%s = %s\n", k.Name, k.format(c))
		}
	}
	return text.String()
}

// find returns the key of a name, nil when there is none.
func find(name string) *Key {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}
