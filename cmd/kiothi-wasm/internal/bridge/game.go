package bridge

import (
	"errors"
	"fmt"
	"regexp"

	"kiothi/cmd/internal/record"
	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/sowing"
)

// This file is what can be done with a game.

// A game is a game, or a competition, that is being played.
type game struct {
	record *record.Record
	before int // rounds of the competition that were played before the record begins
}

// game returns a game by its id.
func (b *Bridge) game(id int) (*game, error) {
	g, ok := b.games[id]
	if !ok {
		return nil, errClosed
	}
	return g, nil
}

// newGame are the arguments of the operation of this name.
type newGame struct {
	Game     string  `json:"game"`
	Rules    string  `json:"rules"`
	Position string  `json:"position"`
	Moves    []*move `json:"moves"`
	Rounds   *int    `json:"rounds"`
}

// info is what stays the same in a game.
type info struct {
	Game    string `json:"game"`
	Rules   string `json:"rules"`
	Width   int    `json:"width"`
	Seeds   int    `json:"seeds"`
	Actions int    `json:"actions"`
}

// A begun is a game that began.
type begun struct {
	ID   int  `json:"id"`
	Info info `json:"info"`
}

// newGame begins a game.
func (b *Bridge) newGame(with newGame) (any, error) {
	g, err := with.begin()
	if err != nil {
		return nil, &argumentError{err}
	}
	for i, m := range with.Moves {
		if g.record.RoundOver() {
			if err := g.record.Next(); err != nil {
				return nil, err
			}
		}
		if _, err := g.play(m); err != nil {
			return nil, fmt.Errorf("moves[%d]: %w", i, err)
		}
	}
	id := b.id()
	b.games[id] = g
	of := g.record.Game()
	return begun{id, info{of.Name(), of.Rules(), of.Width(), of.Seeds(), of.Actions()}}, nil
}

// competitionText begins the text of a competition, and no text of a position.
var competitionText = regexp.MustCompile(`^\d+/\d+ `)

// longestText is the length of the longest texts that are read, in bytes: far more than any of them needs, and little enough
// to be repeated in an error.
const longestText = 1000

// begin opens the game and goes to where it starts.
func (with *newGame) begin() (*game, error) {
	for name, text := range map[string]string{"game": with.Game, "rules": with.Rules, "position": with.Position} {
		if len(text) > longestText {
			return nil, fmt.Errorf("%s: a text of %d bytes is none", name, len(text))
		}
	}
	g, err := games.Open(with.Game, with.Rules)
	if err != nil {
		return nil, err
	}
	competition := competitionText.MatchString(with.Position)
	switch {
	case competition && with.Rounds != nil:
		return nil, errors.New("rounds: the position is the text of a competition, which says how many there are")
	case with.Rounds != nil && with.Position != "":
		return nil, errors.New("rounds: a competition begins at its start, or from the text of a competition, such as \"2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0\"")
	case with.Rounds != nil:
		r, err := record.NewCompetition(g, *with.Rounds)
		if err != nil {
			return nil, err
		}
		return &game{record: r}, nil
	case competition:
		rio, ok := g.(*riokadalis.Game)
		if !ok {
			return nil, fmt.Errorf("position %q: %s has no competitions, only rio-kadalis has", with.Position, g.Name())
		}
		match, err := riokadalis.ParseCompetition(rio, with.Position)
		if err != nil {
			return nil, err
		}
		return &game{record: record.Continue(match), before: match.Round() - 1}, nil
	}
	start := g.Start()
	if with.Position != "" {
		if start, err = g.Parse(with.Position); err != nil {
			return nil, err
		}
	}
	return &game{record: record.New(g, start)}, nil
}

// closeGame forgets a game.
func (b *Bridge) closeGame(with inGame) (any, error) {
	if _, err := b.game(with.Game); err != nil {
		return nil, err
	}
	delete(b.games, with.Game)
	return nil, nil
}

// play plays a move.
func (g *game) play(m *move) (any, error) {
	s := g.record.State()
	actions, err := m.actions(g.record.Game(), &s)
	if err != nil {
		return nil, err
	}
	turn, err := g.record.Play(actions...)
	if err != nil {
		return nil, err
	}
	return g.played(&turn), nil
}

// whyNot says why a move cannot be played, nil when it can.
func (g *game) whyNot(m *move) (any, error) {
	s := g.record.State()
	actions, err := m.actions(g.record.Game(), &s)
	for i := 0; err == nil && i < len(actions); i++ {
		_, err = g.record.Game().Play(&s, actions[i])
	}
	if err == nil || m == nil {
		return nil, err
	}
	if illegal := (*mancala.IllegalError)(nil); errors.As(err, &illegal) {
		return illegal.Reason, nil
	}
	return err.Error(), nil
}

// undo takes back the last move, and reports whether there was one.
func (g *game) undo() bool {
	return g.record.Undo(func(mancala.Player) bool { return true })
}

// nextRound begins the next round of a competition.
func (g *game) nextRound() (any, error) {
	if err := g.record.Next(); err != nil {
		return nil, &argumentError{err}
	}
	return g.state(), nil
}

// The number of events that a trace has at most: when nothing is said, and whatever is said.
const (
	usualTrace   = 10_000
	longestTrace = 1_000_000
)

// trace tells what a move does, event by event.
func (g *game) trace(m *move, limit *int) (any, error) {
	most := usualTrace
	if limit != nil {
		most = *limit
	}
	if most < 0 || most > longestTrace {
		return nil, argument("limit: %d events, expected 0 to %d", most, longestTrace)
	}
	of, s := g.record.Game(), g.record.State()
	actions, err := m.actions(of, &s)
	if err != nil {
		return nil, err
	}
	t := trace{Events: []event{}}
	for _, a := range actions {
		events, err := sowing.Events(of, s, a)
		if err != nil {
			return nil, err
		}
		for e := range events {
			if len(t.Events) == most {
				t.Truncated = true
				return t, nil
			}
			t.Events = append(t.Events, newEvent(e))
		}
		if _, err := of.Play(&s, a); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// board draws the board as text.
func (g *game) board() string {
	s := g.record.State()
	return env.Render(g.record.Game(), &s)
}
