package env

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kiothi/env/mancala"
)

// This file draws positions as pictures: SVG that needs no font, file or script besides itself, and is the same, byte for
// byte, for the same position.

// RenderSVG draws a position as a picture: see Drawing.SVG.
func RenderSVG(g mancala.Game, s *mancala.State) string { return Drawing{}.SVG(g, s) }

// The measures of the board, in pixels.
const (
	pitPitch    = 74 // from one pit's centre to the next
	pitRadius   = 31
	boardMargin = 20 // from the edge to the stores
	storeWidth  = 62
	northY      = 82  // the centres of North's pits
	southY      = 164 // the centres of South's pits
	boardHeight = 276
	seedRadius  = 5.2
	storedSeed  = 3.8 // the radius of a seed in a store
	storedPitch = 9.4 // from one seed in a store to the next
	storedRow   = 4   // seeds in a row of a store, so that the fours of Rio Kadalis lie as fours
	// countable is the most seeds that a pit shows as seeds. More would be counted no faster than read.
	countable = 12
)

// The colours.
const (
	inkColor     = "#fdf3df" // letters and numbers
	markColor    = "#ffcf4a" // the ring of a protected pit
	changedColor = "#8fe0ff" // the ring of a highlighted pit
	faintInk     = ` opacity=".62"`
)

// svgStyle is what all boards share.
const svgStyle = `<defs>
<linearGradient id="wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a06c3c"/><stop offset="1" stop-color="#754722"/></linearGradient>
<radialGradient id="well" cx=".5" cy=".4" r=".62"><stop offset="0" stop-color="#6d4220"/><stop offset="1" stop-color="#3a200c"/></radialGradient>
<radialGradient id="seed" cx=".36" cy=".32" r=".75"><stop offset="0" stop-color="#fffdf4"/><stop offset="1" stop-color="#b9b39f"/></radialGradient>
</defs>
`

// SVG draws a position as a picture of the board: North's row above South's, each player's store at the player's right
// hand. A pit shows its seeds, more than twelve as a number, and its letter with its number of seeds stands beside the
// board's edge. A ring marks a protected pit (an nki), another the pits of d.Changed, the pits lifted in an opening turn
// and the pit last placed in; a closed pit is boarded up with a cross. The row of the player to move lies in a lighter
// field, and a line below says what the player does.
func (d Drawing) SVG(g mancala.Game, s *mancala.State) string {
	p := picture{game: g, state: s, width: g.Width(), changed: d.Changed}
	if s.Phase == mancala.Place && s.Last != mancala.NoPit {
		p.changed |= 1 << mancala.Absolute(s.Player, int(s.Last), p.width)
	}
	for r := range p.width {
		if s.Lifted>>r&1 != 0 {
			p.changed |= 1 << mancala.Absolute(s.Player, r, p.width)
		}
	}
	return p.draw()
}

// A picture is being drawn.
type picture struct {
	strings.Builder
	game    mancala.Game
	state   *mancala.State
	width   int
	changed uint32
}

// boardWidth returns the width of the picture.
func (p *picture) boardWidth() int {
	return 2*(boardMargin+storeWidth) + p.width*pitPitch + pitPitch/2
}

// pitX returns the centre of column c.
func (p *picture) pitX(c int) float64 {
	return boardMargin + storeWidth + float64(pitPitch)*(float64(c)+.75)
}

func (p *picture) draw() string {
	width := p.boardWidth()
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif">`+"\n",
		width, boardHeight, width, boardHeight)
	fmt.Fprintf(p, "<title>%s (%s): %s</title>\n", escape(p.game.Name()), escape(p.game.Rules()), escape(status(p.game, p.state)))
	fmt.Fprintf(p, "<desc>%s</desc>\n", escape(p.game.Format(p.state)))
	p.WriteString(svgStyle)
	fmt.Fprintf(p, `<rect x="1" y="1" width="%d" height="%d" rx="26" fill="url(#wood)" stroke="#4f2d12" stroke-width="2"/>`+"\n", width-2, boardHeight-2)
	p.row(mancala.North, northY)
	p.row(mancala.South, southY)
	p.store(mancala.North, boardMargin)
	p.store(mancala.South, float64(width-boardMargin-storeWidth))
	p.legend()
	p.WriteString("</svg>\n")
	return p.String()
}

// row draws a player's pits, with their letters on the outer side.
func (p *picture) row(player mancala.Player, y float64) {
	outward := 1.0
	if player == mancala.North {
		outward = -1
	}
	moving := moves(p.state, player)
	if moving {
		left := p.pitX(0) - pitPitch/2
		top := y - pitRadius - 6
		if player == mancala.North {
			top -= 22
		}
		fmt.Fprintf(p, `<rect x="%s" y="%s" width="%d" height="%d" rx="20" fill="#ffe9bd" opacity=".26"/>`+"\n",
			decimal(left), decimal(top), p.width*pitPitch, 2*pitRadius+34)
	}
	for c := range p.width {
		i := atColumn(player, c, p.width)
		n := p.state.Rows[player].At(i % p.width)
		x := p.pitX(c)
		closed := p.state.Closed>>i&1 != 0
		p.pit(x, y, n, closed, p.state.Marks>>i&1 != 0, p.changed>>i&1 != 0)
		emphasis, count := faintInk, strconv.Itoa(n)
		if moving {
			emphasis = ` font-weight="bold"`
		}
		if closed {
			count = "closed"
		}
		fmt.Fprintf(p, `<text x="%s" y="%s" fill="%s" font-size="15" text-anchor="middle"%s>%c<tspan dx="5" font-size="12" font-weight="normal">%s</tspan></text>`+"\n",
			decimal(x), decimal(y+outward*(pitRadius+14)+5), inkColor, emphasis, mancala.PitName(i, p.width), count)
	}
}

