package bridge

import (
	"encoding/json"
	"fmt"
	"sync"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is a vector as the other side holds it: the rows together with the memory that they are written into.

// Rows is many games that step together: an *env.Vector of both players, or a *Versus of one.
type Rows interface {
	Len() int
	ObservationSpace() env.Box // of a row
	ActionSpace() env.Discrete // of a row
	Game(row int) mancala.Game
	State(row int) mancala.State
	Reset(seeds []uint64, b *env.Buffers) error
	ResetRows(rows []bool, b *env.Buffers) error
	Step(actions []int32, b *env.Buffers) error
	SampleActions(dst []int32) error
	Close()
}

// A Session is rows with the memory of their owner. It is safe for concurrent use: one call at a time is carried out.
type Session struct {
	mutex   sync.Mutex
	rows    Rows
	buffers env.Buffers
	actions []int32
	closed  bool
}

// NewSession returns a session that writes into b, and reads the actions of a step from actions, one a row.
func NewSession(rows Rows, b env.Buffers, actions []int32) *Session {
	return &Session{rows: rows, buffers: b, actions: actions}
}

// do runs a call when no other one is running.
func (s *Session) do(call func(Rows) error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return &ClosedError{What: "vector"}
	}
	return call(s.rows)
}

// Reset starts the first game of each row, from one seed a row, or from a single one that gives each row another.
func (s *Session) Reset(seeds []uint64, single bool) error {
	return s.do(func(rows Rows) error {
		if single {
			seeds = env.Seeds(seeds[0], rows.Len())
		}
		return rows.Reset(seeds, &s.buffers)
	})
}

// ResetRows starts the next game in each row that is wanted.
func (s *Session) ResetRows(wanted []bool) error {
	return s.do(func(rows Rows) error { return rows.ResetRows(wanted, &s.buffers) })
}

// Step plays the action of each row.
func (s *Session) Step() error {
	return s.do(func(rows Rows) error { return rows.Step(s.actions, &s.buffers) })
}

// SampleActions replaces the actions by random legal ones.
func (s *Session) SampleActions() error {
	return s.do(func(rows Rows) error { return rows.SampleActions(s.actions) })
}

// Len returns the number of rows.
func (s *Session) Len() int { return s.rows.Len() }

// Choose replaces the actions of the rows that are wanted, all of them when wanted is nil, by those of an agent.
func (s *Session) Choose(a *Agent, wanted []bool) error {
	return s.do(func(rows Rows) error { return a.Choose(rows, wanted, s.actions) })
}

// Text returns what a row says in words: its "position", its "board", or the text of an "action".
func (s *Session) Text(what string, row int, action int32) (text string, err error) {
	err = s.do(func(rows Rows) error {
		if row < 0 || row >= rows.Len() {
			return &ArgumentError{fmt.Errorf("row %d, expected 0 to %d", row, rows.Len()-1)}
		}
		g, state := rows.Game(row), rows.State(row)
		switch what {
		case "position":
			text = g.Format(&state)
		case "board":
			text = env.Render(g, &state)
		case "action":
			text = g.ActionText(&state, mancala.Action(action))
		default:
			return &ArgumentError{fmt.Errorf("text %q, expected position, board or action", what)}
		}
		return nil
	})
	return text, err
}

// Positions returns the text of the position of each row, as a JSON array.
func (s *Session) Positions() (text string, err error) {
	err = s.do(func(rows Rows) error {
		positions := make([]string, rows.Len())
		for i := range positions {
			state := rows.State(i)
			positions[i] = rows.Game(i).Format(&state)
		}
		text = mustJSON(positions)
		return nil
	})
	return text, err
}

// Close ends the rows. Calls afterwards fail; closing again does nothing.
func (s *Session) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.closed {
		s.closed = true
		s.rows.Close()
		s.buffers, s.actions = env.Buffers{}, nil
	}
}

// mustJSON returns the JSON text of a value that always has one.
func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
