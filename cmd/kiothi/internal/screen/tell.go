package screen

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"kiothi/env/mancala"
)

// This file is the words on the screen: what goes on, the keys, and the help.

// status says what goes on.
func (m *Model) status() string {
	s := m.record.State()
	mover := fmt.Sprintf("%s (%s)", s.Player, m.seats[s.Player].Name)
	switch {
	case m.show != nil:
		return m.show.tell()
	case s.Over():
		return m.result(&s)
	case m.thinking:
		return fmt.Sprintf("%s is thinking %s", mover, m.spinner())
	case m.asked:
		return fmt.Sprintf("%s is asked for a hint %s", m.options.AdviserName, m.spinner())
	case m.draft != nil:
		return fmt.Sprintf("%s, %s", s.Player, m.draft.tell())
	case m.pick != nil:
		return fmt.Sprintf("%s, %s", s.Player, m.pick.tell())
	}
	return mover + " is next"
}

// spinner returns a sign that something goes on.
func (m *Model) spinner() string { return m.look.spinner[m.frame%len(m.look.spinner)] }

// result says how a game or a round has ended.
func (m *Model) result(s *mancala.State) string {
	final := m.record.Game().Final(s)
	text := fmt.Sprintf("A draw, %d to %d (%s).", final[0], final[1], s.End)
	for _, p := range []mancala.Player{mancala.South, mancala.North} {
		if final[p] > final[p.Other()] {
			text = fmt.Sprintf("%s (%s) wins, %d to %d (%s).", p, m.seats[p].Name, final[p], final[p.Other()], s.End)
		}
	}
	if m.record.RoundOver() {
		return fmt.Sprintf("Round %d: %s", m.record.Round(), text)
	}
	if m.record.Warrior() {
		text += " A warrior's victory: by exactly two."
	}
	return text
}

// keys says which keys are of use now.
func (m *Model) keys() string {
	const always = "   t hint  u undo  ? help  q quit"
	switch {
	case m.typing != nil:
		return "Enter takes it   Esc leaves it"
	case m.show != nil && m.watching():
		return "Space pause  n one step  Enter skip  [ slower  ] faster   ? help  q quit"
	case m.show != nil:
		return "Enter skip   [ slower  ] faster   ? help  q quit"
	case m.record.Over():
		return "s save  u undo  ? help  q quit"
	case m.record.RoundOver():
		return "Enter next round   s save  u undo  ? help  q quit"
	case m.draft != nil && m.draft.lifting():
		return m.look.glyphs.sideways + " pit  Enter lift" + always
	case m.draft != nil && !m.draft.complete():
		return m.look.glyphs.sideways + " " + m.look.glyphs.updown + " pit  Enter place" + always
	case m.draft != nil:
		return "Enter play" + always
	case m.pick != nil && m.record.Game().Actions() > 2*m.record.Game().Width():
		return m.look.glyphs.sideways + " pit  " + m.look.glyphs.updown + " seeds  Enter sow" + always
	case m.pick != nil:
		return m.look.glyphs.sideways + " hole  Enter sow" + always
	case m.watching():
		return "Space pause  n one turn  [ slower  ] faster" + always
	case m.thinking:
		return "u undo  ? help  q quit"
	}
	return "n again" + always
}

// fitKeys shortens a line of keys to so many columns. Keys are left out from the right, but those that lead to the others
// and out of the program stay.
func fitKeys(keys string, columns int) string {
	const kept = "? help  q quit"
	for lipgloss.Width(keys) > columns {
		others, ok := strings.CutSuffix(keys, kept)
		others = strings.TrimRight(others, " ")
		if !ok || others == "" {
			break
		}
		others = strings.TrimRight(others[:strings.LastIndex(others, "  ")+1], " ")
		if keys = kept; others != "" {
			keys = others + "   " + kept
		}
	}
	return cut(keys, columns)
}
