package env_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/mancala"
)

func TestPicturesAreTheSameByteForByte(t *testing.T) {
	for _, d := range drawnPositions {
		g, s := d.open(t)
		sameAsFile(t, filepath.Join("testdata", "drawings", d.name+".svg"), env.Drawing{Changed: d.changed}.SVG(g, &s))
	}
}

// elements reads XML strictly and counts its elements by name.
func elements(t *testing.T, text string) map[string]int {
	t.Helper()
	count := map[string]int{}
	for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
}

func TestAPictureIsXMLThatShowsEachSeed(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		e := newEnv(t, g, env.Options{})
		play(t, e, 1, func(env.Timestep) {
			s := e.State()
			picture := env.RenderSVG(g, &s)
			if count := elements(t, picture); count["svg"] != 1 || count["title"] != 1 {
				t.Fatalf("the picture of %s has the elements %v", g.Format(&s), count)
			}
			seeds := int(s.Stores[0]) + int(s.Stores[1])
			for i := range 2 * g.Width() {
				if n := s.Rows[i/g.Width()].At(i % g.Width()); n <= 12 {
					seeds += n
				} else if !strings.Contains(picture, fmt.Sprintf(">%d</text>", n)) {
					t.Fatalf("the %d seeds of a pit are not told in the picture of %s", n, g.Format(&s))
				}
			}
			if found := strings.Count(picture, `"url(#seed)"`); found != seeds {
				t.Fatalf("%d seeds lie in the picture of %s, want %d", found, g.Format(&s), seeds)
			}
			if !strings.Contains(picture, "<desc>"+g.Format(&s)+"</desc>") {
				t.Fatalf("the picture does not hold its position %s", g.Format(&s))
			}
		})
	})
}

func TestAPictureNeedsNothingElse(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)href|@import|<script|<image|url\([^#]`)
	for _, d := range drawnPositions {
		g, s := d.open(t)
		if found := foreign.FindString(env.RenderSVG(g, &s)); found != "" {
			t.Errorf("%s: the picture refers to something outside: %s", d.name, found)
		}
	}
}
