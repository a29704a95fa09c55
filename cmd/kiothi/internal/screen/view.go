package screen

import (
	"fmt"
	"math/bits"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"kiothi/env"
)

// This file puts the screen together: a head, the board, what goes on, notes, the turns so far, and the keys.

// The least room that a game can be played in.
const (
	leastColumns = 44
	leastLines   = 11
)

// textColumns is how wide texts are on a wide terminal with a narrow board.
const textColumns = 72

// View implements tea.Model.
func (m *Model) View() tea.View {
	view := tea.NewView(m.text())
	view.AltScreen = true
	view.WindowTitle = m.record.Game().Name()
	return view
}

// text returns what the screen shows: never more lines than it has, none longer than its columns.
func (m *Model) text() string {
	if m.columns < leastColumns || m.lines < leastLines {
		text := fmt.Sprintf("This window has %d columns and %d lines; the board needs %d and %d. Make it larger, or leave with q and begin with --plain.",
			m.columns, m.lines, leastColumns, leastLines)
		return strings.Join(wrap(text, m.columns, m.lines), "\n")
	}
	if m.help {
		return strings.Join(m.helpLines(), "\n")
	}
	size := m.size()
	inside := m.inside(size)
	head := m.headLines(inside)
	board := strings.Split(lipgloss.PlaceHorizontal(inside, lipgloss.Center, m.picture().draw(&m.look, size)), "\n")
	status := wrap(m.status(), inside, 2)
	for i := range status {
		status[i] = m.look.bold.Render(status[i])
	}
	keys := m.look.faint.Render(fitKeys(m.keys(), inside))

	room := m.lines - len(head) - len(board) - len(status) - 1
	notes := m.notes(inside, room)
	room -= len(notes)
	space := func() []string { // an empty line, where there is room
		if room <= 0 {
			return nil
		}
		room--
		return []string{""}
	}
	parts := [][]string{head, space(), board, space(), status, notes}
	if log := m.log(inside, room-1); len(log) > 0 {
		room -= len(log)
		parts = append(parts, space(), log)
	}
	var lines []string
	for _, part := range parts {
		lines = append(lines, part...)
	}
	for len(lines) < m.lines-1 {
		lines = append(lines, "")
	}
	lines = append(lines, keys)
	margin := strings.Repeat(" ", (m.columns-inside)/2)
	for i := range lines {
		if lines[i] != "" {
			lines[i] = margin + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// size returns the largest size of board that there is room for.
func (m *Model) size() size {
	const around = 7 // head, status of two lines, keys, a note, and a line above and below the board
	for s := large; s > small; s-- {
		columns, lines := extent(m.record.Game().Width(), s)
		if columns <= m.columns && lines+around <= m.lines {
			return s
		}
	}
	return small
}

// inside returns the columns of everything on the screen.
func (m *Model) inside(s size) int {
	columns, _ := extent(m.record.Game().Width(), s)
	return min(m.columns, max(columns, textColumns))
}

// headLines says what is played and by whom, and how a competition stands.
func (m *Model) headLines(columns int) []string {
	g := m.record.Game()
	left := fmt.Sprintf("%s  %s", properName(g.Name()), g.Rules())
	right := m.speed.label()
	if m.watching() && m.paused {
		right = "paused, " + right
	}
	lines := []string{m.look.title.Render(spread(left, right, columns))}
	standing := m.record.Standing()
	if m.show != nil {
		standing = m.record.StandingBefore() // what the turn does is not told before it is shown
	}
	if standing != "" {
		for _, line := range wrap(standing, columns, 2) {
			lines = append(lines, m.look.faint.Render(line))
		}
	}
	return lines
}

// properName writes a game's name as in prose: "Rio Kadalis".
func properName(name string) string {
	words := strings.Split(name, "-")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, " ")
}

// picture returns the board as it is to be seen now.
func (m *Model) picture() *picture {
	g, s := m.record.Game(), m.record.State()
	p := &picture{game: g, state: s, bottom: m.bottom, cursor: noPit, target: noPit}
	final := g.Final(&s)
	switch {
	case m.show != nil:
		p.state, p.sown, p.cursor = m.show.state, m.show.sown, m.show.active
		p.state.End = 0
		final = [2]int{int(p.state.Stores[0]), int(p.state.Stores[1])}
	case m.draft != nil:
		p.state, p.cursor = m.draft.board, m.draft.pit
		p.sown = m.draft.touched()
	case m.pick != nil:
		p.cursor, p.target = m.pick.chosen().pit, m.pick.target()
		p.sown = m.lastChanged()
	default:
		p.sown = m.lastChanged()
	}
	p.stores = final
	return p
}

// lastChanged returns the pits that the last turn of this round has changed, and none when it has changed so many that
// marking them would say nothing.
func (m *Model) lastChanged() uint32 {
	turns := m.record.Turns()
	if len(turns) == 0 || turns[len(turns)-1].Round != m.record.Round() {
		return 0
	}
	before, after, width := turns[len(turns)-1].Before, m.record.State(), m.record.Game().Width()
	pits := env.Changed(&before, &after, width)
	if bits.OnesCount32(pits) > width {
		return 0
	}
	return pits
}

// notes returns what the human types or should know: at most so many lines.
func (m *Model) notes(columns, most int) []string {
	var lines []string
	add := func(style lipgloss.Style, text string) {
		for _, line := range wrap(text, columns, max(0, most-len(lines))) {
			lines = append(lines, style.Render(line))
		}
	}
	if m.typing != nil {
		add(m.look.title, m.typing.label()+": "+m.typing.shown(columns)+m.look.glyphs.cursor)
	}
	if m.note != "" {
		style := m.look.faint
		if m.failed {
			style = m.look.failure
		}
		add(style, m.note)
	}
	if m.hint != "" {
		for line := range strings.SplitSeq(m.hint, "\n") {
			add(m.look.mark, line)
		}
	}
	return lines
}

// log returns the newest turns, the newest last, in at most so many lines.
func (m *Model) log(columns, most int) []string {
	turns := m.record.Turns()
	if m.show != nil {
		turns = turns[:len(turns)-1] // it is being shown, and its end is not told before
	}
	if len(turns) > most {
		turns = turns[len(turns)-max(0, most):]
	}
	var lines []string
	for i := range turns {
		turn := &turns[i]
		style := m.look.faint
		if i == len(turns)-1 {
			style = lipgloss.NewStyle()
		}
		lines = append(lines, style.Render(cut(fmt.Sprintf("%s  %s%s", turn.Mover, turn.Text, turn.Outcome()), columns)))
	}
	return lines
}
