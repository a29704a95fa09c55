package arena

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// This file writes games: as lines that `kiothi trace --batch` plays again, and as text for people.

// WriteGames writes the games of all matches, match by match and by number, a JSON object a line. Its note says who played,
// and how it ended. A forfeited game is marked as truncated.
func (t *Table) WriteGames(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, r := range t.Matches {
		if err := r.writeGames(out); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the games: %w", err)
	}
	return nil
}

func (r *Result) writeGames(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range r.Played {
		p := &r.Played[i]
		line := trace.Line{
			Game: r.Game, Rules: r.Rules, Position: p.Start, Actions: p.Actions, Truncated: p.Forfeit != nil,
			Note: fmt.Sprintf("game %d, South %s, North %s: %s", p.Number, r.seated(p, mancala.South), r.seated(p, mancala.North), r.outcome(p)),
		}
		if line.Actions == nil {
			line.Actions = []mancala.Action{} // a forfeit of the first move
		}
		if err := encoder.Encode(line); err != nil {
			return fmt.Errorf("writing game %d: %w", p.Number, err)
		}
	}
	return nil
}

// WriteText writes the games of all matches for people to read: who played and how it ended, and the turns in the text of the
// rules (section 4). g is the game of the tournament.
func (t *Table) WriteText(w io.Writer, g mancala.Game) error {
	out := bufio.NewWriter(w)
	for _, r := range t.Matches {
		for i := range r.Played {
			if err := r.writeText(out, g, &r.Played[i]); err != nil {
				return fmt.Errorf("writing game %d of %s against %s: %w", r.Played[i].Number, r.Agents[0], r.Agents[1], err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the games: %w", err)
	}
	return nil
}

// textWidth is the width to which the turns of a game are broken.
const textWidth = 100

func (r *Result) writeText(w *bufio.Writer, g mancala.Game, p *Played) error {
	fmt.Fprintf(w, "%s against %s, game %d\n", r.Agents[0], r.Agents[1], p.Number)
	fmt.Fprintf(w, "rules   %s %s\n", r.Game, r.Rules)
	s := g.Start()
	if p.Start != "" {
		fmt.Fprintf(w, "from    %s\n", p.Start)
		var err error
		if s, err = g.Parse(p.Start); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "South   %s\nNorth   %s\n", r.seated(p, mancala.South), r.seated(p, mancala.North))
	fmt.Fprintf(w, "result  %s\n", r.outcome(p))
	if p.Forfeit != nil {
		fmt.Fprintf(w, "reason  %s\nat      %s\n", p.Forfeit.Detail, p.Forfeit.Position)
	}
	turns, err := turnsOf(g, s, p.Actions)
	if err != nil {
		return err
	}
	width := 0
	for i, turn := range turns {
		// A number stands before each turn of whoever began.
		if i%2 == 0 {
			turn = fmt.Sprintf("%d. %s", i/2+1, turn)
		}
		switch {
		case width == 0:
		case width+1+len(turn) > textWidth:
			w.WriteByte('\n')
			width = 0
		default:
			w.WriteByte(' ')
			width++
		}
		w.WriteString(turn)
		width += len(turn)
	}
	if len(turns) > 0 {
		w.WriteByte('\n')
	}
	_, err = w.WriteString("\n")
	return err
}

// turnsOf returns the texts of the turns that actions make up. What is left of a turn that was not completed is action by
// action.
func turnsOf(g mancala.Game, s mancala.State, actions []mancala.Action) ([]string, error) {
	var turns []string
	begin, at := s, 0 // of the turn under way
	for i, a := range actions {
		mover := s.Player
		if _, err := g.Play(&s, a); err != nil {
			return nil, err
		}
		if s.Over() || s.Player != mover {
			turns = append(turns, g.TurnText(&begin, actions[at:i+1]))
			begin, at = s, i+1
		}
	}
	if at < len(actions) {
		var parts []string
		for _, a := range actions[at:] {
			parts = append(parts, g.ActionText(&begin, a))
			if _, err := g.Play(&begin, a); err != nil {
				return nil, err
			}
		}
		turns = append(turns, "("+strings.Join(parts, " ")+")")
	}
	return turns, nil
}

// seated returns the agent in a seat.
func (r *Result) seated(p *Played, seat mancala.Player) string {
	if seat == p.First {
		return r.Agents[0]
	}
	return r.Agents[1]
}

// outcome says how a game ended.
func (r *Result) outcome(p *Played) string {
	if p.Forfeit != nil {
		loser := p.First
		if p.Forfeit.Loser == 1 {
			loser = loser.Other()
		}
		return fmt.Sprintf("%s loses by forfeit (%s)", loser, p.Forfeit.Reason)
	}
	score := fmt.Sprintf("%d to %d, %s", p.Stores[mancala.South], p.Stores[mancala.North], p.Reason)
	switch {
	case p.Stores[0] > p.Stores[1]:
		return "South wins " + score
	case p.Stores[0] < p.Stores[1]:
		return "North wins " + score
	}
	return "a draw, " + score
}
