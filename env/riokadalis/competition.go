package riokadalis

import (
	"fmt"
	"math/bits"
	"strings"

	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// This file is the competition: rounds with the same stones (rules, section 3.3).

// DefaultMaxRounds is the number of rounds after which a competition ends, unless it is said otherwise, and
// LargestMaxRounds the largest that can be said.
const (
	DefaultMaxRounds = 100
	LargestMaxRounds = 1_000_000
)

// A CompetitionEnd says why a competition is over.
type CompetitionEnd uint8

// The ends of a competition.
const (
	Undecided   CompetitionEnd = iota // the competition is not over
	Ruined                            // a player owns fewer than four stones at the start of a round
	RoundsSpent                       // all rounds have been played
)

// String returns "", "ruined" or "rounds spent".
func (e CompetitionEnd) String() string { return choice.Name("CompetitionEnd", endNames, int(e)) }

var endNames = []string{"", "ruined", "rounds spent"}

// A Competition is a series of rounds. Play turns until the round is over, and then Next, until End says why there is no
// next round. A Competition may be copied by assignment; the copies go on apart.
type Competition struct {
	game      *Game
	maxRounds int
	round     int // from 1
	state     mancala.State
}

// NewCompetition returns a competition of at most maxRounds rounds at the start of its first one.
func NewCompetition(g *Game, maxRounds int) (*Competition, error) {
	if maxRounds < 1 || maxRounds > LargestMaxRounds {
		return nil, fmt.Errorf("a competition of %d rounds cannot be played: expected 1 to %d", maxRounds, LargestMaxRounds)
	}
	return &Competition{game: g, maxRounds: maxRounds, round: 1, state: g.Start()}, nil
}

// Game returns the game whose rounds are played.
func (c *Competition) Game() *Game { return c.game }

// Round returns the number of the current round, from 1.
func (c *Competition) Round() int { return c.round }

// MaxRounds returns the number of rounds after which the competition ends.
func (c *Competition) MaxRounds() int { return c.maxRounds }

// State returns the state of the current round.
func (c *Competition) State() mancala.State { return c.state }

// Holdings returns the stones that South and North own: those in the store and in the own row. At the start of a round
// they are what the player came with, and at its end what the player takes to the next.
func (c *Competition) Holdings() [2]int {
	return [2]int{
		int(c.state.Stores[0]) + c.state.Rows[0].Sum(),
		int(c.state.Stores[1]) + c.state.Rows[1].Sum(),
	}
}

// Play plays a turn of the current round. Its errors are those of Game.Play.
func (c *Competition) Play(a mancala.Action) (mancala.Turn, error) { return c.game.Play(&c.state, a) }

// End returns why the competition is over, Undecided while it is not. It is never over in the middle of a round.
func (c *Competition) End() CompetitionEnd {
	switch owned := c.Holdings(); {
	case !c.state.Over():
		return Undecided
	case c.round >= c.maxRounds:
		return RoundsSpent
	case min(owned[0], owned[1]) < four:
		return Ruined
	}
	return Undecided
}

// Winner returns the player who won, and false when the competition is not over or is drawn. Whoever is ruined owns
// fewer stones than the other, so that at either end the player with more stones has won.
func (c *Competition) Winner() (mancala.Player, bool) {
	owned := c.Holdings()
	switch {
	case c.End() == Undecided || owned[0] == owned[1]:
		return mancala.South, false
	case owned[0] > owned[1]:
		return mancala.South, true
	}
	return mancala.North, true
}

// Next starts the next round: each player fills the own holes from the right out of the stones owned, holes that cannot
// be filled are closed, and the player who did not start the last round starts.
func (c *Competition) Next() error {
	if !c.state.Over() {
		return fmt.Errorf("round %d is not over: play it to its end before the next one", c.round)
	}
	if end := c.End(); end != Undecided {
		return fmt.Errorf("the competition is over (%s): there is no round after round %d", end, c.round)
	}
	owned := c.Holdings()
	c.round++
	c.state = mancala.State{Last: mancala.NoPit, Player: mancala.Player((c.round - 1) % 2)}
	for side, stones := range owned {
		for i := c.game.Width() - 1; i >= 0; i-- {
			if stones < four {
				c.state.Closed |= 1 << (side*c.game.Width() + i)
				continue
			}
			stones -= four
			c.state.Rows[side] = c.state.Rows[side].With(i, four)
		}
		c.state.Stores[side] = uint8(stones)
	}
	return nil
}

// Format returns the competition's text: the number of the round, a slash, the most rounds, a space, and the position of
// the round, such as "2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0".
func (c *Competition) Format() string {
	return fmt.Sprintf("%d/%d %s", c.round, c.maxRounds, c.game.Format(&c.state))
}

// ParseCompetition reads the text of a competition. It refuses a round that no competition can have: one without all the
// stones, or with holes closed that their owner would have filled.
func ParseCompetition(g *Game, text string) (*Competition, error) {
	rounds, position, ok := strings.Cut(text, " ")
	number, most, slash := strings.Cut(rounds, "/")
	if !ok || !slash {
		return nil, fmt.Errorf("competition %q: expected the round, a slash, the most rounds, a space and a position, such as %q",
			text, "2/100 "+g.Format(new(g.Start())))
	}
	maxRounds, err := mancala.Number(most, 1, LargestMaxRounds)
	if err != nil {
		return nil, fmt.Errorf("competition %q: most rounds: %w", text, err)
	}
	round, err := mancala.Number(number, 1, maxRounds)
	if err != nil {
		return nil, fmt.Errorf("competition %q: round: %w", text, err)
	}
	s, err := g.Parse(position)
	if err != nil {
		return nil, fmt.Errorf("competition %q: %w", text, err)
	}
	if total := s.Total(); total != g.Seeds() {
		return nil, fmt.Errorf("competition %q: found %d stones, expected all %d", text, total, g.Seeds())
	}
	if s.Closed != 0 && (round == 1 || !leftmost(s.Closed, g.Width())) {
		return nil, fmt.Errorf("competition %q: only leftmost holes of one player can be closed, and none in the first round", text)
	}
	return &Competition{game: g, maxRounds: maxRounds, round: round, state: s}, nil
}

// leftmost reports whether holes are closed as in a competition: the player who owns fewer stones cannot fill some of the
// leftmost ones, and the other player fills them all.
func leftmost(closed uint32, width int) bool {
	if n := bits.TrailingZeros32(closed); n >= width {
		closed >>= width
	}
	return closed&(closed+1) == 0 && closed < 1<<(width-1)
}
