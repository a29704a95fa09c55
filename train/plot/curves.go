package plot

import (
	"errors"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws curves: charts of lines over a common axis, one or many in a picture.

// A Chart is lines over a horizontal axis.
type Chart struct {
	Name   string // a word, for a file's name
	Title  string // what is drawn, with its unit
	X      string // what the horizontal axis is, with its unit
	Low    float64
	High   float64 // the vertical axis shows at least Low to High; NaN leaves that to the data
	Series []Series
}

// A Series is a line.
type Series struct {
	Run    int    // which of the picture's runs it belongs to
	Name   string // what the line is, in a chart of several lines a run
	Points []Point
	// Interval says that the points have intervals, Low to High, which are drawn as a band.
	Interval bool
	// Open says that an interval may leave the chart at its top, as that of a player who never lost does.
	Open bool
}

// A Point is a point of a line, and the interval of its Y.
type Point struct{ X, Y, Low, High float64 }

// errNothing is the error of a picture without data.
var errNothing = errors.New("there is nothing to draw: expected a chart with at least one point")

const (
	panelWidth  = 430
	panelHeight = 235
	margin      = 18
	markersUpTo = 40 // points of a line have markers when they are no more than that
)

// Curves draws charts, two beside each other, under a title and a legend of the runs.
func Curves(title string, runs []string, charts []Chart) (*Picture, error) {
	var drawn []Chart
	over := [2]float64{0, 0} // time, iterations and positions begin at 0
	for _, chart := range charts {
		if x, _, ok := chart.ranges(); ok {
			drawn = append(drawn, chart)
			over = [2]float64{min(over[0], x[0]), max(over[1], x[1])}
		}
	}
	if len(drawn) == 0 {
		return nil, errNothing
	}
	columns := min(2, len(drawn))
	rows := (len(drawn) + columns - 1) / columns
	width := vg.Length(columns)*panelWidth + vg.Length(columns+1)*margin
	if columns == 1 {
		width += panelWidth / 4
	}
	head := head{title: clean(title), width: width - 2*margin}
	if len(runs) > 1 {
		head.names = shorten(runs, face(textSize), head.width/2)
	}
	height := head.height() + vg.Length(rows)*(panelHeight+margin)
	if columns == 1 {
		height += panelHeight / 4
	}
	return &Picture{width, height, func(c *canvas) {
		head.draw(c, margin, height-margin)
		tileHeight := (height-head.height())/vg.Length(rows) - margin
		tileWidth := (width-margin)/vg.Length(columns) - margin
		for i := range drawn {
			x := margin + vg.Length(i%columns)*(tileWidth+margin)
			y := height - head.height() - vg.Length(i/columns)*(tileHeight+margin)
			drawn[i].draw(c, frame{x, y - tileHeight, x + tileWidth, y}, over, len(runs))
		}
	}}, nil
}

// A frame is where something is drawn.
type frame struct{ x0, y0, x1, y1 vg.Length }

// A head is the top of a picture: its title, and the runs with their colours, in as many rows as they need.
type head struct {
	title string
	names []string
	width vg.Length
}

const (
	headRow     = 16
	sampleWidth = 22 // of the piece of line in a legend
	legendGap   = 16 // between two entries
)

// place calls draw for each run with where it stands, from the top left, and returns the number of rows.
func (h *head) place(draw func(i int, x vg.Length, row int)) int {
	x, row := vg.Length(0), 0
	for i, name := range h.names {
		wide := entryWidth(name)
		if x > 0 && x+wide > h.width {
			x, row = 0, row+1
		}
		draw(i, x, row)
		x += wide + legendGap
	}
	if len(h.names) == 0 {
		return 0
	}
	return row + 1
}

// entryWidth returns the width of an entry of a legend.
func entryWidth(name string) vg.Length { return sampleWidth + 5 + face(textSize).Width(name) }

// height returns how much of the picture's top the head takes, with the margin above.
func (h *head) height() vg.Length {
	rows := h.place(func(int, vg.Length, int) {})
	if rows == 0 {
		return margin + 28
	}
	return margin + 32 + vg.Length(rows)*headRow
}

// draw draws the head under y.
func (h *head) draw(c *canvas, x, y vg.Length) {
	c.text(bold(headSize), x, y-headSize, left, ink, h.title)
	h.place(func(i int, dx vg.Length, row int) {
		c.entry(x+dx, y-24-vg.Length(row)*headRow-headRow/2, lineStyle(i, 0), i, h.names[i])
	})
}

// lineStyle returns the look of a line by the number of its colour and that of its dash.
func lineStyle(hue, dash int) draw.LineStyle {
	return draw.LineStyle{Color: palette[hue%len(palette)], Width: 1.5, Dashes: dashes[dash%len(dashes)]}
}

// entry draws an entry of a legend with its middle at y. A marker below 0 is none.
func (c *canvas) entry(x, y vg.Length, style draw.LineStyle, marker int, name string) {
	c.StrokeLine2(style, x, y, x+sampleWidth, y)
	if marker >= 0 {
		c.mark(x+sampleWidth/2, y, marker, style.Color)
	}
	f := face(textSize)
	c.text(f, x+sampleWidth+5, y-middle(f), left, ink, name)
}

// mark draws a marker. Runs that share a colour do not share a marker.
func (c *canvas) mark(x, y vg.Length, marker int, ink color.Color) {
	marker += marker / len(palette)
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: ink, Radius: 2.4, Shape: markers[marker%len(markers)]}, vg.Point{X: x, Y: y})
}

