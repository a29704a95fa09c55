package arena

import (
	"bytes"
	"strings"
	"testing"

	"kiothi/env/mancala"
)

const fileOfPositions = `# middle games
5,0,5,5,5,4/4,4,4,4,4,4 - 0-0 N sow 1

  4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0
`

func TestPositionsAreReadWithoutCommentsAndBlankLines(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	positions, err := ReadPositions(g, strings.NewReader("\ufeff"+strings.ReplaceAll(fileOfPositions, "\n", "\r\n")))
	if err != nil || len(positions) != 2 || positions[0].Player != mancala.North || positions[1] != g.Start() {
		t.Fatalf("read %v, %v", positions, err)
	}
}

func TestWhatIsNoPositionIsRefusedByItsLine(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	for _, c := range []struct{ text, want string }{
		{"# nothing\n\n", "found no position in 2 lines, expected one a line, such as \"4,4,4"},
		{"", "found no position"},
		{"# first\n\n4,4\n", "line 3: "},
		{"0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 S sow 0\n", "line 1: position "},
		{strings.Repeat("#", 100_000) + "\n", "line 1: "},
	} {
		if positions, err := ReadPositions(g, strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q gives %v, %v; want %q", c.text, positions, err, c.want)
		}
	}
}

func TestGivenPositionsArePlayedFromBothSeatsAndAgain(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	positions, err := ReadPositions(g, strings.NewReader(fileOfPositions))
	if err != nil {
		t.Fatal(err)
	}
	table := mustRoundRobin(t, g, []string{"greedy", "random"}, Options{Games: 6, Openings: GivenOpenings, Positions: positions})
	for i, p := range table.Matches[0].Played {
		want := positions[i/2%2]
		first := want.Player // game 0 has the first contender move first
		if i%2 == 1 {
			first = first.Other()
		}
		if p.Start != g.Format(&want) || p.First != first {
			t.Errorf("game %d begins from %q with the first contender as %v, want %q and %v", i, p.Start, p.First, g.Format(&want), first)
		}
	}
	wantReplayable(t, table)
	var text bytes.Buffer
	if err := table.WriteText(&text, g); err != nil {
		t.Fatal(err)
	}
	if want := "from    " + table.Matches[0].Played[0].Start + "\nSouth   random\nNorth   greedy\n"; !strings.Contains(text.String(), want) {
		t.Errorf("the text lacks %q:\n%s", want, text.String())
	}
}

func TestGamesAreWrittenInTheTextOfTheRules(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		table := mustRoundRobin(t, g, []string{"greedy", "random"}, Options{Games: 4})
		var text bytes.Buffer
		if err := table.WriteText(&text, g); err != nil {
			t.Fatal(err)
		}
		games := strings.Split(strings.TrimSpace(text.String()), "\n\n")
		if len(games) != 4 {
			t.Fatalf("%d games:\n%s", len(games), text.String())
		}
		for i, game := range games {
			p := table.Matches[0].Played[i]
			s, begun := g.Start(), false
			for _, line := range strings.Split(game, "\n") {
				begun = begun || strings.HasPrefix(line, "1. ")
				if !begun {
					continue
				}
				if len(line) > textWidth {
					t.Errorf("a line of %d characters", len(line))
				}
				for _, word := range strings.Fields(line) {
					if strings.HasSuffix(word, ".") {
						continue
					}
					turn, err := g.ParseTurn(&s, word)
					if err != nil {
						t.Fatal(err)
					}
					for _, a := range turn {
						if _, err := g.Play(&s, a); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if !s.Over() || g.Final(&s) != p.Stores {
				t.Errorf("game %d: the turns lead to %q, want the end with stores %v", i, g.Format(&s), p.Stores)
			}
		}
	})
}
