package env

import (
	"fmt"
	"strings"

	"kiothi/env/mancala"
)

// Render draws a position as text: North's row above South's, as the players sit, so that facing pits stand in one column
// and sowing runs along South's row to the right. A star marks a protected pit, an x a closed one. No line has more than 80
// columns.
func Render(g mancala.Game, s *mancala.State) string {
	width := g.Width()
	var b strings.Builder
	names, counts := make([]string, width), make([]string, width)
	row := func(label string, text []string, end string) {
		line := fmt.Sprintf("%-7s", label)
		for _, t := range text {
			line += fmt.Sprintf("%5s", t)
		}
		b.WriteString(strings.TrimRight(line+end, " ") + "\n")
	}
	fill := func(p mancala.Player) {
		for c := range width {
			i := c
			if p == mancala.North {
				i = 2*width - 1 - c // facing column c
			}
			names[c] = string(mancala.PitName(i, width)) + " "
			switch {
			case s.Closed>>i&1 != 0:
				counts[c] = "x "
			case s.Marks>>i&1 != 0:
				counts[c] = fmt.Sprintf("%d*", s.Rows[p].At(i%width))
			default:
				counts[c] = fmt.Sprintf("%d ", s.Rows[p].At(i%width))
			}
		}
	}
	store := func(p mancala.Player) string { return fmt.Sprintf("   store %d", s.Stores[p]) }
	fill(mancala.North)
	row("North", names, "")
	row("", counts, store(mancala.North))
	b.WriteString(strings.Repeat(" ", 7) + strings.Repeat("-", 5*width) + "\n")
	fill(mancala.South)
	row("", counts, store(mancala.South))
	row("South", names, "")
	b.WriteString(status(g, s) + "\n")
	return b.String()
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
