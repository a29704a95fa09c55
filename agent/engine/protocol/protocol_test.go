package protocol

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

func TestLinesAreReadWhateverTheirEnds(t *testing.T) {
	long := strings.Repeat("x", LongestLine)
	r := NewReader(strings.NewReader("a\r\n\n  b c \n" + long + "\n" + long + "y\n\xff\x00\n" + long + "yy"))
	for _, want := range []string{"a", "", "b c", long, "too long", "\xff\x00", "too long"} {
		got, err := r.Next()
		if want == "too long" {
			if !errors.Is(err, ErrTooLong) {
				t.Fatalf("a long line: %v", err)
			}
		} else if err != nil || got != want {
			t.Fatalf("read %s, %v; want %s", Shown(got), err, Shown(want))
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	r = NewReader(strings.NewReader("half a line"))
	if got, err := r.Next(); got != "half a line" || err != nil {
		t.Errorf("the last line is %q, %v", got, err)
	}
}

// FuzzReader compares the lines with those of package strings.
func FuzzReader(f *testing.F) {
	f.Add([]byte("ugi\r\nposition startpos\n\n"))
	f.Add([]byte(strings.Repeat("x", LongestLine+3) + "\ny"))
	f.Fuzz(func(t *testing.T, input []byte) {
		r := NewReader(strings.NewReader(string(input)))
		for line := range strings.Lines(string(input)) {
			got, err := r.Next()
			if errors.Is(err, ErrTooLong) {
				if len(line) <= LongestLine {
					t.Fatalf("a line of %d bytes is too long", len(line))
				}
			} else if err != nil || got != strings.TrimSpace(line) {
				t.Fatalf("read %q, %v; want %q", got, err, line)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Fatalf("at the end: %v", err)
		}
	})
}

func TestLimitsReadBack(t *testing.T) {
	for text, want := range map[string]Limits{
		"go":                 {},
		"go infinite":        {Infinite: true},
		"go movetime 1500":   {MoveTime: 1500 * time.Millisecond},
		"go depth 3 nodes 4": {Depth: 3, Nodes: 4},
		"go sims 7":          {Simulations: 7},
		"go p1time 1000 p2time 0 p1inc 10": {Clock: &Clock{Left: [2]time.Duration{time.Second, 0},
			Increment: [2]time.Duration{10 * time.Millisecond, 0}}},
	} {
		got, err := ParseLimits(strings.Fields(text)[1:])
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
		if got.String() != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
	if got := (Limits{MoveTime: 1500 * time.Microsecond}).String(); got != "go movetime 2" {
		t.Errorf("1.5 ms are written %s", got)
	}
}

func TestOptionsReadBack(t *testing.T) {
	for _, o := range []Option{
		{Name: "Game", Type: Combo, Default: "a", Vars: []string{"a", "b c"}},
		{Name: "Rules of play", Type: String},
		{Name: "Book", Type: Check, Default: "true"},
		{Name: "Seed", Type: Spin, Default: "3", Min: -4, Max: math.MaxInt64},
	} {
		if o.Type != Spin {
			o.Min, o.Max = math.MinInt64, math.MaxInt64
		}
		got, err := ParseOption(o.String())
		if diff := cmp.Diff(o, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", o, err, diff)
		}
	}
	for _, text := range []string{
		"", "option", "option name", "option name X", "option name X type button", "option name type spin default 1", "option name X type spin default 9 min 1 max 3",
		"option name X type spin default 1 min a", "option name X type combo default c var a var b", "option name X type check default 1",
	} {
		if o, err := ParseOption(text); err == nil {
			t.Errorf("%q is read as %+v", text, o)
		}
	}
	name, value, err := ParseSetOption(strings.Fields("name Rules of play value mancala-world,bonus=run"))
	if name != "Rules of play" || value != "mancala-world,bonus=run" || err != nil {
		t.Errorf("setoption is read as %q, %q, %v", name, value, err)
	}
	if name, value, err := ParseSetOption([]string{"name", "Rules", "value"}); name != "Rules" || value != "" || err != nil {
		t.Errorf("an empty value is read as %q, %q, %v", name, value, err)
	}
}

func TestInfoReadsBack(t *testing.T) {
	info := Info{Depth: 3, Nodes: 5000, Simulations: 8, Time: 71 * time.Millisecond, Judged: true, Margin: -1.25,
		Win: 0.571, Draw: 0.06, Loss: 0.369, Line: []string{"EH:A3C2j5", "e3"}}
	want := "info depth 3 nodes 5000 sims 8 time 71 score -1.25 wdl 571 60 369 pv EH:A3C2j5 e3"
	if info.String() != want {
		t.Errorf("it is written %s", info)
	}
	if diff := cmp.Diff(info, ParseInfo(want)); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"info", "info depth", "info nodes many", "info string depth 3", "info nodes 1e300 time NaN wdl 1", "info fun 3"} {
		if diff := cmp.Diff(Info{}, ParseInfo(text)); diff != "" && !strings.Contains(text, "wdl") {
			t.Errorf("%s: %s", text, diff)
		}
	}
	// Whatever an engine says, nothing is counted down, and no time overflows.
	for text, want := range map[string]Info{
		"info time 1e15 sims 9":                  {Time: longest * time.Millisecond, Simulations: 9},
		"info time 1000000000000000 depth 2":     {Time: longest * time.Millisecond, Depth: 2},
		"info depth -1 nodes -5 sims -6 time -7": {},
		"info score -3 wdl -1 500 501":           {Judged: true, Margin: -3, Draw: 0.5, Loss: 0.501},
	} {
		if diff := cmp.Diff(want, ParseInfo(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if got := (Info{Judged: true, Margin: -0.001, Win: 1.0 / 3, Draw: 1.0 / 3, Loss: 1.0 / 3}).String(); got != "info time 0 score 0.00 wdl 333 334 333" {
		t.Errorf("thirds are written %s", got)
	}
}

func TestABestmoveIsOneWholeTurn(t *testing.T) {
	kiothi, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ position, answer, want string }{
		{"startpos", "eh:a3c2J5", ""},
		{"startpos", "+e +h >a >a >a >c >c >J >J >J >J >J", ""},
		{"startpos moves +f", "+h >a >a >a >c >c >J >J >J >J >J", ""},
		{"startpos moves +f", "+h >a", "expected a whole turn, found a part"},
		{"startpos", "fh:a3c2J5 FH:A3C2j5", "expected one turn"},
		{"startpos", "", "found nothing"},
		{"startpos", "zz", "zz"},
		{"startpos moves fh:a3c2J5 FH:A3C2j5", "e3", ""},
		{"startpos moves fh:a3c2J5 FH:A3C2j5", "e3 E3", "expected one turn"},
		{"startpos moves fh:a3c2J5 FH:A3C2j5", "E3", "not South's"},
	} {
		s, err := ParsePosition(kiothi, strings.Fields(c.position))
		if err != nil {
			t.Fatal(err)
		}
		turn, err := ParseTurn(kiothi, &s, strings.Fields(c.answer))
		if c.want == "" {
			after := s
			for _, a := range turn {
				if _, err := kiothi.Play(&after, a); err != nil {
					t.Fatal(err)
				}
			}
			if err != nil || len(turn) == 0 || !TurnDone(&after, s.Player) {
				t.Errorf("%s: %s is read as %v, %v", c.position, c.answer, turn, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s is read as %v, %v; want an error with %q", c.position, c.answer, turn, err, c.want)
		}
	}
}

func TestALineEndsWhereItIsNotKnown(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	s := g.Start()
	south, err := g.ParseTurn(&s, "eh:a3c2J5")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{0: 0, 3: 0, len(south): 1} {
		if got := Line(g, &s, south[:n]); len(got) != want || want > 0 && got[0] != "eh:a3c2J5" {
			t.Errorf("%d actions are written %q, want %d turns", n, got, want)
		}
	}
	if got := Line(g, &s, append(south, mancala.Action(7777))); len(got) != 1 {
		t.Errorf("with an illegal action it is %q", got)
	}
}
