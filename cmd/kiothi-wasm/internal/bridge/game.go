package bridge

import (
	"context"
	"errors"

	"kiothi/cmd/internal/view"
	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is what can be done with a game.

// game returns a game by its id.
func (b *Bridge) game(id int) (*view.Game, error) {
	g, ok := b.games[id]
	if !ok {
		return nil, errClosed
	}
	return g, nil
}

// A begun is a game that began.
type begun struct {
	ID   int       `json:"id"`
	Info view.Info `json:"info"`
}

// newGame begins a game.
func (b *Bridge) newGame(with view.Setup) (any, error) {
	g, err := with.Begin(context.Background())
	if err != nil {
		return nil, err
	}
	id := b.id()
	b.games[id] = g
	return begun{id, g.Info()}, nil
}

// closeGame forgets a game.
func (b *Bridge) closeGame(with inGame) (any, error) {
	if _, err := b.game(with.Game); err != nil {
		return nil, err
	}
	delete(b.games, with.Game)
	return nil, nil
}

// whyNot says why a move cannot be played, nil when it can.
func whyNot(g *view.Game, m *view.Move) (any, error) {
	s := g.Record.State()
	actions, err := m.Actions(g.Record.Game(), &s)
	for i := 0; err == nil && i < len(actions); i++ {
		_, err = g.Record.Game().Play(&s, actions[i])
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
func undo(g *view.Game) bool {
	return g.Record.Undo(func(mancala.Player) bool { return true })
}

// nextRound begins the next round of a competition.
func nextRound(g *view.Game) (any, error) {
	if err := g.Record.Next(); err != nil {
		return nil, &view.ArgumentError{Field: "game", Err: err}
	}
	return g.State(), nil
}

// longestTrace is the number of events that a trace has at most, whatever is said.
const longestTrace = 1_000_000

// board draws the board as text.
func board(g *view.Game) string {
	s := g.Record.State()
	return env.Render(g.Record.Game(), &s)
}
