package env

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"kiothi/env/mancala"
)

// This file writes games as lines of text.

// A Recorder writes games as lines of JSON that `kiothi trace --batch` plays again, by being told of them:
//
//	recorder := env.NewRecorder(file)
//	e, err := env.New(game, env.Options{Ended: recorder.Add})
//	… play …
//	err = recorder.Flush()
//
// Games that are abandoned by a reset are not written. A Recorder may be shared by environments in several goroutines.
type Recorder struct {
	mu      sync.Mutex
	out     *bufio.Writer
	encoder *json.Encoder
	games   int
	err     error
}

// A record is a game in the form of the rules page, section 6.
type record struct {
	Game      string           `json:"game"`
	Rules     string           `json:"rules"`
	Position  string           `json:"position,omitempty"` // unless it is the game's start
	Actions   []mancala.Action `json:"actions"`
	Truncated bool             `json:"truncated,omitempty"` // the game was cut short
}

// NewRecorder returns a recorder that writes to w. Call Flush at the end.
func NewRecorder(w io.Writer) *Recorder {
	r := &Recorder{out: bufio.NewWriter(w)}
	r.encoder = json.NewEncoder(r.out)
	return r
}

// Add writes a game that has ended. A game that was cut short is marked by "truncated": true. Where North made the first
// of the opening turns, as in every second game of a Match, the sides are changed, since no position's text says so: the
// player who began is South in the record. An error is kept, and returned by Flush.
func (r *Recorder) Add(e *Episode) {
	line := record{Game: e.Game.Name(), Rules: e.Game.Rules(), Actions: e.Actions, Truncated: e.Truncated}
	if line.Actions == nil {
		line.Actions = []mancala.Action{}
	}
	if start := recorded(e.Game, e.Start); start != e.Game.Start() {
		line.Position = e.Game.Format(&start)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if err := r.encoder.Encode(line); err != nil {
		r.err = fmt.Errorf("writing game %d of the record: %w", r.games, err)
		return
	}
	r.games++
}

// recorded returns the start of a game as its record has it.
func recorded(g mancala.Game, start mancala.State) mancala.State {
	if read, err := g.Parse(g.Format(&start)); err == nil && read == start {
		return start
	}
	return start.Swapped(g.Width())
}

// Games returns the number of games written.
func (r *Recorder) Games() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.games
}

// Flush brings all games to the writer, and returns the first error since the recorder was made.
func (r *Recorder) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		if err := r.out.Flush(); err != nil {
			r.err = fmt.Errorf("writing the record: %w", err)
		}
	}
	return r.err
}
