package bridge

import (
	"kiothi/cmd/internal/record"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/sowing"
)

// This file is what a game says of itself: its state, its legal moves, what was played. The names of the fields are those of
// the package's type declarations, which say what they mean.

type pit struct {
	Name   string         `json:"name"`
	Owner  mancala.Player `json:"owner"`
	Seeds  int            `json:"seeds"`
	Marked bool           `json:"marked"`
	Closed bool           `json:"closed"`
	Lifted bool           `json:"lifted"`
	Last   bool           `json:"last"`
}

type result struct {
	Reason  string          `json:"reason"`
	Stores  [2]int          `json:"stores"`
	Winner  *mancala.Player `json:"winner"`
	Margin  int             `json:"margin"`
	Warrior bool            `json:"warrior"`
}

type competition struct {
	Round    int             `json:"round"`
	Rounds   int             `json:"rounds"`
	Holdings [2]int          `json:"holdings"`
	Between  bool            `json:"between"`
	End      string          `json:"end"`
	Winner   *mancala.Player `json:"winner"`
}

type state struct {
	Position    string         `json:"position"`
	Player      mancala.Player `json:"player"`
	Phase       string         `json:"phase"`
	Pits        []pit          `json:"pits"`
	Stores      [2]int         `json:"stores"`
	Hand        int            `json:"hand"`
	Clock       int            `json:"clock"`
	ClockLimit  int            `json:"clockLimit"`
	Result      *result        `json:"result"`
	Competition *competition   `json:"competition"`
	Over        bool           `json:"over"`
	Played      int            `json:"played"`
}

// state says where the game stands.
func (g *game) state() state {
	of, s := g.record.Game(), g.record.State()
	out := state{
		Position: of.Format(&s), Player: s.Player, Phase: s.Phase.String(), Pits: pits(of.Width(), &s),
		Stores: [2]int{int(s.Stores[0]), int(s.Stores[1])}, Hand: int(s.Hand),
		Clock: int(s.Clock), ClockLimit: of.ClockLimit(), Result: resultOf(of, &s),
		Over: g.record.Over(), Played: len(g.record.Turns()),
	}
	if match, ok := g.record.Competition(); ok {
		out.Position = match.Format()
		out.Competition = &competition{
			Round: match.Round(), Rounds: match.MaxRounds(), Holdings: match.Holdings(),
			Between: g.record.RoundOver(), End: match.End().String(),
		}
		if winner, won := match.Winner(); won {
			out.Competition.Winner = &winner
		}
	}
	return out
}

// pits describes the pits of a state.
func pits(width int, s *mancala.State) []pit {
	out := make([]pit, 2*width)
	for i := range out {
		relative := mancala.Relative(s.Player, i, width)
		out[i] = pit{
			Name: string(mancala.PitName(i, width)), Owner: mancala.Player(i / width),
			Seeds: s.Rows[i/width].At(i % width), Marked: s.Marks>>i&1 != 0, Closed: s.Closed>>i&1 != 0,
			Lifted: relative < width && s.Lifted>>relative&1 != 0,
			Last:   s.Phase == mancala.Place && int(s.Last) == relative,
		}
	}
	return out
}

// resultOf says how a game ended, nil while it is going on.
func resultOf(g mancala.Game, s *mancala.State) *result {
	if !s.Over() {
		return nil
	}
	r := &result{Reason: s.End.String(), Stores: g.Final(s), Margin: mancala.Margin(g, s, mancala.South)}
	if r.Margin != 0 {
		winner := mancala.South
		if r.Margin < 0 {
			winner = mancala.North
		}
		r.Winner = &winner
	}
	_, rio := g.(*riokadalis.Game)
	r.Warrior = !rio && (r.Margin == 2 || r.Margin == -2)
	return r
}

type legalMove struct {
	Action mancala.Action `json:"action"`
	Text   string         `json:"text"`
	Pit    *int           `json:"pit"`
	Seeds  int            `json:"seeds"`
}

// legal lists the legal moves.
func (g *game) legal() []legalMove {
	of, s := g.record.Game(), g.record.State()
	actions := of.AppendLegal(nil, &s)
	out := make([]legalMove, len(actions))
	for i, a := range actions {
		out[i] = legalMove{Action: a, Text: of.ActionText(&s, a)}
		events, err := sowing.Events(of, s, a)
		if err != nil {
			panic("bridge: the engine refuses an action that it listed as legal: " + err.Error())
		}
		for first := range events {
			if first.Kind == sowing.Lift || first.Kind == sowing.Drop {
				out[i].Pit, out[i].Seeds = &first.Pit, first.Seeds
			}
			break
		}
	}
	return out
}

type played struct {
	Player   mancala.Player   `json:"player"`
	Text     string           `json:"text"`
	Actions  []mancala.Action `json:"actions"`
	Laps     int32            `json:"laps"`
	Captured [2]int           `json:"captured"`
	Cut      bool             `json:"cut"`
	Round    int              `json:"round"`
}

// played describes what was played at once.
func (g *game) played(t *record.Turn) played {
	return played{
		Player: t.Mover, Text: t.Text, Actions: t.Actions, Laps: t.Effects.Laps,
		Captured: [2]int{int(t.Effects.Captured[0]), int(t.Effects.Captured[1])},
		Cut:      t.Effects.Cut, Round: g.before + t.Round,
	}
}

// history lists what was played.
func (g *game) history() []played {
	out := []played{}
	for _, t := range g.record.Turns() {
		out = append(out, g.played(&t))
	}
	return out
}

type event struct {
	Kind   string          `json:"kind"`
	Lap    int             `json:"lap"`
	Pit    int             `json:"pit"`
	Seeds  int             `json:"seeds"`
	To     *mancala.Player `json:"to"`
	Unmark bool            `json:"unmark"`
}

type trace struct {
	Events    []event `json:"events"`
	Truncated bool    `json:"truncated"`
}

func newEvent(e sowing.Event) event {
	out := event{Kind: e.Kind.String(), Lap: e.Lap, Pit: e.Pit, Seeds: e.Seeds, Unmark: e.Unmark}
	if e.Kind == sowing.Win {
		out.To = &e.To
	}
	return out
}
