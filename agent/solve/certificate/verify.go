package certificate

import (
	"context"
	"fmt"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is the checker.

// A Report counts what Verify has checked.
type Report struct {
	Claims    int // claims, each found true if those after its moves are
	Actions   int // actions played on the rules engine
	Ends      int // positions after them that are over, compared with the engine's final stores
	Trivial   int // that keep the bound whoever gets the seeds on the board
	Positions int // different positions among the claims
}

// Verify checks a certificate. It returns an error for the first claim that does not follow from the rules and from other
// claims, or when its claims do not prove what it says of its position.
func Verify(ctx context.Context, c *Certificate) (Report, error) {
	g, err := games.Open(c.Game, c.Rules)
	if err != nil {
		return Report{}, err
	}
	k := &checker{game: g, claims: c.Claims, about: make(map[mancala.State][]int32)}
	for i := range c.Claims {
		p := &c.Claims[i].Position
		if err := sound(g, *p); err != nil {
			return k.report, fmt.Errorf("claim %d: %w", i+1, err)
		}
		k.about[*p] = append(k.about[*p], int32(i))
	}
	k.report.Positions = len(k.about)
	for i := range c.Claims {
		if i%1024 == 0 && ctx.Err() != nil {
			return k.report, fmt.Errorf("stopped after %d of %d claims: %w", i, len(c.Claims), ctx.Err())
		}
		if err := k.check(&c.Claims[i]); err != nil {
			return k.report, fmt.Errorf("claim %d of %d, %s: %w", i+1, len(c.Claims), k.describe(&c.Claims[i]), err)
		}
		k.report.Claims++
	}
	return k.report, k.conclude(c)
}

// A checker holds what a certificate claims, by whole positions.
type checker struct {
	game   mancala.Game
	claims []Claim
	about  map[mancala.State][]int32 // places in claims
	report Report
	legal  []mancala.Action
}

// board returns a state as the positions of claims are: seen from the player to move, without stores and clock.
func board(g mancala.Game, s mancala.State) mancala.State {
	if s.Player == mancala.North {
		s = s.Swapped(g.Width())
	}
	s.Stores = [2]uint8{}
	s.Clock = 0
	return s
}

// sound returns an error unless a position of a claim is one that the rules can write. (A player who takes the second turn of
// the opening is North.)
func sound(g mancala.Game, p mancala.State) error {
	if p != board(g, p) {
		return fmt.Errorf("expected South to move, empty stores and a clock of 0")
	}
	if p.Opening == 1 {
		p = p.Swapped(g.Width())
	}
	text := g.Format(&p)
	switch back, err := g.Parse(text); {
	case err != nil:
		return err
	case back != p:
		return fmt.Errorf("position %q is over, or holds what the rules do not know", text)
	}
	return nil
}

// check sees whether a claim follows from others.
func (k *checker) check(c *Claim) error {
	if c.From > c.To || c.To >= k.game.ClockLimit() {
		return fmt.Errorf("the clocks are %d to %d, expected two up to %d in order", c.From, c.To, k.game.ClockLimit()-1)
	}
	s := c.Position
	s.Clock = uint16(c.From)
	k.legal = k.game.AppendLegal(k.legal[:0], &s)
	if len(k.legal) == 0 {
		return fmt.Errorf("the position has no move")
	}
	actions := k.legal
	if !c.AtMost {
		actions = []mancala.Action{c.Action}
	}
	for _, a := range actions {
		if err := k.checkAction(c, &s, a); err != nil {
			return fmt.Errorf("after %s: %w", k.game.ActionText(&s, a), err)
		}
	}
	return nil
}

// checkAction sees whether a claim's bound is kept when an action is played.
func (k *checker) checkAction(c *Claim, s *mancala.State, a mancala.Action) error {
	after := *s
	if _, err := k.game.Play(&after, a); err != nil {
		return err
	}
	k.report.Actions++
	from, to := 0, 0 // the clocks after the action: it captured
	switch {
	case s.Phase != mancala.Sow && int(after.Clock) == c.From:
		from, to = c.From, c.To
	case s.Phase == mancala.Sow && int(after.Clock) == c.From+1:
		from, to = c.From+1, c.To+1
	case after.Clock != 0:
		return fmt.Errorf("the clock goes from %d to %d", c.From, after.Clock)
	}
	// What the action itself wins counts for the bound; the rest has to come from the position after it.
	bound, atMost := c.Bound-lead(after.Stores, mancala.South), c.AtMost
	if after.Player != mancala.South {
		bound, atMost = -bound, !atMost
	}
	return k.holds(&after, atMost, bound, from, to)
}

// holds sees whether the player to move gets at most, or at least, a bound of the seeds on the board, at clocks from the
// state's own up to another.
func (k *checker) holds(s *mancala.State, atMost bool, bound, from, to int) error {
	if s.Over() {
		if s.End == mancala.Exhausted && to > from {
			return fmt.Errorf("it is over by the clock at %d, but not before; expected a claim for each of these clocks", from)
		}
		final := k.game.Final(s)
		p := s.Player
		got := final[p] - final[p.Other()] - lead(s.Stores, p)
		if !within(got, got, atMost, bound) {
			return fmt.Errorf("it is over, and the player to move gets %d, not %s", got, bounds(atMost, bound))
		}
		k.report.Ends++
		return nil
	}
	seeds := s.OnBoard() + int(s.Hand)
	if within(-seeds, seeds, atMost, bound) {
		k.report.Trivial++
		return nil
	}
	for _, i := range k.about[board(k.game, *s)] {
		if c := &k.claims[i]; c.AtMost == atMost && within(c.Bound, c.Bound, atMost, bound) && c.From <= from && to <= c.To {
			return nil
		}
	}
	return fmt.Errorf("no claim says of %s that the player to move gets %s at the clocks %d to %d", k.game.Format(s), bounds(atMost, bound), from, to)
}

// conclude sees whether the claims prove what the certificate says.
func (k *checker) conclude(c *Certificate) error {
	s, err := k.game.Parse(c.Position)
	if err != nil {
		return err
	}
	ahead := lead(s.Stores, s.Player)
	if err := k.holds(&s, false, c.Low-ahead, int(s.Clock), int(s.Clock)); err != nil {
		return fmt.Errorf("the margin of at least %d is not proved: %w", c.Low, err)
	}
	if err := k.holds(&s, true, c.High-ahead, int(s.Clock), int(s.Clock)); err != nil {
		return fmt.Errorf("the margin of at most %d is not proved: %w", c.High, err)
	}
	return nil
}

// within reports whether what lies between low and high keeps a bound.
func within(low, high int, atMost bool, bound int) bool {
	if atMost {
		return high <= bound
	}
	return low >= bound
}

// bounds says a bound in words.
func bounds(atMost bool, bound int) string {
	if atMost {
		return fmt.Sprintf("at most %d", bound)
	}
	return fmt.Sprintf("at least %d", bound)
}

// describe says a claim in words.
func (k *checker) describe(c *Claim) string {
	return fmt.Sprintf("%s gets %s at the clocks %d to %d", k.game.Format(&c.Position), bounds(c.AtMost, c.Bound), c.From, c.To)
}

// lead returns a player's store less the other's.
func lead(stores [2]uint8, p mancala.Player) int { return int(stores[p]) - int(stores[p.Other()]) }
