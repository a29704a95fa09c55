package riokadalis_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// mustParseCompetition reads a competition.
func mustParseCompetition(tb testing.TB, rules, text string) *riokadalis.Competition {
	tb.Helper()
	c, err := riokadalis.ParseCompetition(mustNew(tb, rules), text)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestCompetitionNextRound checks the sentences of the rules' section 3.3 on rounds that are over: what the next one is,
// or why there is none.
func TestCompetitionNextRound(t *testing.T) {
	cases := []struct {
		sentence, rules, over string
		next                  string // "" when there is none
		end                   riokadalis.CompetitionEnd
		winner                string // "" when there is none
	}{
		{
			sentence: "each player fills the own holes with four stones each out of the stones owned",
			over:     "1/100 0,0,0,0,0,0/1,2,0,0,0,0 - 24-21 S sow 3",
			next:     "2/100 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 N sow 0",
		},
		{
			sentence: "from the owner's rightmost hole leftwards; a hole that cannot be filled is closed",
			over:     "1/100 0,0,0,0,0,0/0,0,0,0,0,0 - 16-32 S sow 0",
			next:     "2/100 x,x,4,4,4,4/4,4,4,4,4,4 - 0-8 N sow 0",
		},
		{
			sentence: "North's rightmost hole is F",
			over:     "1/100 0,0,0,0,0,0/0,0,0,0,0,0 - 32-16 S sow 0",
			next:     "2/100 4,4,4,4,4,4/x,x,4,4,4,4 - 8-0 N sow 0",
		},
		{
			sentence: "what is left over, one to three stones, stays in the owner's store",
			over:     "1/100 0,0,0,0,0,0/0,0,3,0,0,0 - 27-18 S sow 0",
			next:     "2/100 4,4,4,4,4,4/x,4,4,4,4,4 - 3-1 N sow 0",
		},
		{
			sentence: "stones left on the board belong to the player in whose row they lie",
			over:     "1/100 0,0,0,2,1,0/0,0,0,0,0,0 - 20-25 N sow 0",
			next:     "2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 3-1 N sow 0",
		},
		{
			sentence: "an exhausted round is over too",
			over:     "1/100 0,1,0,0,0,0/0,0,0,0,2,0 - 21-24 N sow 100",
			next:     "2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0",
		},
		{
			sentence: "a hole opens again in a later round when its owner can fill it",
			over:     "2/100 x,x,0,0,0,0/0,0,0,0,0,0 - 23-25 S sow 0",
			next:     "3/100 x,4,4,4,4,4/4,4,4,4,4,4 - 3-1 S sow 0",
		},
		{
			sentence: "the start alternates: South starts the odd rounds",
			over:     "2/100 0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 S sow 0",
			next:     "3/100 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0",
		},
		{
			sentence: "the start alternates: North starts the even rounds",
			over:     "3/100 0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 N sow 0",
			next:     "4/100 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 N sow 0",
		},
		{
			sentence: "four stones fill one hole",
			over:     "1/100 0,0,0,0,0,0/0,0,0,0,0,0 - 4-44 S sow 0",
			next:     "2/100 x,x,x,x,x,4/4,4,4,4,4,4 - 0-20 N sow 0",
		},
		{
			sentence: "the competition is lost by the player who owns fewer than four stones at the start of a round: South",
			over:     "1/100 0,0,0,0,0,0/0,0,0,0,0,0 - 3-45 S sow 0",
			end:      riokadalis.Ruined, winner: "North",
		},
		{
			sentence: "the competition is lost by the player who owns fewer than four stones at the start of a round: North",
			over:     "7/100 0,0,0,0,0,0/x,x,x,x,x,0 - 48-0 S sow 0",
			end:      riokadalis.Ruined, winner: "South",
		},
		{
			sentence: "after max_rounds the player with more stones wins",
			over:     "3/3 0,0,0,1,0,0/0,0,0,0,0,0 - 22-25 N sow 0",
			end:      riokadalis.RoundsSpent, winner: "North",
		},
		{
			sentence: "after max_rounds equal holdings draw",
			over:     "1/1 0,0,0,1,0,0/0,0,0,0,0,0 - 23-24 N sow 0",
			end:      riokadalis.RoundsSpent,
		},
		{
			sentence: "after the last round no other starts in which a player could be ruined",
			over:     "5/5 0,0,0,0,0,0/0,0,0,0,0,0 - 46-2 N sow 0",
			end:      riokadalis.RoundsSpent, winner: "South",
		},
		{
			sentence: "five holes are filled out of forty stones",
			rules:    "five-holes",
			over:     "1/100 0,0,0,0,0/0,0,0,0,0 - 14-26 S sow 0",
			next:     "2/100 x,x,4,4,4/4,4,4,4,4 - 2-6 N sow 0",
		},
	}
	for _, c := range cases {
		t.Run(c.sentence, func(t *testing.T) {
			competition := mustParseCompetition(t, c.rules, c.over)
			owned := competition.Holdings()
			if got := competition.End(); got != c.end {
				t.Errorf("the competition ends %q, expected %q", got, c.end)
			}
			winner, won := competition.Winner()
			if won != (c.winner != "") || won && winner.String() != c.winner {
				t.Errorf("the winner is %s, %t, expected %q", winner, won, c.winner)
			}
			err := competition.Next()
			if c.next == "" {
				if err == nil || !strings.Contains(err.Error(), "the competition is over") {
					t.Fatalf("Next says %v, expected that the competition is over", err)
				}
				if got := competition.Format(); got != c.over {
					t.Errorf("Next refused, and left %s", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := competition.Format(); got != c.next {
				t.Errorf("the next round is %s\nexpected        %s", got, c.next)
			}
			if got := competition.Holdings(); got != owned {
				t.Errorf("the players own %v, before %v", got, owned)
			}
		})
	}
}

func TestCompetitionStartsWithSouth(t *testing.T) {
	c, err := riokadalis.NewCompetition(mustNew(t, "standard"), riokadalis.DefaultMaxRounds)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Format(), "1/100 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"; got != want {
		t.Errorf("the competition starts as %s, expected %s", got, want)
	}
	if c.Round() != 1 || c.MaxRounds() != 100 || c.Holdings() != [2]int{24, 24} || c.End() != riokadalis.Undecided {
		t.Errorf("round %d of %d, the players own %v, the end is %q", c.Round(), c.MaxRounds(), c.Holdings(), c.End())
	}
}

func TestCompetitionNeedsARound(t *testing.T) {
	for _, rounds := range []int{0, -1, riokadalis.LargestMaxRounds + 1} {
		if _, err := riokadalis.NewCompetition(mustNew(t, "standard"), rounds); err == nil {
			t.Errorf("a competition of %d rounds was started", rounds)
		}
	}
}

func TestCompetitionRoundIsPlayedToItsEnd(t *testing.T) {
	c := mustParseCompetition(t, "standard", "2/100 1,0,0,0,0,0/0,0,0,0,0,0 - 23-24 S sow 0")
	if err := c.Next(); err == nil || !strings.Contains(err.Error(), "round 2 is not over") {
		t.Errorf("Next says %v in the middle of a round", err)
	}
	if _, won := c.Winner(); won {
		t.Error("there is a winner in the middle of a round")
	}
	if _, err := c.Play(1); err == nil {
		t.Error("an empty hole was lifted")
	}
	turn, err := c.Play(0)
	if err != nil || turn.Laps != 1 {
		t.Fatalf("playing a: %+v, %v", turn, err)
	}
	if err := c.Next(); err != nil {
		t.Error(err)
	}
}

func TestCompetitionTextIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "expected the round, a slash, the most rounds",
		"1 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0":     "expected the round, a slash, the most rounds",
		"0/100 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0": "round: 0 is not from 1 to 100",
		"4/3 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0":   "round: 4 is not from 1 to 3",
		"1/0 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0":   "most rounds: 0 is not from 1",
		"1/9 4,4,4,4,4/4,4,4,4,4 - 0-0 S sow 0":       "found 5 pits",
		"2/9 4,4,4,4,4,4/4,4,4,4,4,3 - 0-0 S sow 0":   "found 47 stones, expected all 48",
		"1/9 x,4,4,4,4,4/4,4,4,4,4,4 - 0-4 S sow 0":   "none in the first round",
		"2/9 4,x,4,4,4,4/4,4,4,4,4,4 - 0-4 S sow 0":   "only leftmost holes of one player",
		"2/9 x,4,4,4,4,4/x,4,4,4,4,4 - 4-4 S sow 0":   "only leftmost holes of one player",
	} {
		_, err := riokadalis.ParseCompetition(mustNew(t, "standard"), text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found error %v, expected one that says %q", text, err, want)
		}
	}
}

// TestCompetitionsAtRandom plays whole competitions, reading each state back from its text.
func TestCompetitionsAtRandom(t *testing.T) {
	ends := map[riokadalis.CompetitionEnd]int{}
	closed, reopened := 0, 0
	for _, rules := range []string{"standard", "five-holes", "clockwise"} {
		g := mustNew(t, rules)
		rng := rand.New(rand.NewPCG(5, 6))
		for range 30 {
			c, err := riokadalis.NewCompetition(g, 12)
			if err != nil {
				t.Fatal(err)
			}
			was := uint32(0)
			for {
				for s := c.State(); !s.Over(); s = c.State() {
					if c, err = riokadalis.ParseCompetition(g, c.Format()); err != nil {
						t.Fatal(err)
					}
					legal := g.AppendLegal(nil, &s)
					if _, err := c.Play(legal[rng.IntN(len(legal))]); err != nil {
						t.Fatal(err)
					}
				}
				s := c.State()
				if owned := c.Holdings(); owned[0]+owned[1] != g.Seeds() || owned != g.Final(&s) {
					t.Fatalf("%s: the players own %v", c.Format(), owned)
				}
				if c.End() != riokadalis.Undecided {
					break
				}
				if err := c.Next(); err != nil {
					t.Fatal(err)
				}
				next := c.State()
				if next.Closed != 0 {
					closed++
				}
				if was&^next.Closed != 0 {
					reopened++
				}
				was = next.Closed
				if next.Over() || next.Player != mancala.Player((c.Round()-1)%2) {
					t.Fatalf("round %d starts as %s", c.Round(), c.Format())
				}
			}
			ends[c.End()]++
		}
	}
	if ends[riokadalis.Ruined] == 0 || ends[riokadalis.RoundsSpent] == 0 || closed == 0 || reopened == 0 {
		t.Errorf("nothing proved of some: ends %v, rounds with closed holes %d, holes opened again %d", ends, closed, reopened)
	}
}

func FuzzCompetition(f *testing.F) {
	f.Add("standard", "1/100 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0")
	f.Add("five-holes", "2/3 x,x,4,4,4/4,4,4,4,4 - 2-6 N sow 0")
	f.Add("standard", "3/3 0,0,0,1,0,0/0,0,0,0,0,0 - 22-25 N sow 0")
	f.Fuzz(func(t *testing.T, rules, text string) {
		g, err := riokadalis.New(rules)
		if err != nil {
			return
		}
		c, err := riokadalis.ParseCompetition(g, text)
		if err != nil {
			return
		}
		if got := c.Format(); got != text {
			t.Fatalf("%q prints back as %q", text, got)
		}
		if c.Next() == nil {
			if _, err := riokadalis.ParseCompetition(g, c.Format()); err != nil {
				t.Fatalf("after %q comes a round that cannot be read: %v", text, err)
			}
		}
	})
}
