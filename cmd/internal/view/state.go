package view

import (
	"kiothi/cmd/internal/record"
	"kiothi/env/mancala"
)

// This file is where a game stands.

// A Pit is a pit of the board.
type Pit struct {
	Name   string         `json:"name"` // its letter
	Owner  mancala.Player `json:"owner"`
	Seeds  int            `json:"seeds"`
	Marked bool           `json:"marked"` // nothing can be captured from it
	Closed bool           `json:"closed"` // it is out of play, in a competition
	Lifted bool           `json:"lifted"` // the player to move has lifted it in this opening turn
	Last   bool           `json:"last"`   // the player to move last placed a seed there in this opening turn
}

// A Result says how a game, or a round of a competition, ended.
type Result struct {
	Reason  string          `json:"reason"`
	Stores  [2]int          `json:"stores"`  // after the sweep of what was left on the board
	Winner  *mancala.Player `json:"winner"`  // nil for a draw
	Margin  int             `json:"margin"`  // South's final store minus North's
	Warrior bool            `json:"warrior"` // Kiothi won by exactly two seeds (rules, section 2.5)
}

// A Competition says how a competition stands.
type Competition struct {
	Round    int             `json:"round"` // from 1
	Rounds   int             `json:"rounds"`
	Holdings [2]int          `json:"holdings"` // stones that South and North own
	Between  bool            `json:"between"`  // this round is over and there is a next one
	End      string          `json:"end"`      // why the competition is over, empty while it is not
	Winner   *mancala.Player `json:"winner"`   // nil for a draw, and while it is not over
}

// A State is where a game stands: all that is needed to draw it.
type State struct {
	Position    string         `json:"position"` // that of the competition in a competition
	Player      mancala.Player `json:"player"`   // to move
	Phase       string         `json:"phase"`
	Pits        []Pit          `json:"pits"`
	Stores      [2]int         `json:"stores"`
	Hand        int            `json:"hand"`
	Clock       int            `json:"clock"`
	ClockLimit  int            `json:"clockLimit"`
	Result      *Result        `json:"result"`
	Competition *Competition   `json:"competition"`
	Over        bool           `json:"over"`   // there is neither a move nor a next round
	Played      int            `json:"played"` // entries of the history
}

// State says where the game stands.
func (g *Game) State() State {
	of, s := g.Record.Game(), g.Record.State()
	out := State{
		Position: of.Format(&s), Player: s.Player, Phase: s.Phase.String(), Pits: pits(of.Width(), &s),
		Stores: [2]int{int(s.Stores[0]), int(s.Stores[1])}, Hand: int(s.Hand),
		Clock: int(s.Clock), ClockLimit: of.ClockLimit(), Result: resultOf(of, &s),
		Over: g.Record.Over(), Played: len(g.Record.Turns()),
	}
	if match, ok := g.Record.Competition(); ok {
		out.Position = match.Format()
		out.Competition = &Competition{
			Round: match.Round(), Rounds: match.MaxRounds(), Holdings: match.Holdings(),
			Between: g.Record.RoundOver(), End: match.End().String(),
		}
		if winner, won := match.Winner(); won {
			out.Competition.Winner = &winner
		}
	}
	return out
}

// pits describes the pits of a state.
func pits(width int, s *mancala.State) []Pit {
	out := make([]Pit, 2*width)
	for i := range out {
		relative := mancala.Relative(s.Player, i, width)
		out[i] = Pit{
			Name: string(mancala.PitName(i, width)), Owner: mancala.Player(i / width),
			Seeds: s.Rows[i/width].At(i % width), Marked: s.Marks>>i&1 != 0, Closed: s.Closed>>i&1 != 0,
			Lifted: relative < width && s.Lifted>>relative&1 != 0,
			Last:   s.Phase == mancala.Place && int(s.Last) == relative,
		}
	}
	return out
}

// resultOf says how a game ended, nil while it is going on.
func resultOf(g mancala.Game, s *mancala.State) *Result {
	if !s.Over() {
		return nil
	}
	r := &Result{Reason: s.End.String(), Stores: g.Final(s), Margin: mancala.Margin(g, s, mancala.South), Warrior: record.Warrior(g, s)}
	if r.Margin != 0 {
		winner := mancala.South
		if r.Margin < 0 {
			winner = mancala.North
		}
		r.Winner = &winner
	}
	return r
}