// pit draws a pit and the seeds in it.
func (p *picture) pit(x, y float64, n int, closed, marked, changed bool) {
	fmt.Fprintf(p, `<circle cx="%s" cy="%s" r="%d" fill="url(#well)" stroke="#2c1707"/>`+"\n", decimal(x), decimal(y), pitRadius)
	if marked {
		p.ring(x, y, pitRadius-1.5, markColor, "3.4")
	}
	if changed {
		p.ring(x, y, pitRadius+2.5, changedColor, "2.2")
	}
	switch {
	case closed:
		const arm = 14
		fmt.Fprintf(p, `<circle cx="%s" cy="%s" r="%d" fill="#8f5f34"/><path d="M%s %sl%d %dm0 -%dl-%d %d" stroke="#3a200c" stroke-width="5" stroke-linecap="round"/>`+"\n",
			decimal(x), decimal(y), pitRadius-4, decimal(x-arm), decimal(y-arm), 2*arm, 2*arm, 2*arm, 2*arm, 2*arm)
	case n > countable:
		fmt.Fprintf(p, `<text x="%s" y="%s" fill="%s" font-size="26" font-weight="bold" text-anchor="middle">%d</text>`+"\n",
			decimal(x), decimal(y+9), inkColor, n)
	default:
		for _, at := range seedsAt[n] {
			p.seed(x+at[0], y+at[1], seedRadius)
		}
	}
}

// ring draws a circle around a pit.
func (p *picture) ring(x, y, radius float64, color, thickness string) {
	fmt.Fprintf(p, `<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s"/>`+"\n",
		decimal(x), decimal(y), decimal(radius), color, thickness)
}

func (p *picture) seed(x, y, radius float64) {
	fmt.Fprintf(p, `<circle cx="%s" cy="%s" r="%s" fill="url(#seed)"/>`+"\n", decimal(x), decimal(y), decimal(radius))
}

// seedsAt holds, for each number of seeds that a pit shows, where they lie around its centre: on one ring, or from seven
// on also within it, as on dice, so that a number is known by its shape.
var seedsAt = makeSeedsAt()

func makeSeedsAt() (at [countable + 1][][2]float64) {
	for n := range at {
		inner, outer := 0, n
		switch {
		case n == 1:
			inner, outer = 1, 0
		case n >= 10:
			inner, outer = 3, n-3
		case n >= 7 || n == 5:
			inner, outer = 1, n-1
		}
		radius := 14.0
		if outer >= 6 {
			radius = 20.4
		}
		at[n] = append(ringOf(inner, 7.2), ringOf(outer, radius)...)
	}
	return at
}

// ringOf returns the places of n seeds on a circle, the first at the top; a single one lies in the middle.
func ringOf(n int, radius float64) [][2]float64 {
	if n == 1 {
		return [][2]float64{{0, 0}}
	}
	var places [][2]float64
	turn := -math.Pi / 2
	if n == 4 { // a square on its side, as on dice
		turn = -math.Pi / 4
	}
	for i := range n {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(n))
		places = append(places, [2]float64{radius * cos, radius * sin})
	}
	return places
}

// store draws a player's store with the seeds in it, from its lower end, and the player's name with their number.
func (p *picture) store(player mancala.Player, x float64) {
	const top, bottom = northY - pitRadius, southY + pitRadius
	n := int(p.state.Stores[player])
	emphasis, nameY := faintInk, top-14.0+5
	if player == mancala.South {
		nameY = bottom + 14 + 5
	}
	if moves(p.state, player) {
		emphasis = ` font-weight="bold"`
	}
	fmt.Fprintf(p, `<rect x="%s" y="%d" width="%d" height="%d" rx="24" fill="url(#well)" stroke="#2c1707"/>`+"\n",
		decimal(x), top, storeWidth, bottom-top)
	for i := range n {
		column, row := float64(i%storedRow), float64(i/storedRow)
		p.seed(x+storeWidth/2+storedPitch*(column-1.5), bottom-6.4-storedPitch*row, storedSeed)
	}
	fmt.Fprintf(p, `<text x="%s" y="%s" fill="%s" font-size="15" text-anchor="middle"%s>%s<tspan dx="5" font-size="12" font-weight="normal">%d</tspan></text>`+"\n",
		decimal(x+storeWidth/2), decimal(nameY), inkColor, emphasis, player, n)
}

// legend draws the line below the board: what the player to move does, and what the ring of a protected pit means.
func (p *picture) legend() {
	const y = boardHeight - 25
	text := status(p.game, p.state)
	fmt.Fprintf(p, `<text x="%d" y="%d" fill="%s" font-size="16">%s</text>`+"\n", boardMargin+6, y, inkColor, escape(text))
	if p.state.Marks == 0 {
		return
	}
	x := float64(p.boardWidth() - boardMargin - 150)
	fmt.Fprintf(p, `<circle cx="%s" cy="%d" r="7" fill="#3a200c" stroke="%s" stroke-width="3"/><text x="%s" y="%d" fill="%s" font-size="14">nki: protected</text>`+"\n",
		decimal(x), y-5, markColor, decimal(x+16), y, inkColor)
}

// decimal writes a coordinate with at most one decimal.
func decimal(v float64) string {
	v = math.Round(v*10) / 10
	if v == 0 {
		v = 0 // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// escape makes text fit between the tags of XML.
func escape(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		return "" // a strings.Builder never fails
	}
	return b.String()
}
