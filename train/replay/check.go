package replay

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file replays a record by the rules and refuses what they do not confirm.

// Check replays the game by the rules. It refuses illegal actions, actions after the end, policies with weight on an
// illegal action or a sum that is not Unit, values that are not finite or outside -1 to 1, and an end that is not the
// rules'. The error names the game and the ply.
func (g *Game) Check(rules mancala.Game) error {
	return g.replay(rules, func(int, *mancala.State) {})
}

// replay checks the game and shows visit each position that has an action, with its ply.
func (g *Game) replay(rules mancala.Game, visit func(ply int, s *mancala.State)) error {
	s := rules.Start()
	if g.Start != "" {
		var err error
		if s, err = rules.Parse(g.Start); err != nil {
			return fmt.Errorf("game %s: %w", g.ID, err)
		}
	}
	var legal []mancala.Action
	for i := range g.Plies {
		legal = rules.AppendLegal(legal[:0], &s)
		if err := g.checkPly(i, &s, legal); err != nil {
			return fmt.Errorf("game %s, ply %d: %w", g.ID, i, err)
		}
		visit(i, &s)
		if _, err := rules.Play(&s, mancala.Action(g.Plies[i].Action)); err != nil {
			return fmt.Errorf("game %s, ply %d: %w", g.ID, i, err)
		}
	}
	if err := g.checkEnd(rules, &s); err != nil {
		return fmt.Errorf("game %s, after ply %d: %w", g.ID, len(g.Plies)-1, err)
	}
	return nil
}

// checkPly checks what is recorded of a position against its legal actions.
func (g *Game) checkPly(i int, s *mancala.State, legal []mancala.Action) error {
	ply := g.Plies[i]
	if s.Over() {
		return fmt.Errorf("found action %d after the end (%s), expected none", ply.Action, s.End)
	}
	if v := float64(ply.Value); !(math.Abs(v) <= 1+tolerance) {
		return fmt.Errorf("found the value %v, expected a number from -1 to 1", v)
	}
	if ply.Flags&^allFlags != 0 {
		return fmt.Errorf("found the flags %#x, expected none but %#x", ply.Flags, allFlags)
	}
	policy := g.Policy(i)
	if target := ply.Flags&PolicyTarget != 0; target != (len(policy) > 0) {
		return fmt.Errorf("found a policy of %d actions with the flags %#x, expected one exactly where the flag %#x says so", len(policy), ply.Flags, PolicyTarget)
	}
	sum, next := 0, 0
	for _, e := range policy {
		for next < len(legal) && legal[next] < mancala.Action(e.Action) {
			next++
		}
		if next == len(legal) || legal[next] != mancala.Action(e.Action) {
			return fmt.Errorf("policy: found weight on action %d, expected it on legal ones only, in ascending order", e.Action)
		}
		next++
		sum += int(e.Weight)
	}
	if len(policy) > 0 && sum != Unit {
		return fmt.Errorf("policy: found weights that sum to %d, expected %d", sum, Unit)
	}
	return nil
}

// checkEnd checks what is recorded of the end against the last state.
func (g *Game) checkEnd(rules mancala.Game, s *mancala.State) error {
	if g.End != s.End {
		return fmt.Errorf("found the end %q, expected %q", g.End, s.End)
	}
	var final [2]int
	if s.Over() {
		final = rules.Final(s)
		if len(g.Resume) > 0 {
			return fmt.Errorf("found %d bytes to resume a finished game from, expected none", len(g.Resume))
		}
	}
	if found := [2]int{int(g.Final[0]), int(g.Final[1])}; found != final {
		return fmt.Errorf("found the final stores %v, expected %v", found, final)
	}
	return nil
}
