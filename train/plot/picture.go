package plot

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"kiothi/env/durable"
)

// This file turns a drawing into a file.

// A Picture is a drawing, ready to be written.
type Picture struct {
	width, height vg.Length
	draw          func(c *canvas)
}

// Endings are the endings of the files that Save writes.
var Endings = []string{".png", ".svg"}

// ErrEnding is what Save returns for a file whose ending says no format.
var ErrEnding = errors.New("expected a name that ends in .png or .svg")

// CheckEnding returns ErrEnding for the name of a picture of another sort, which nobody means to be a folder.
func CheckEnding(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".bmp", ".eps", ".gif", ".jpeg", ".jpg", ".pdf", ".tif", ".tiff", ".webp":
		return fmt.Errorf("%s: %w, or a folder", path, ErrEnding)
	}
	return nil
}

// IsPicture reports whether a file is one that Save may have written.
func IsPicture(path string) (bool, error) {
	head, err := durable.ReadHead(path, 512)
	return bytes.HasPrefix(head, []byte("\x89PNG")) || bytes.Contains(head, []byte("<svg")), err
}

// Save writes the picture into a file, in the format that the name's ending says.
func (p *Picture) Save(path string) error {
	var encode func(io.Writer) error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png":
		encode = p.EncodePNG
	case ".svg":
		encode = p.EncodeSVG
	default:
		return fmt.Errorf("picture %s: %w", path, ErrEnding)
	}
	if err := durable.WriteFile(path, encode); err != nil {
		return fmt.Errorf("writing a picture: %w", err)
	}
	return nil
}

// dotsPerInch makes text of 9 points readable on any screen.
const dotsPerInch = 132

// EncodePNG writes the picture as PNG.
func (p *Picture) EncodePNG(w io.Writer) error {
	image := vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(color.White))
	p.draw(&canvas{Canvas: draw.New(image)})
	return png.Encode(w, image.Image())
}

// svgFonts names, beside the font that texts were measured with, others of the same widths, for those who have not got it.
var svgFonts = strings.NewReplacer("font-family:Liberation Sans;", "font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;")

// svgText is a text as vgsvg writes it: always at its left end.
var svgText = regexp.MustCompile(`(?s)<text x="([^"]+)" .*?</text>`)

// EncodeSVG writes the picture as SVG. Texts stay texts, and no font is embedded: each text says how wide it is and where it is
// held, so that another font neither runs into what is beside it nor out of the picture.
func (p *Picture) EncodeSVG(w io.Writer) error {
	svg := vgsvg.New(p.width, p.height)
	c := &canvas{Canvas: draw.New(svg)}
	c.box(0, 0, p.width, p.height, color.White)
	p.draw(c)
	var b strings.Builder
	if _, err := svg.WriteTo(&b); err != nil {
		return err
	}
	next := 0
	document := svgText.ReplaceAllStringFunc(svgFonts.Replace(b.String()), func(element string) string {
		text := c.texts[next]
		next++
		from := svgText.FindStringSubmatch(element)[1]
		x, err := strconv.ParseFloat(from, 64)
		if err != nil {
			panic("plot: a text stands nowhere: " + err.Error())
		}
		anchor := map[align]string{left: "start", center: "middle", right: "end"}[text.held]
		held := fmt.Sprintf(`<text x="%.5g" text-anchor="%s" textLength="%.5g" lengthAdjust="spacingAndGlyphs"`, x+float64(text.held)*text.width.Points(), anchor, text.width.Points())
		return strings.Replace(element, `<text x="`+from+`"`, held, 1)
	})
	_, err := io.WriteString(w, document)
	return err
}
