package env_test

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// A drawn position is one whose drawings are stored under testdata/drawings.
type drawn struct {
	name, game, rules, position string
	changed                     uint32
}

var drawnPositions = []drawn{
	{"kiothi-start", "kiothi", "", "0,0,0,0,5,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift 0", 0},
	{"kiothi-lift", "kiothi", "", "0,0,0,0,5,5,5,5,5,5/0,0,0,0,0,5,5,5,5,5 - 0-0 N lift(5):E 0", 0},
	{"kiothi-place", "kiothi", "", "3,0,2,0,0,5,5,0,5,5/0,0,0,0,5,5,5,5,5,9 - 0-0 S place(1):J 0", 0},
	{"kiothi-marks", "kiothi", "", "1,0,2,0,5,5,0,5,5,5/0,0,0,13,5,1,0,1,1,1 cCJ 4-2 N sow 3", 1<<4 | 1<<19 | 1<<13},
	{"kiothi-over", "kiothi", "", "0,0,0,0,0,0,0,0,0,0/0,0,1,0,0,0,0,0,0,0 - 31-28 S sow 7", 0},
	{"rio-start", "rio-kadalis", "", "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0", 0},
	{"rio-closed", "rio-kadalis", "", "x,x,4,12,0,1/3,9,2,1,0,0 - 4-12 N sow 3", 1<<3 | 1<<5},
	{"rio-five", "rio-kadalis", "five-holes", "6,7,8,10,8/0,0,0,0,1 - 0-0 S sow 100", 0},
}

// open returns the game and the state of a drawn position.
func (d drawn) open(t *testing.T) (mancala.Game, mancala.State) {
	t.Helper()
	g, err := games.Open(d.game, d.rules)
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Parse(d.position)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

func TestRender(t *testing.T) {
	g, s := drawnPositions[3].open(t)
	want := `
North     J    I    H    G    F    E    D    C    B    A
          1*   1    1    0    1    5   13    0*   0    0    store 2
       --------------------------------------------------
          1    0    2*   0    5    5    0    5    5    5    store 4
South     a    b    c    d    e    f    g    h    i    j
North to sow, 3 turns since a capture
`
	if got := "\n" + env.Render(g, &s); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

func TestTextInColours(t *testing.T) {
	for _, d := range drawnPositions {
		g, s := d.open(t)
		text := env.Drawing{Color: true, Changed: d.changed}.Text(g, &s)
		sameAsFile(t, filepath.Join("testdata", "drawings", d.name+".txt"), strings.ReplaceAll(text, "\x1b", "ESC"))
	}
}

// escapes are the ANSI escapes that a text may hold.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]+m")

func TestColoursAddEscapesAndNothingElse(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		e := newEnv(t, g, env.Options{})
		play(t, e, 3, func(env.Timestep) {
			s := e.State()
			plain := env.Render(g, &s)
			for line := range strings.Lines(plain) {
				if line != strings.TrimRight(line, " \n")+"\n" {
					t.Fatalf("a line ends with white space: %q", line)
				}
			}
			if strings.Contains(plain, "\x1b") {
				t.Fatalf("without colours there are escapes in %q", plain)
			}
			text := env.Drawing{Color: true, Changed: rng.Uint32()}.Text(g, &s)
			if without := escapes.ReplaceAllString(text, ""); without != plain {
				t.Fatalf("without its escapes the coloured text is\n%q\nwant\n%q", without, plain)
			}
		})
	})
}

func TestTheRowOfThePlayerToMoveIsBold(t *testing.T) {
	g, s := drawnPositions[3].open(t)
	lines := strings.Split(env.Drawing{Color: true}.Text(g, &s), "\n")
	if !strings.HasPrefix(lines[0], "\x1b[1mNorth\x1b[0m") || strings.Contains(lines[4], "\x1b") {
		t.Errorf("North is to move:\n%q\n%q", lines[0], lines[4])
	}
	g, s = drawnPositions[4].open(t)
	if text := (env.Drawing{Color: true}).Text(g, &s); strings.Contains(text, "\x1b[1m") {
		t.Errorf("nobody is to move: %q", text)
	}
}

func TestColoursAreForTerminalsThatWantThem(t *testing.T) {
	for _, c := range []struct {
		terminal      bool
		noColor, term string
		want          bool
	}{
		{true, "", "xterm-256color", true},
		{true, "", "", true}, // Windows sets no TERM
		{false, "", "xterm-256color", false},
		{true, "1", "xterm-256color", false},
		{true, "0", "xterm-256color", false}, // whatever its value
		{true, "", "dumb", false},
	} {
		getenv := func(name string) string { return map[string]string{"NO_COLOR": c.noColor, "TERM": c.term}[name] }
		if got := env.ColorOn(c.terminal, getenv); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestChangedPits(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	before := g.Start()
	after := before
	if _, err := g.Play(&after, 5); err != nil { // f falls in A, B, C and D, and is sown on from there
		t.Fatal(err)
	}
	changed := env.Changed(&before, &after, g.Width())
	for i := range 2 * g.Width() {
		p, pit := mancala.Player(i/g.Width()), i%g.Width()
		if want := before.Rows[p].At(pit) != after.Rows[p].At(pit); changed>>i&1 != 0 != want {
			t.Errorf("pit %c: changed is %v, want %v", mancala.PitName(i, g.Width()), !want, want)
		}
	}
	if changed == 0 || env.Changed(&after, &after, g.Width()) != 0 {
		t.Errorf("a turn changes %b, and no turn %b", changed, env.Changed(&after, &after, g.Width()))
	}
}
