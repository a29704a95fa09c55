package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/train/rating"
)

// texts returns the texts of a picture in the order in which they are drawn, after checking that its SVG is XML.
func texts(t *testing.T, p *Picture) (lines []string) {
	t.Helper()
	var b bytes.Buffer
	if err := p.EncodeSVG(&b); err != nil {
		t.Fatal(err)
	}
	inside := false
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			inside = e.Name.Local == "text"
			if inside && (attribute(e, "text-anchor") == "" || attribute(e, "textLength") == "") {
				t.Errorf("a text says neither how wide it is nor where it is held: %v", e.Attr)
			}
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				lines = append(lines, string(e))
			}
		}
	}
}

// attribute returns an attribute of an element.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// pixels decodes a picture's PNG and checks that something is drawn, and nothing at its edges, where it would be cut.
func pixels(t *testing.T, p *Picture) {
	t.Helper()
	var b bytes.Buffer
	if err := p.EncodePNG(&b); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	bounds := picture.Bounds()
	inside := bounds.Inset(8)
	drawn := 0
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			in := image.Pt(x, y).In(inside)
			if in && y%4 > 0 { // a quarter is enough to see that there is something
				continue
			}
			if r, g, b, _ := picture.At(x, y).RGBA(); r&g&b == 0xffff {
				continue
			}
			drawn++
			if !in {
				t.Fatalf("something is drawn at %d,%d, at the edge of %v", x, y, bounds)
			}
		}
	}
	if drawn < 100 {
		t.Errorf("only %d pixels are drawn", drawn)
	}
}

// examples are pictures of every kind, the awkward ones among them.
func examples(t *testing.T) map[string]*Picture {
	t.Helper()
	must := func(p *Picture, err error) *Picture {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	runs := read(t, "first", "second")
	names := []string{
		"random", "zero:runs/with a very long path/kiothi-quick/checkpoints/000040,sims=64", "uct:sims=2000",
		"zero:runs/with a very long path/kiothi-quick/checkpoints/000030,sims=64", "line\nbreak <&> \x00 é \xff",
	}
	elo := []rating.Estimate{{}, {Value: 1200, Low: 1100, High: 5200}, {Value: 640.4, Low: 590, High: 700}, {Value: 1150, Low: 1080, High: 1225}, {Value: -80, Low: -3000, High: -20}}
	nan := math.NaN()
	scores := [][]float64{
		{nan, 0, 0.02, 0, 0.61}, {1, nan, 0.93, 0.5, nan}, {0.98, 0.07, nan, 0.125, 1}, {1, 0.5, 0.875, nan, 1}, {0.39, nan, 0, 0, nan},
	}
	many, bulk := []string{}, []Chart{{Name: "many", Title: "Many runs", X: "x", Low: nan, High: nan}}
	for i := range 12 {
		many = append(many, strings.Repeat("a long name of a run, ", 1+i%6)+string(rune('a'+i)))
		bulk[0].Series = append(bulk[0].Series, Series{Run: i, Points: []Point{{X: float64(i), Y: 1e6 * float64(i)}, {X: 40, Y: 1e5}}})
	}
	return map[string]*Picture{
		"two runs":    must(Curves("two runs", RunNames(runs), charts(t, runs, Time))),
		"one run":     must(Curves("one run", RunNames(runs[:1]), charts(t, runs[:1], Positions))),
		"one chart":   must(Curves("one chart", RunNames(runs), charts(t, runs, Iterations)[3:4])),
		"many runs":   must(Curves("many runs", many, bulk)),
		"a point":     must(Curves("a point", []string{"r"}, []Chart{{Title: "a point", X: "x", Low: nan, High: nan, Series: []Series{{Points: []Point{{5, 7, 6, 9}}, Interval: true}}}})),
		"ratings":     must(Ratings("ratings of players", names, elo)),
		"one player":  must(Ratings("a title that is much wider than the picture would otherwise be, so that it has to grow", names[:1], elo[:1])),
		"cross table": must(CrossTable("who beats whom", names, scores)),
		"small table": must(CrossTable("", names[:1], [][]float64{{nan}})),
	}
}

func TestPicturesAreSoundAndNothingIsCut(t *testing.T) {
	var all strings.Builder
	pictures := examples(t)
	for _, name := range []string{"two runs", "one run", "one chart", "many runs", "a point", "ratings", "one player", "cross table", "small table"} {
		p := pictures[name]
		pixels(t, p)
		all.WriteString("== " + name + "\n" + strings.Join(texts(t, p), "\n") + "\n")
	}
	golden(t, "texts.golden", all.String())
}

func TestTheSameDataGiveTheSameBytes(t *testing.T) {
	one, two := examples(t), examples(t)
	for _, name := range []string{"two runs", "ratings", "cross table"} {
		for ending, encode := range map[string]func(p *Picture, w io.Writer) error{".png": (*Picture).EncodePNG, ".svg": (*Picture).EncodeSVG} {
			var a, b bytes.Buffer
			if err := errors.Join(encode(one[name], &a), encode(two[name], &b)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("two pictures %q differ as %s", name, ending)
			}
		}
	}
}

func TestTheEndingSaysTheFormat(t *testing.T) {
	p := examples(t)["ratings"]
	dir := t.TempDir()
	for name, start := range map[string]string{"é a.png": "\x89PNG", "b.SVG": "<?xml"} {
		path := filepath.Join(dir, name)
		if err := p.Save(path); err != nil {
			t.Fatal(err)
		}
		if content, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(content), start) {
			t.Errorf("%s begins with %.5q, %v", name, content, err)
		}
	}
	for _, name := range []string{"a.pdf", "a", "png"} {
		if err := p.Save(filepath.Join(dir, name)); !errors.Is(err, ErrEnding) {
			t.Errorf("%s: got %v, want a word about the ending", name, err)
		}
	}
	if err := p.Save(filepath.Join(dir, "no such folder", "a.png")); err == nil {
		t.Error("a picture was written into a folder that is not there")
	}
}

