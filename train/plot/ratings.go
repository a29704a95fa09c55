package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"kiothi/train/rating"
)

// This file draws ratings.

const (
	ratingRow  = 22
	nameWidth  = 260
	scaleWidth = 380
	maxPlayers = 100 // of a picture
)

// Ratings draws the ratings of players with their intervals, the strongest on top. Each list has an entry a player. An interval
// that reaches very far ends in an arrow.
func Ratings(title string, names []string, elo []rating.Estimate) (*Picture, error) {
	if err := checkPlayers(len(names), len(elo)); err != nil {
		return nil, err
	}
	order := make([]int, len(names))
	low, high := math.Inf(1), math.Inf(-1)
	weakest, strongest := low, high
	for i, e := range elo {
		if !(e.Low <= e.High) || math.IsInf(e.Low, 0) || math.IsInf(e.High, 0) || math.IsNaN(e.Value) {
			return nil, fmt.Errorf("picture of ratings: %q has the rating %g (%g to %g), expected numbers", names[i], e.Value, e.Low, e.High)
		}
		order[i] = i
		low, high = min(low, e.Low, e.Value), max(high, e.High, e.Value)
		weakest, strongest = min(weakest, e.Value), max(strongest, e.Value)
	}
	// The interval of a player who never lost, or never won, would leave the others no room.
	room := max(300, (strongest-weakest)/3)
	low, high = max(low, weakest-room), min(high, strongest+room)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(elo[j].Value, elo[i].Value) })

	f := face(textSize)
	short := shorten(names, f, nameWidth)
	values := make([]string, len(names))
	nameSpace, valueSpace := vg.Length(0), vg.Length(0)
	for i, e := range elo {
		values[i] = number(e.Value, 0)
		if e.Low != e.High {
			values[i] += "  (" + number(e.Low, 0) + " to " + number(e.High, 0) + ")"
		}
		nameSpace, valueSpace = max(nameSpace, f.Width(short[i])), max(valueSpace, f.Width(values[i]))
	}
	head := head{title: clean(title)}
	const foot = 46
	width := margin + nameSpace + 12 + scaleWidth + 12 + valueSpace + margin
	width = max(width, 2*margin+bold(headSize).Width(head.title))
	height := head.height() + vg.Length(len(names))*ratingRow + foot
	return &Picture{width, height, func(c *canvas) {
		head.draw(c, margin, height-margin)
		x0 := margin + nameSpace + 12
		x1 := x0 + scaleWidth
		y0 := vg.Length(foot)
		a := newAxis(low, high, 10, 0.03, 0.03)
		px := func(v float64) vg.Length { return x0 + vg.Length(a.at(v))*(x1-x0) }
		ticks := face(tickSize)
		for _, t := range a.ticks {
			c.line(px(t.value), y0, px(t.value), height-head.height(), 0.7, gridInk)
			c.text(ticks, px(t.value), y0-14, center, softInk, t.label)
		}
		c.line(x0, y0, x1, y0, 0.9, axisInk)
		c.text(ticks, (x0+x1)/2, y0-28, center, softInk, "Elo, with 95 % intervals")
		for row, i := range order {
			y := height - head.height() - (vg.Length(row)+0.5)*ratingRow
			e := elo[i]
			c.text(f, x0-12, y-middle(f), right, ink, short[i])
			c.line(px(max(e.Low, a.min)), y, px(min(e.High, a.max)), y, 1.5, palette[0])
			c.whiskerEnd(e.Low >= a.min, px(max(e.Low, a.min)), y, 1)
			c.whiskerEnd(e.High <= a.max, px(min(e.High, a.max)), y, -1)
			c.mark(px(e.Value), y, 0, palette[0])
			c.text(f, x1+12, y-middle(f), left, ink, values[i])
		}
	}}, nil
}

// whiskerEnd draws the end of an interval: a bar, or an arrow where it goes on outside of the picture. Inwards is +1 at the
// left end.
func (c *canvas) whiskerEnd(inside bool, x, y, inwards vg.Length) {
	if inside {
		c.line(x, y-4, x, y+4, 1.5, palette[0])
		return
	}
	c.line(x, y, x+5*inwards, y-4, 1.5, palette[0])
	c.line(x, y, x+5*inwards, y+4, 1.5, palette[0])
}

// checkPlayers refuses a picture of no or of too many players.
func checkPlayers(names, values int) error {
	switch {
	case names != values:
		return fmt.Errorf("picture of players: %d names for %d players", names, values)
	case names == 0 || names > maxPlayers:
		return fmt.Errorf("picture of players: %d players, expected 1 to %d", names, maxPlayers)
	}
	return nil
}
