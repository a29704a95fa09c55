package plot

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// This file draws who beats whom.

const cellSize = 34

// CrossTable draws the scores of each player against each other as coloured cells with numbers, in the order given: best the
// strongest first. scores[i][j] is the share of points, 0 to 1, that player i had against player j, and NaN where they did not
// meet. [players, players]
func CrossTable(title string, names []string, scores [][]float64) (*Picture, error) {
	if err := checkPlayers(len(names), len(scores)); err != nil {
		return nil, err
	}
	for i, row := range scores {
		if len(row) != len(names) {
			return nil, fmt.Errorf("cross table: %d scores in row %d, expected %d", len(row), i, len(names))
		}
		for j, s := range row {
			if s < 0 || s > 1 {
				return nil, fmt.Errorf("cross table: %q has the score %g against %q, expected 0 to 1", names[i], s, names[j])
			}
		}
	}
	f := face(textSize)
	short := shorten(names, f, nameWidth)
	nameSpace := vg.Length(0)
	for i := range short {
		short[i] += "   " + strconv.Itoa(i+1)
		nameSpace = max(nameSpace, f.Width(short[i]))
	}
	head := head{title: clean(title)}
	const caption = "points of the row's player against the column's, in %"
	size := vg.Length(len(names)) * cellSize
	width := margin + nameSpace + 10 + size + margin
	width = max(width, 2*margin+bold(headSize).Width(head.title), 2*margin+f.Width(caption))
	height := head.height() + 18 + size + 22 + margin
	return &Picture{width, height, func(c *canvas) {
		head.draw(c, margin, height-margin)
		x0, y1 := margin+nameSpace+10, height-head.height()-18
		for i, row := range scores {
			middleOf := (vg.Length(i) + 0.5) * cellSize
			c.text(f, x0+middleOf, y1+6, center, ink, strconv.Itoa(i+1))
			c.text(f, x0-10, y1-middleOf-middle(f), right, ink, short[i])
			for j, score := range row {
				x, y := x0+vg.Length(j)*cellSize, y1-vg.Length(i+1)*cellSize
				fill, text, label := heat(score)
				c.box(x+0.6, y+0.6, x+cellSize-0.6, y+cellSize-0.6, fill)
				c.text(f, x+cellSize/2, y+cellSize/2-middle(f), center, text, label)
			}
		}
		c.text(face(tickSize), margin, y1-size-20, left, softInk, caption)
	}}, nil
}

// heat returns the colour of a cell, that of its text, and the text: from vermilion over white to blue.
func heat(score float64) (fill, text color.Color, label string) {
	if math.IsNaN(score) {
		return color.NRGBA{0xf2, 0xf2, 0xf2, 0xff}, softInk, ""
	}
	end := palette[0]
	if score < 0.5 {
		end = palette[1]
	}
	share := math.Abs(score-0.5) * 2
	mix := func(to uint8) uint8 { return uint8(math.Round(255 + share*(float64(to)-255))) }
	text = color.Color(ink)
	if share > 0.75 {
		text = color.White
	}
	return color.NRGBA{mix(end.R), mix(end.G), mix(end.B), 0xff}, text, number(100*score, 0)
}