func TestPicturesAreTold(t *testing.T) {
	dir := t.TempDir()
	for _, ending := range Endings {
		path := filepath.Join(dir, "picture"+ending)
		if err := examples(t)["ratings"].Save(path); err != nil {
			t.Fatal(err)
		}
		if is, err := IsPicture(path); !is || err != nil {
			t.Errorf("%s is none: %v", ending, err)
		}
	}
	for _, text := range []string{"", "x", strings.Repeat("dear diary ", 100)} {
		path := filepath.Join(dir, "text.svg")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if is, err := IsPicture(path); is || err != nil {
			t.Errorf("%.10q is one: %v", text, err)
		}
	}
}

func TestPicturesOfNothingAreRefused(t *testing.T) {
	nan := math.NaN()
	for name, err := range map[string]error{
		"no charts":     second(Curves("", nil, nil)),
		"empty chart":   second(Curves("", []string{"a"}, []Chart{{Series: []Series{{}}}})),
		"no players":    second(Ratings("", nil, nil)),
		"a player less": second(Ratings("", []string{"a", "b"}, make([]rating.Estimate, 1))),
		"no number":     second(Ratings("", []string{"a"}, []rating.Estimate{{Value: nan, Low: 0, High: 0}})),
		"endless":       second(Ratings("", []string{"a"}, []rating.Estimate{{Value: 0, Low: 0, High: math.Inf(1)}})),
		"short row":     second(CrossTable("", []string{"a", "b"}, [][]float64{{nan, 1}, {0}})),
		"above 1":       second(CrossTable("", []string{"a", "b"}, [][]float64{{nan, 1.5}, {0, nan}})),
		"too many":      second(CrossTable("", make([]string, 101), make([][]float64, 101))),
	} {
		if err == nil {
			t.Errorf("%s was drawn", name)
		}
	}
}

func second(_ *Picture, err error) error { return err }

func TestLongNamesLoseTheirMiddleAndStayApart(t *testing.T) {
	f := face(textSize)
	names := []string{"short", strings.Repeat("a", 60) + "x" + strings.Repeat("b", 60), strings.Repeat("a", 60) + "y" + strings.Repeat("b", 60), "short"}
	got := shorten(names, f, 100)
	if got[0] != "short" || got[3] != "short" {
		t.Errorf("short names became %q and %q", got[0], got[3])
	}
	if got[1] == got[2] {
		t.Errorf("two players are called %q", got[1])
	}
	long := shorten([]string{"zero:" + strings.Repeat("runs/", 40) + ",sims=64"}, f, 150)[0]
	if f.Width(long) > 150 || !strings.HasPrefix(long, "zero:") || !strings.HasSuffix(long, ",sims=64") || !strings.Contains(long, "…") {
		t.Errorf("a long name became %q", long)
	}
	if got := shorten([]string{strings.Repeat("W", 300)}, f, 1)[0]; len([]rune(got)) > 4 {
		t.Errorf("no room at all leaves %q", got)
	}
}

func TestTicksAreRoundNumbers(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      string
	}{
		{0, 1, 6, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 100, 7, "0 20 40 60 80 100"},
		{-300, 1234, 8, "−200 0 200 400 600 800 1000 1200"},
		{0, 12000, 7, "0 2k 4k 6k 8k 10k 12k"},
		{0, 2_600_000, 6, "0 0.5M 1.0M 1.5M 2.0M 2.5M"},
		{1.02, 1.05, 6, "1.020 1.025 1.030 1.035 1.040 1.045 1.050"},
		{5, 5, 6, "4.6 4.8 5.0 5.2 5.4"},
		{0, 0, 6, "−0.4 −0.2 0.0 0.2 0.4"},
		{-1e-9, 1e-9, 3, "−0.000000001 0.000000000 0.000000001"},
	} {
		var labels []string
		for _, tick := range newAxis(c.low, c.high, c.most, 0, 0).ticks {
			labels = append(labels, tick.label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}
