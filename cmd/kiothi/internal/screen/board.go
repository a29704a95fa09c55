package screen

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"kiothi/env/mancala"
)

// This file draws a board, in three sizes.

// A picture is what there is to see on a board.
type picture struct {
	game   mancala.Game
	state  mancala.State
	stores [2]int // final ones when the game is over
	bottom mancala.Player
	cursor int    // the chosen pit, or noPit
	target int    // where the chosen sowing's first lap ends, or noPit
	sown   uint32 // pits to highlight, as those that the last turn changed
}

// A size is a way to draw a board, by the height of a pit in lines.
type size int

// The sizes.
const (
	small  size = iota // no borders, two columns of numbers
	medium             // a line a pit, stores beside the board
	large              // seeds drawn as such
)

// The room that pits and stores take.
const (
	smallPit  = 4
	borderPit = 5 // between borders
	storeSide = 8
)

// extent returns the columns and lines of a board in a size.
func extent(width int, s size) (columns, lines int) {
	switch s {
	case small:
		return smallPit * width, 5
	case medium:
		return 2*storeSide + (borderPit+1)*width + 1, 7
	}
	return 2*storeSide + (borderPit+1)*width + 1, 11
}

// draw draws the board.
func (p *picture) draw(l *look, s size) string {
	if s == small {
		return p.drawSmall(l)
	}
	board := p.drawBordered(l, s)
	top := p.bottom.Other()
	lines := strings.Count(board, "\n") + 1
	store := func(player mancala.Player) string {
		return lipgloss.Place(storeSide, lines, lipgloss.Center, lipgloss.Center, p.storeText(l, player))
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, store(top), board, store(p.bottom))
}

// storeText returns a player's name and store.
func (p *picture) storeText(l *look, player mancala.Player) string {
	style := l.south
	if player == mancala.North {
		style = l.north
	}
	if p.moves(player) {
		style = style.Bold(true).Reverse(true)
	}
	return style.Render(" "+player.String()+" ") + "\n\n" + l.bold.Render(fmt.Sprint(p.stores[player])) + "\n" + l.faint.Render("store")
}

// moves reports whether it is a player's turn.
func (p *picture) moves(player mancala.Player) bool {
	return !p.state.Over() && p.state.Player == player
}

// atColumn returns the pit in a column of a player's row.
func (p *picture) atColumn(player mancala.Player, c int) int {
	width := p.game.Width()
	if player != p.bottom {
		c = width - 1 - c
	}
	return int(player)*width + c
}

// drawBordered draws the board between borders.
func (p *picture) drawBordered(l *look, s size) string {
	width, b := p.game.Width(), l.border
	rule := func(left, middle, right, line string) string {
		cells := make([]string, width)
		for i := range cells {
			cells[i] = strings.Repeat(line, borderPit)
		}
		return l.faint.Render(left + strings.Join(cells, middle) + right)
	}
	names := func(player mancala.Player) string {
		var text strings.Builder
		for c := range width {
			text.WriteString(" " + p.name(l, p.atColumn(player, c), borderPit))
		}
		return text.String()
	}
	rows := func(player mancala.Player) []string {
		lines := make([]string, 1)
		if s == large {
			lines = make([]string, 3)
		}
		for i := range lines {
			for c := range width {
				lines[i] += l.faint.Render(b.Left) + p.cell(l, p.atColumn(player, c), i)
			}
			lines[i] += l.faint.Render(b.Right)
		}
		return lines
	}
	lines := []string{names(p.bottom.Other()), rule(b.TopLeft, b.MiddleTop, b.TopRight, b.Top)}
	lines = append(lines, rows(p.bottom.Other())...)
	lines = append(lines, rule(b.MiddleLeft, b.Middle, b.MiddleRight, b.Top))
	lines = append(lines, rows(p.bottom)...)
	lines = append(lines, rule(b.BottomLeft, b.MiddleBottom, b.BottomRight, b.Bottom), names(p.bottom))
	return strings.Join(lines, "\n")
}

// name returns a pit's letter in the middle of a cell: in brackets under the cursor, and in angles where the chosen
// sowing's first lap ends, so that both are seen without colours too.
func (p *picture) name(l *look, pit, room int) string {
	letter := string(mancala.PitName(pit, p.game.Width()))
	style := l.faint
	switch {
	case pit == p.cursor:
		letter, style = "["+letter+"]", l.bold
	case pit == p.target:
		letter, style = ">"+letter+"<", l.target
	case p.moves(mancala.Player(pit / p.game.Width())):
		style = l.bold
	}
	return center(style, letter, room)
}

// cell returns a line of a pit's cell: its number first, then its seeds, five a line.
func (p *picture) cell(l *look, pit, line int) string {
	width := p.game.Width()
	n := p.state.Rows[pit/width].At(pit % width)
	text, style := "", lipgloss.NewStyle()
	switch {
	case p.state.Closed>>pit&1 != 0:
		return l.faint.Render(strings.Repeat(l.closed, borderPit))
	case line == 0:
		text = p.number(pit)
	case line == 1:
		text = strings.Repeat(l.seed, min(n, 5))
	case n > 10:
		text = strings.Repeat(l.seed, 4) + "+"
	case n > 5:
		text = strings.Repeat(l.seed, n-5)
	}
	return center(p.style(l, pit, n, style), text, borderPit)
}

// number returns a pit's seeds in digits, with a star when it is protected.
func (p *picture) number(pit int) string {
	width := p.game.Width()
	text := fmt.Sprint(p.state.Rows[pit/width].At(pit % width))
	if p.state.Marks>>pit&1 != 0 {
		text = " " + text + "*" // so that the digit stays in the middle
	}
	return text
}

// style returns how a pit's content looks.
func (p *picture) style(l *look, pit, n int, style lipgloss.Style) lipgloss.Style {
	switch {
	case pit == p.cursor:
		return l.cursor
	case pit == p.target:
		return l.target
	case p.sown>>pit&1 != 0:
		return l.sown
	case p.state.Marks>>pit&1 != 0:
		return l.mark
	case n == 0:
		return l.faint
	}
	return style
}

// drawSmall draws the board in as little room as can be.
func (p *picture) drawSmall(l *look) string {
	width := p.game.Width()
	row := func(player mancala.Player, cell func(pit int) string) string {
		var text strings.Builder
		for c := range width {
			text.WriteString(cell(p.atColumn(player, c)))
		}
		return text.String()
	}
	name := func(pit int) string { return p.name(l, pit, smallPit) }
	count := func(pit int) string {
		if p.state.Closed>>pit&1 != 0 {
			return center(l.faint, "x", smallPit)
		}
		return center(p.style(l, pit, p.state.Rows[pit/width].At(pit%width), lipgloss.NewStyle()), p.number(pit), smallPit)
	}
	top := p.bottom.Other()
	between := fmt.Sprintf(" %s %d", top, p.stores[top])
	below := fmt.Sprintf("%s %d ", p.bottom, p.stores[p.bottom])
	gap := strings.Repeat(" ", max(1, smallPit*width-len(between)-len(below)))
	return strings.Join([]string{row(top, name), row(top, count), l.bold.Render(between + gap + below), row(p.bottom, count), row(p.bottom, name)}, "\n")
}

// center puts a text in the middle of a room, the style on all of it.
func center(style lipgloss.Style, text string, room int) string {
	free := max(0, room-lipgloss.Width(text))
	return style.Render(strings.Repeat(" ", free/2) + text + strings.Repeat(" ", free-free/2))
}
