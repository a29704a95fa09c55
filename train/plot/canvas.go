package plot

import (
	"image/color"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file is what pictures are drawn with: texts, lines and boxes, and their colours. Lengths are in points, from the lower
// left corner.

// A canvas is what a picture is drawn on. It remembers the texts on it.
type canvas struct {
	draw.Canvas
	texts []text
}

// A text is the measure of a text on a canvas, and which part of it was put in its place.
type text struct {
	width vg.Length
	held  align
}

// fonts are the regular and the bold face.
var fonts = sync.OnceValue(func() (faces [2]font.Face) {
	for i, f := range []struct {
		data   []byte
		weight xfont.Weight
	}{{liberationsansregular.TTF, xfont.WeightNormal}, {liberationsansbold.TTF, xfont.WeightBold}} {
		parsed, err := opentype.Parse(f.data)
		if err != nil {
			panic("plot: a font of the program cannot be read: " + err.Error())
		}
		faces[i] = font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Weight: f.weight}, Face: parsed}
	}
	return faces
})

// face returns the regular font in a size.
func face(size vg.Length) *font.Face {
	f := fonts()[0]
	f.Font.Size = size
	return &f
}

// bold returns the bold font in a size.
func bold(size vg.Length) *font.Face {
	f := fonts()[1]
	f.Font.Size = size
	return &f
}

// The sizes of text.
const (
	headSize  = 14
	titleSize = 11
	textSize  = 9.5
	tickSize  = 9
)

// An align says which part of a text stands at its point.
type align float64

const (
	left   align = 0
	center align = 0.5
	right  align = 1
)

// text writes a line of text with its base line at y.
func (c *canvas) text(f *font.Face, x, y vg.Length, a align, ink color.Color, line string) {
	if line == "" {
		return
	}
	width := f.Width(line)
	c.texts = append(c.texts, text{width, a})
	c.SetColor(ink)
	c.FillString(*f, vg.Point{X: x - vg.Length(a)*width, Y: y}, line)
}

// middle is how far under the middle of a line of text its base line is.
func middle(f *font.Face) vg.Length { return 0.35 * f.Font.Size }

// line draws a straight line.
func (c *canvas) line(x0, y0, x1, y1, width vg.Length, ink color.Color) {
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: width}, x0, y0, x1, y1)
}

// box fills a box.
func (c *canvas) box(x0, y0, x1, y1 vg.Length, ink color.Color) {
	c.FillPolygon(ink, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}

// The colours of everything that is not data.
var (
	ink     = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	softInk = color.NRGBA{0x66, 0x66, 0x66, 0xff}
	axisInk = color.NRGBA{0x99, 0x99, 0x99, 0xff}
	gridInk = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
)

// palette are the colours of Okabe and Ito (Color Universal Design, 2008) that stand out on white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x22, 0x22, 0x22, 0xff}, // black
}

// markers are what a point of each colour looks like.
var markers = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{},
}

// dashes tell series apart where colours tell runs apart.
var dashes = [][]vg.Length{nil, {6, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}}

// pale returns a colour to fill an area with that lies behind others.
func pale(c color.NRGBA) color.NRGBA {
	c.A = 0x30
	return c
}

// clean makes a name fit for a picture: on one line, without characters that XML does not allow.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(name, "·"))
}

// shorten makes names fit a width, by leaving out their middle: the beginning says what an agent is, and the end with which
// settings. Where two names would become one, both keep more.
func shorten(names []string, f *font.Face, width vg.Length) []string {
	short := make([]string, len(names))
	full := map[string]string{}
	for wide := width; ; wide *= 1.25 {
		clear(full)
		clash := false
		for i, name := range names {
			short[i] = squeeze(clean(name), f, wide)
			if other, ok := full[short[i]]; ok && other != clean(name) {
				clash = true
			}
			full[short[i]] = clean(name)
		}
		if !clash {
			return short
		}
	}
}

// squeeze leaves out the middle of a text that is too wide.
func squeeze(text string, f *font.Face, width vg.Length) string {
	runes := []rune(text)
	for keep := len(runes); keep > 2; keep-- {
		if keep < len(runes) {
			head := keep * 2 / 5
			text = string(runes[:head]) + "…" + string(runes[len(runes)-(keep-head):])
		}
		if f.Width(text) <= width {
			break
		}
	}
	return text
}
