package screen

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"kiothi/cmd/internal/record"
)

// colour matches an escape that sets a colour.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*\\b(3[0-7]|4[0-7]|9[0-7]|38|48)[;m]")

func TestColoursAreForWhoWantsThem(t *testing.T) {
	for _, c := range []struct {
		variable string
		want     bool
	}{{"NO_COLOR=1", false}, {"NO_COLOR=yes", false}, {"NO_COLOR=", true}} {
		d := drive(t, setup{position: sow, environment: []string{c.variable}})
		if got := colour.MatchString(d.model.View().Content); got != c.want {
			t.Errorf("%s: colours are %v, want %v", c.variable, got, c.want)
		}
	}
}

func TestAsciiWhereTheLocaleHasNothingElse(t *testing.T) {
	for _, c := range []struct {
		environment []string
		want        bool
	}{
		{[]string{"LC_ALL=C"}, true}, {[]string{"LANG=POSIX", "LC_CTYPE="}, true}, {[]string{"LANG=C", "LC_CTYPE=de_DE.UTF-8"}, false},
		{[]string{"LANG=en_US.utf8"}, false}, {[]string{"LANG="}, false},
	} {
		d := drive(t, setup{position: sow, environment: c.environment})
		if got := ascii(d.look()); got != c.want && utf8Locale(nil) {
			t.Errorf("%v: ASCII is %v, want %v:\n%s", c.environment, got, c.want, d.look())
		}
	}
}

// The board is drawn as large as there is room for, and says what it needs where there is too little.
func TestTheBoardFitsTheWindow(t *testing.T) {
	for _, c := range []struct {
		columns, lines int
		want, not      string
	}{
		{80, 24, "●●●●●", "too small"}, {77, 18, "●●●●●", ""}, {80, 17, "├─────┼", "●"}, {76, 24, "North 18", "├"},
		{80, 13, "North 18", "├"}, {44, 11, "North 18", "├"}, {43, 24, "the board needs 44 and 11", "North 18"},
		{80, 10, "the board needs 44 and 11", "North 18"}, {20, 5, "This window has 20", "North 18"},
	} {
		d := drive(t, setup{position: sow})
		d.send(tea.WindowSizeMsg{Width: c.columns, Height: c.lines})
		d.sees(c.want)
		if c.not != "" {
			d.misses(c.not)
		}
		if !strings.Contains(c.want, "window") && !strings.Contains(c.want, "needs") {
			d.sees("South, e: sow 5 seeds")
		}
	}
}

// The keys that lead to all others and out of the program are seen in every window, and the help is whole in it.
func TestHelpAndQuitFitTheSmallestWindow(t *testing.T) {
	greedy := bot(t, "kiothi", "greedy")
	for _, s := range []setup{
		{}, {position: sow}, {game: "rio-kadalis"}, {seats: [2]record.Seat{greedy, greedy}, shown: true},
	} {
		d := drive(t, s)
		for _, columns := range []int{leastColumns, 50, 60, 80} {
			d.send(tea.WindowSizeMsg{Width: columns, Height: leastLines})
			d.sees("? help  q quit")
		}
	}
	d := drive(t, setup{})
	d.keys("?")
	for _, c := range []struct{ columns, lines int }{{leastColumns, leastLines}, {200, leastLines}, {75, 24}, {76, 21}, {80, 24}} {
		d.send(tea.WindowSizeMsg{Width: c.columns, Height: c.lines})
		d.sees("Any key goes back.", "place", "many", "one step", "first lap", "quit")
	}
}

func TestClosedHolesAreSeen(t *testing.T) {
	for _, c := range []struct {
		lines int
		want  string
	}{{24, "░░░░░"}, {11, " x "}} {
		d := drive(t, setup{game: "rio-kadalis", position: "x,x,4,4,4,4/4,4,4,4,4,4 - 3-5 S sow 0"})
		d.send(tea.WindowSizeMsg{Width: 80, Height: c.lines})
		d.sees(c.want)
		d.keys("right", "right", "right", "right")
		d.sees("hole  Enter sow")
	}
}
