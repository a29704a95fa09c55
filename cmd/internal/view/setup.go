package view

import (
	"context"
	"fmt"
	"regexp"

	"kiothi/cmd/internal/record"
	"kiothi/env/games"
	"kiothi/env/kiothi"
	"kiothi/env/riokadalis"
)

// This file is how a game begins.

// A Game is a game, or a competition, that is being played.
type Game struct {
	Record *record.Record
	Before int // rounds of the competition that were played before the record begins
}

// A Setup says where a game begins.
type Setup struct {
	Game     string  `json:"game"`
	Rules    string  `json:"rules"`    // empty: the game's default
	Position string  `json:"position"` // of a game or a competition; empty: the start
	Moves    []*Move `json:"moves"`    // played at once; in a competition the next round begins where one needs it
	Rounds   *int    `json:"rounds"`   // a competition of at most so many rounds; nil: a single game, or as position says
}

// An Info is what stays the same in a game.
type Info struct {
	Game    string `json:"game"`
	Rules   string `json:"rules"` // in canonical text
	Width   int    `json:"width"` // pits in a row
	Seeds   int    `json:"seeds"`
	Actions int    `json:"actions"`
	// PartialPickup says that a sowing may lift a part of a pit.
	PartialPickup bool `json:"partialPickup"`
}

// Info returns what stays the same in the game.
func (g *Game) Info() Info {
	of := g.Record.Game()
	meru, ok := of.(*kiothi.Game)
	return Info{
		Game: of.Name(), Rules: of.Rules(), Width: of.Width(), Seeds: of.Seeds(), Actions: of.Actions(),
		PartialPickup: ok && meru.RuleSet().Pickup == kiothi.PickupAny,
	}
}

// Begin begins a game and plays its moves. It ends with ctx.
func (with *Setup) Begin(ctx context.Context) (*Game, error) {
	g, err := with.Open()
	if err != nil {
		return nil, err
	}
	for i, m := range with.Moves {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if g.Record.RoundOver() {
			err = g.Record.Next()
		}
		if err == nil {
			_, err = g.Play(m)
		}
		if err != nil {
			wrong := &ArgumentError{Field: movesField, Index: i}
			wrong.Err = fmt.Errorf("%s: %w", wrong.Where(), err)
			return nil, wrong
		}
	}
	return g, nil
}

// competitionText begins the text of a competition, and no text of a position.
var competitionText = regexp.MustCompile(`^\d+/\d+ `)

// LongestText is the length of the longest texts that are read, in bytes: far more than any of them needs, and little enough
// to be repeated in an error.
const LongestText = 1000

// Open opens the game and goes to where it starts. Its errors are *ArgumentError.
func (with *Setup) Open() (*Game, error) {
	for _, field := range []struct{ name, text string }{{"game", with.Game}, {"rules", with.Rules}, {"position", with.Position}} {
		if len(field.text) > LongestText {
			return nil, Argument(field.name, "%s: a text of %d bytes is none", field.name, len(field.text))
		}
	}
	if _, err := games.Find(with.Game); err != nil {
		return nil, &ArgumentError{Field: "game", Err: err}
	}
	g, err := games.Open(with.Game, with.Rules)
	if err != nil {
		return nil, &ArgumentError{Field: "rules", Err: err}
	}
	competition := competitionText.MatchString(with.Position)
	switch {
	case competition && with.Rounds != nil:
		return nil, Argument("rounds", "rounds: the position is the text of a competition, which says how many there are")
	case with.Rounds != nil && with.Position != "":
		return nil, Argument("rounds", "rounds: a competition begins at its start, or from the text of a competition, such as \"2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0\"")
	case with.Rounds != nil:
		r, err := record.NewCompetition(g, *with.Rounds)
		if err != nil {
			return nil, &ArgumentError{Field: "rounds", Err: err}
		}
		return &Game{Record: r}, nil
	case competition:
		rio, ok := g.(*riokadalis.Game)
		if !ok {
			return nil, Argument("position", "position %q: %s has no competitions, only rio-kadalis has", with.Position, g.Name())
		}
		match, err := riokadalis.ParseCompetition(rio, with.Position)
		if err != nil {
			return nil, &ArgumentError{Field: "position", Err: err}
		}
		return &Game{Record: record.Continue(match), Before: match.Round() - 1}, nil
	}
	start := g.Start()
	if with.Position != "" {
		if start, err = g.Parse(with.Position); err != nil {
			return nil, &ArgumentError{Field: "position", Err: err}
		}
	}
	return &Game{Record: record.New(g, start)}, nil
}
