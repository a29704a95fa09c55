package watch

import (
	"errors"
	"fmt"
	"io"
	"os"

	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/sowing"
	"kiothi/train/replay"
)

// This file tells a game of self-play seed by seed.

// A Game is a game of self-play as the page plays it out.
type Game struct {
	Iteration int    `json:"iteration"`
	Number    int    `json:"number"` // in its iteration, from 1
	Games     int    `json:"games"`  // of the iteration
	ID        string `json:"id"`     // of the record: stream/number
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Width     int    `json:"width"` // pits in a row
	Start     Board  `json:"start"`
	Turns     []Turn `json:"turns"`

	Reason string `json:"reason"` // why it ended: "stuck" or "exhausted"
	Final  [2]int `json:"final"`  // South's and North's stores, with the final sweep
}

// A Board is a position, as far as it can be seen. Bit sets and Pits are by absolute index, South's pits first.
type Board struct {
	Pits   []int  `json:"pits"`
	Marks  uint32 `json:"marks"`  // protected pits
	Closed uint32 `json:"closed"` // pits that are out of the game
	Stores [2]int `json:"stores"`
	Hand   int    `json:"hand"` // seeds lifted and not yet placed
}

// A Turn is what a player does until it is the other one's turn.
type Turn struct {
	Player mancala.Player `json:"player"`
	Phase  string         `json:"phase"` // "lift" for a turn of the opening, else "sow"
	Text   string         `json:"text"`
	Events []Event        `json:"events"`
	Left   bool           `json:"left"`   // events were left out, for there are too many of them
	After  Board          `json:"after"`  // the board when the turn is over
	Value  *float32       `json:"value"`  // the search's judgement for the player, -1 to 1, before the first action; null without a search
	Random bool           `json:"random"` // drawn at random, at least in part
}

// An Event is the smallest thing that can be seen: see sowing.Event.
type Event struct {
	Kind   string         `json:"kind"` // "lift", "drop", "win" or "mark"
	Lap    int            `json:"lap"`
	Pit    int            `json:"pit"`
	Seeds  int            `json:"seeds"`
	To     mancala.Player `json:"to"`
	Unmark bool           `json:"unmark,omitempty"`
}

// maxEvents bounds the events of a turn: a relay of a thousand laps is told up to there.
const maxEvents = 3000

// errNoGame says that there is no such game.
var errNoGame = errors.New("there is no such game")

// readGame reads a game of a file, by its number from 1, and tells it; number 0 is the last game. Of a file that is cut or
// altered the sound games are there.
func readGame(path string, iteration, number int) (*Game, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := replay.NewReader(file, path)
	if err != nil {
		return nil, err
	}
	var record *replay.Game
	count, found := 0, 0
	for {
		g, err := r.Next()
		var damaged *replay.DamageError
		if err == io.EOF || errors.As(err, &damaged) {
			break
		}
		if err != nil {
			return nil, err
		}
		if count++; number == 0 || count == number {
			record, found = g, count
		}
	}
	if record == nil {
		return nil, fmt.Errorf("%w: iteration %d has %d", errNoGame, iteration, count)
	}
	rules, err := games.Open(r.Header().Game, r.Header().Rules)
	if err != nil {
		return nil, err
	}
	g, err := tellGame(rules, record)
	if err != nil {
		return nil, err
	}
	g.Iteration, g.Number, g.Games = iteration, found, count
	return g, nil
}

// tellGame tells the game of a record.
func tellGame(rules mancala.Game, record *replay.Game) (*Game, error) {
	if err := record.Check(rules); err != nil {
		return nil, err
	}
	s := rules.Start()
	if record.Start != "" {
		var err error
		if s, err = rules.Parse(record.Start); err != nil {
			return nil, err
		}
	}
	g := &Game{ID: record.ID.String(), Game: rules.Name(), Rules: rules.Rules(), Width: rules.Width(), Start: boardOf(&s, rules.Width())}
	for ply := 0; ply < len(record.Plies); {
		t, plies, err := tellTurn(rules, &s, record.Plies[ply:])
		if err != nil {
			return nil, fmt.Errorf("game %s, after ply %d: %w", record.ID, ply, err)
		}
		g.Turns = append(g.Turns, t)
		ply += plies
	}
	g.Reason, g.Final = s.End.String(), rules.Final(&s)
	return g, nil
}

// tellTurn tells the turn that begins in s, plays it, and returns how many plies it has.
func tellTurn(rules mancala.Game, s *mancala.State, plies []replay.Ply) (Turn, int, error) {
	t := Turn{Player: s.Player, Phase: s.Phase.String(), Events: []Event{}}
	if plies[0].Flags&replay.PolicyTarget != 0 {
		t.Value = &plies[0].Value
	}
	before := *s
	var actions []mancala.Action
	for _, ply := range plies {
		a := mancala.Action(ply.Action)
		t.Random = t.Random || ply.Flags&replay.Random != 0
		events, err := sowing.Events(rules, *s, a)
		if err != nil {
			return t, 0, err
		}
		for e := range events {
			if len(t.Events) == maxEvents {
				t.Left = true
				break
			}
			t.Events = append(t.Events, Event{Kind: e.Kind.String(), Lap: e.Lap, Pit: e.Pit, Seeds: e.Seeds, To: e.To, Unmark: e.Unmark})
		}
		if _, err := rules.Play(s, a); err != nil {
			return t, 0, err
		}
		actions = append(actions, a)
		if s.Player != t.Player || s.Over() {
			break
		}
	}
	t.Text, t.After = rules.TurnText(&before, actions), boardOf(s, rules.Width())
	return t, len(actions), nil
}

// boardOf returns what can be seen of a state.
func boardOf(s *mancala.State, width int) Board {
	b := Board{Marks: s.Marks, Closed: s.Closed, Stores: [2]int{int(s.Stores[0]), int(s.Stores[1])}, Hand: int(s.Hand)}
	for i := range 2 * width {
		b.Pits = append(b.Pits, s.Rows[i/width].At(i%width))
	}
	return b
}