// ranges returns the ranges of a chart's data, and whether there are any.
func (chart *Chart) ranges() (x, y [2]float64, ok bool) {
	inf := math.Inf(1)
	x, y = [2]float64{inf, -inf}, [2]float64{inf, -inf}
	for _, s := range chart.Series {
		for _, p := range s.Points {
			ok = true
			x = [2]float64{min(x[0], p.X), max(x[1], p.X)}
			y = [2]float64{min(y[0], p.Y), max(y[1], p.Y)}
			if s.Interval {
				y[0] = min(y[0], p.Low)
				if !s.Open {
					y[1] = max(y[1], p.High)
				}
			}
		}
	}
	if !math.IsNaN(chart.Low) {
		y[0] = min(y[0], chart.Low)
	}
	if !math.IsNaN(chart.High) {
		y[1] = max(y[1], chart.High)
	}
	return x, y, ok
}

// look returns the numbers of the colour and of the dash of a series: colours tell runs apart where there are several, and
// else the series.
func (chart *Chart) look(s *Series, runs int) (hue, dash int) {
	kind := 0
	for i, name := range chart.kinds() {
		if name == s.Name {
			kind = i
		}
	}
	if runs > 1 {
		return s.Run, kind
	}
	return kind, 0
}

// kinds returns the names of the lines that a run has.
func (chart *Chart) kinds() (names []string) {
	seen := map[string]bool{}
	for _, s := range chart.Series {
		if !seen[s.Name] && len(s.Points) > 0 {
			seen[s.Name] = true
			names = append(names, s.Name)
		}
	}
	return names
}

// draw draws a chart over a range that is the same for all of a picture.
func (chart *Chart) draw(c *canvas, f frame, over [2]float64, runs int) {
	_, ys, _ := chart.ranges()
	c.text(bold(titleSize), f.x0, f.y1-titleSize, left, ink, chart.Title)
	top := f.y1 - 24
	if kinds := chart.kinds(); len(kinds) > 1 {
		x := f.x0
		for i, name := range kinds {
			style, marker := lineStyle(i, 0), i
			if runs > 1 {
				style, marker = lineStyle(0, i), -1
				style.Color = softInk
			}
			if !chart.marked() {
				marker = -1
			}
			c.entry(x, top-5, style, marker, name)
			x += entryWidth(name) + legendGap
		}
		top -= 18
	}

	ticks := face(tickSize)
	y := newAxis(ys[0], ys[1], 7, pad(ys[0], chart.Low), pad(ys[1], chart.High))
	inside := frame{f.x0, f.y0 + 32, f.x1, top}
	for _, t := range y.ticks {
		inside.x0 = max(inside.x0, f.x0+ticks.Width(t.label)+6)
	}
	x := newAxis(over[0], over[1], 9, 0, 0.02)
	px := func(v float64) vg.Length { return inside.x0 + vg.Length(x.at(v))*(inside.x1-inside.x0) }
	py := func(v float64) vg.Length {
		return inside.y0 + vg.Length(y.at(min(v, y.max)))*(inside.y1-inside.y0)
	}
	for _, t := range y.ticks {
		c.line(inside.x0, py(t.value), inside.x1, py(t.value), 0.7, gridInk)
		c.text(ticks, inside.x0-6, py(t.value)-middle(ticks), right, softInk, t.label)
	}
	for _, t := range x.ticks {
		c.line(px(t.value), inside.y0, px(t.value), inside.y0-4, 0.7, axisInk)
		c.text(ticks, px(t.value), inside.y0-14, center, softInk, t.label)
	}
	c.line(inside.x0, inside.y0, inside.x1, inside.y0, 0.9, axisInk)
	c.text(ticks, (inside.x0+inside.x1)/2, inside.y0-28, center, softInk, chart.X)

	for i := range chart.Series {
		if s := &chart.Series[i]; s.Interval {
			hue, _ := chart.look(s, runs)
			c.FillPolygon(pale(palette[hue%len(palette)]), s.band(px, py))
		}
	}
	for i := range chart.Series {
		s := &chart.Series[i]
		hue, dash := chart.look(s, runs)
		style := lineStyle(hue, dash)
		var line []vg.Point
		for _, p := range s.Points {
			line = append(line, vg.Point{X: px(p.X), Y: py(p.Y)})
		}
		if len(line) > 1 {
			c.StrokeLines(style, line)
		}
		if chart.marked() || len(line) == 1 {
			for j, p := range s.Points {
				if s.Interval && len(line) == 1 {
					c.line(line[j].X, py(p.Low), line[j].X, py(p.High), 1, style.Color)
				}
				c.mark(line[j].X, line[j].Y, hue, style.Color)
			}
		}
	}
}

// marked says whether the points of a chart are few enough for markers.
func (chart *Chart) marked() bool {
	for _, s := range chart.Series {
		if len(s.Points) > markersUpTo {
			return false
		}
	}
	return true
}

// pad returns the margin of an axis at an end of its range: none where the end was asked for.
func pad(end, asked float64) float64 {
	if end == asked {
		return 0
	}
	return 0.06
}

// band returns the area between the lower and the upper ends of a series' intervals.
func (s *Series) band(px, py func(float64) vg.Length) []vg.Point {
	var area []vg.Point
	for _, p := range s.Points {
		area = append(area, vg.Point{X: px(p.X), Y: py(p.High)})
	}
	for i := len(s.Points) - 1; i >= 0; i-- {
		p := s.Points[i]
		area = append(area, vg.Point{X: px(p.X), Y: py(p.Low)})
	}
	return area
}
