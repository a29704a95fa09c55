package env

import (
	"fmt"
	"strings"

	"kiothi/env/mancala"
)

// This file draws positions as text. The same drawing as a picture is in svg.go.

// A Drawing says what of a position is to stand out. The zero value draws it plain.
type Drawing struct {
	Color   bool   // text has ANSI escapes for colours; see ColorOn. Pictures always have colours.
	Changed uint32 // pits to highlight, such as those that the last turn changed: bit i is the pit with absolute index i
}

// Render draws a position as plain text: see Drawing.Text.
func Render(g mancala.Game, s *mancala.State) string { return Drawing{}.Text(g, s) }

// Changed returns the pits that hold another number of seeds after a turn than before it, for Drawing.Changed.
func Changed(before, after *mancala.State, width int) (pits uint32) {
	for p := range before.Rows {
		for i := range width {
			if before.Rows[p].At(i) != after.Rows[p].At(i) {
				pits |= 1 << (p*width + i)
			}
		}
	}
	return pits
}

// ColorOn reports whether text should have colours: when it goes to a terminal, unless the variable NO_COLOR is set and
// not empty (no-color.org) or TERM is dumb. getenv is os.Getenv outside of tests.
func ColorOn(terminal bool, getenv func(string) string) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// The ANSI escapes ("select graphic rendition") of the things that stand out. They add up.
const (
	colorMover   = "1"  // bold: the row and the name of the player to move
	colorMark    = "33" // yellow: a protected pit
	colorChanged = "7"  // reversed: a pit of Drawing.Changed
	colorEmpty   = "2"  // faint: an empty or closed pit
)

// Text draws a position: North's row above South's, as the players sit, so that facing pits stand in one column and
// South's pits run from the left to the right. A star marks a protected pit (an nki), an x a closed one. Lines end
// without white space, and no line has more than 80 columns.
func (d Drawing) Text(g mancala.Game, s *mancala.State) string {
	var b strings.Builder
	d.names(&b, g, s, mancala.North)
	d.counts(&b, g, s, mancala.North)
	fmt.Fprintf(&b, "%7s%s\n", "", strings.Repeat("-", 5*g.Width()))
	d.counts(&b, g, s, mancala.South)
	d.names(&b, g, s, mancala.South)
	b.WriteString(status(g, s) + "\n")
	return b.String()
}

// names draws the line with a player's name and the letters of the player's pits.
func (d Drawing) names(b *strings.Builder, g mancala.Game, s *mancala.State, p mancala.Player) {
	var styles []string
	if moves(s, p) {
		styles = []string{colorMover}
	}
	b.WriteString(d.paint(p.String(), styles))
	b.WriteString(strings.Repeat(" ", 7-len(p.String())))
	for c := range g.Width() {
		d.cell(b, string(mancala.PitName(atColumn(p, c, g.Width()), g.Width())), " ", c < g.Width()-1, styles)
	}
	b.WriteByte('\n')
}

// counts draws the line with the seeds of a player's pits and store.
func (d Drawing) counts(b *strings.Builder, g mancala.Game, s *mancala.State, p mancala.Player) {
	fmt.Fprintf(b, "%7s", "")
	for c := range g.Width() {
		i := atColumn(p, c, g.Width())
		n := s.Rows[p].At(i % g.Width())
		text, suffix := fmt.Sprint(n), " "
		var styles []string
		switch {
		case s.Closed>>i&1 != 0:
			text, styles = "x", append(styles, colorEmpty)
		case n == 0:
			styles = append(styles, colorEmpty)
		case moves(s, p):
			styles = append(styles, colorMover)
		}
		if s.Marks>>i&1 != 0 {
			suffix, styles = "*", append(styles, colorMark)
		}
		if d.Changed>>i&1 != 0 {
			styles = append(styles, colorChanged)
		}
		d.cell(b, text, suffix, true, styles)
	}
	fmt.Fprintf(b, "   store %d\n", s.Stores[p])
}

// cell draws a text, right-aligned before a place for a suffix, which is left out at the end of a line when it is blank.
func (d Drawing) cell(b *strings.Builder, text, suffix string, goesOn bool, styles []string) {
	b.WriteString(strings.Repeat(" ", max(0, 4-len(text))))
	switch {
	case suffix != " ":
		b.WriteString(d.paint(text+suffix, styles))
	case goesOn: // a blank is not painted: it would show when reversed
		b.WriteString(d.paint(text, styles) + " ")
	default:
		b.WriteString(d.paint(text, styles))
	}
}

// paint puts a text between escapes.
func (d Drawing) paint(text string, styles []string) string {
	if !d.Color || len(styles) == 0 {
		return text
	}
	return "\x1b[" + strings.Join(styles, ";") + "m" + text + "\x1b[0m"
}

// moves reports whether a player is to move in a game that goes on.
func moves(s *mancala.State, p mancala.Player) bool { return !s.Over() && s.Player == p }

// atColumn returns the absolute index of the pit in which a player's row crosses column c. Facing pits share a column.
func atColumn(p mancala.Player, c, width int) int {
	if p == mancala.North {
		return 2*width - 1 - c
	}
	return c
}

// status says in a line who does what next, or how the game ended.
func status(g mancala.Game, s *mancala.State) string {
	if s.Over() {
		final := g.Final(s)
		result := "a draw"
		if final[mancala.South] > final[mancala.North] {
			result = "South wins"
		} else if final[mancala.South] < final[mancala.North] {
			result = "North wins"
		}
		return fmt.Sprintf("%s, %d to %d (%s)", result, final[mancala.South], final[mancala.North], s.End)
	}
	switch s.Phase {
	case mancala.Lift:
		return fmt.Sprintf("%s to lift, %d in hand", s.Player, s.Hand)
	case mancala.Place:
		return fmt.Sprintf("%s to place, %d in hand", s.Player, s.Hand)
	}
	return fmt.Sprintf("%s to sow, %d turns since a capture", s.Player, s.Clock)
}
