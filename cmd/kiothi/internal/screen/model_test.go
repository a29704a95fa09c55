package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"kiothi/cmd/internal/record"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

const (
	start = "0,0,0,0,5,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift 0"
	sow   = "0,0,3,0,5,0,0,0,12,0/0,0,0,0,5,5,0,0,0,2 eE 10-18 S sow 0"
)

func TestArrowsPickAPitAndALegalNumberOfSeeds(t *testing.T) {
	d := drive(t, setup{position: sow})
	d.sees("[e]", "e: sow 5 seeds", "possible: 1 2 3 [5]", ">j<")
	d.keys("down")
	d.sees("e: sow 3 seeds", "not 4: the last seed would fall in own pit i")
	d.keys("up", "up")
	d.sees("e: sow 5 seeds")
	d.keys("left")
	d.sees("[c]", "possible: 1 [3]") // c2 would end in e
	d.keys("right", "right", "right")
	d.sees("[c]")
	d.keys("right", "down", "down", "down", "enter")
	d.sees("South  e1", "North, ")
	d.at("0,0,3,0,4,1,0,0,12,0/0,0,0,0,5,5,0,0,0,2 E 10-18 N sow 1")
}

func TestAMoveCanBeTyped(t *testing.T) {
	d := drive(t, setup{position: sow})
	d.keys("c1")
	d.sees("move: c1", "[c]", "c: sow 1 seed,")
	d.keys("enter")
	d.at("0,0,2,1,5,0,0,0,12,0/0,0,0,0,5,5,0,0,0,2 eE 10-18 N sow 1")
	d.keys("J", "esc")
	d.misses("move:")
	d.keys("J", "backspace")
	d.misses("move:")
	d.keys("Q", "J3", "enter")
	d.sees("not played: J3: pit J holds only 2 seeds")
	d.keys("c", "enter")
	d.sees("not played:", "pit c is not North's")
	d.keys("left", "2", "enter") // a digit is for the pit under the cursor
	d.misses("not played")
	if turns := d.model.record.Turns(); len(turns) != 2 {
		t.Errorf("%d turns, want 2", len(turns))
	}
}

func TestPastedTextIsTyped(t *testing.T) {
	d := drive(t, setup{})
	d.send(tea.PasteMsg{Content: "nothing is being typed"})
	d.misses("nothing is")
	d.keys("e")
	d.send(tea.PasteMsg{Content: "f:a5\nb5\x1b[2J"})
	d.sees("move: ef:a5b5[2J")
	d.keys("backspace", "backspace", "backspace", "enter")
	d.sees("South  ef:a5b5", "North, opening: lift a pit")
}

func TestAnOpeningIsBuiltPitByPit(t *testing.T) {
	d := drive(t, setup{})
	d.sees("opening: lift a pit with Enter (0 lifted, allowed: 2)", "[j]")
	d.keys("enter") // j
	d.keys("h")     // types, and is left again
	d.keys("esc")   //
	d.keys("left")  // over i to h
	d.keys("enter") // h
	d.at(start)     // nothing is played yet
	d.sees("10 in hand; Enter places one in h")
	d.keys("enter", "4", "up", "enter", "right", "3")
	d.sees("1 in hand", "[B]")
	d.keys("2")
	d.sees("only 1 seed is left in your hand")
	d.keys("u")
	d.sees("4 in hand")
	d.keys("4")
	d.sees("opening complete")
	d.keys("backspace", "4", "enter")
	d.at("0,0,0,0,5,5,5,5,5,0/0,4,1,0,5,5,5,5,5,5 - 0-0 N lift 0")
	d.sees("South  hj:h5B4C1", "North, opening")
	d.keys("left", "left")
	d.sees("[C]", "(0 lifted") // only the occupied pits, around
	d.keys("u")
	d.at(start)
}

func TestAnOpeningCanBeTypedInSteps(t *testing.T) {
	d := drive(t, setup{})
	for _, step := range []string{">c", "+c", "+C", "+e", "+e", "=", "+Z"} {
		d.keys(step, "enter")
		if failed := d.model.failed; failed != (step != "+e") && step != "+e" {
			t.Errorf("%q: failed is %v", step, failed)
		}
	}
	d.sees("1 lifted")
	d.keys("+f", "enter", ">a", "enter", "up", "9")
	d.sees("opening complete")
	d.keys("enter")
	d.at("1,0,0,0,0,0,5,5,5,5/0,0,0,0,5,5,5,5,5,14 - 0-0 N lift 0")
}

func TestAnOpeningThatLiftsNothing(t *testing.T) {
	g, err := games.Open("kiothi", "wikipedia-it")
	if err != nil {
		t.Fatal(err)
	}
	m := New(t.Context(), Options{Record: record.New(g, g.Start()), Seats: [2]record.Seat{{Name: "you"}, {Name: "you"}}})
	d := &driver{t: t, model: m}
	d.do(m.Init())
	d.sees("allowed: 0+2", "= lifts no more")
	d.keys("enter", "=", "enter")
	d.sees("lifting cannot stop at 1 lifted pits")
	d.keys("u", "=", "enter")
	d.sees("South  =", "North, opening")
}

// A game may be loaded in the middle of an opening turn.
func TestAnOpeningGoesOnInTheMiddle(t *testing.T) {
	d := drive(t, setup{position: "0,0,0,0,0,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):e 0"})
	d.sees("1 lifted")
	d.keys("enter", "9", "1", "enter")
	d.sees("North, opening")
	d = drive(t, setup{position: "0,0,0,0,0,0,5,5,5,7/0,0,0,0,5,5,5,5,5,5 - 0-0 S place(8):j 0"})
	d.keys("left", "8")
	d.sees("pit i comes before the one last placed in")
	d.keys("up", "8", "enter")
	d.sees("North, opening")
}

func TestATurnIsShownSeedBySeedAndCanBeSkipped(t *testing.T) {
	d := drive(t, setup{game: "rio-kadalis", seats: [2]record.Seat{{}, bot(t, "rio-kadalis", "greedy")}, shown: true})
	d.keys("c", "enter")
	d.sees("South plays c", "lap 1 of", "lifts 4 from c, 4 in hand")
	d.misses("South  c") // the log does not tell the end before it is shown
	d.keys("t")
	d.sees("no hint: no agent here has a network")
	d.settle(1)
	d.sees("3 in hand", "[d]")
	d.keys("space")
	d.sees("South  c", "North (greedy) is thinking")
	d.settle(3)
	d.sees("North plays")
	d.keys("enter")
	d.sees("South, ")
	after := d.model.record.State()
	d.settle(100) // what is left of the showing that was skipped
	if d.model.record.State() != after {
		t.Error("a turn that was skipped went on")
	}
}

func TestAShownTurnEndsWhereItWasPlayed(t *testing.T) {
	for _, speed := range []Speed{Slow, Normal, Fast} {
		for _, game := range games.Names() {
			g, err := games.Open(game, "")
			if err != nil {
				t.Fatal(err)
			}
			r := record.New(g, g.Start())
			seat := bot(t, game, "random")
			for range 30 {
				actions, err := r.Ask(seat, 3)(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				turn, err := r.Play(actions...)
				if err != nil {
					t.Fatal(err)
				}
				show, err := newShowing(g, turn)
				if err != nil {
					t.Fatal(err)
				}
				for !show.over() {
					show.advance(speed)
					if show.tell() == "" {
						t.Error("a step is told in no words")
					}
				}
				if after := r.State(); show.state.Rows != after.Rows || show.state.Stores != after.Stores || show.state.Marks != after.Marks {
					t.Errorf("%s: %s is shown to its end as %s", g.Format(&turn.Before), turn.Text, g.Format(&show.state))
				}
			}
		}
	}
}

func TestUndoTakesBackYourMoveAndTheAnswer(t *testing.T) {
	d := drive(t, setup{game: "rio-kadalis", seats: [2]record.Seat{{}, bot(t, "rio-kadalis", "greedy")}})
	d.keys("u")
	d.sees("there is no move of yours")
	d.keys("c", "enter")
	d.settle(2)
	first := d.model.record.Turns()[1].Text
	d.keys("u")
	d.at("4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0")
	d.sees("taken back")
	d.keys("c", "enter")
	d.keys("u") // while the agent thinks
	d.at("4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0")
	d.settle(10) // its answer comes too late
	d.at("4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0")
	d.keys("c", "enter")
	d.settle(2)
	if again := d.model.record.Turns()[1].Text; again != first {
		t.Errorf("after undo the agent answers %s, before %s", again, first)
	}
}

func TestAHintTellsChancesMarginAndLine(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, setup{position: sow, adviser: oracle{g}})
	d.keys("t")
	d.sees("oracle is asked for a hint")
	d.settle(2)
	d.sees("oracle: South wins 63%, draws 4%, loses 33%; expected margin +4.2", "best line: c1", "[c]", "c: sow 1 seed,")
	d.keys("enter")
	d.misses("63%")
	d.keys("t", "u") // the position changes while it is asked
	d.settle(2)
	d.misses("63%")
	d = drive(t, setup{position: sow})
	d.keys("t")
	d.sees("no hint: no agent here has a network to judge with; name one by --hints zero:PATH")
}

func TestAgentsAreWatchedPausedAndStepped(t *testing.T) {
	greedy := bot(t, "rio-kadalis", "greedy")
	d := drive(t, setup{game: "rio-kadalis", seats: [2]record.Seat{greedy, greedy}})
	d.sees("South (greedy) is thinking")
	d.keys("space")
	d.sees("paused")
	d.settle(10)
	if n := len(d.model.record.Turns()); n != 0 {
		t.Errorf("%d turns during a pause", n)
	}
	d.keys("n")
	d.settle(10)
	d.sees("paused", "North (greedy) is next")
	d.keys("n")
	d.settle(10)
	if n := len(d.model.record.Turns()); n != 2 {
		t.Errorf("%d turns, want 2", n)
	}
	d.keys("u")
	d.sees("paused", "North (greedy) is next")
	d.keys("space")
	d.settle(10000)
	if !d.model.record.Over() {
		t.Fatal("the game goes on")
	}
	d.sees("wins, ")
}

func TestAWatchedTurnCanBeFrozenAndSteppedThrough(t *testing.T) {
	greedy := bot(t, "rio-kadalis", "greedy")
	d := drive(t, setup{game: "rio-kadalis", seats: [2]record.Seat{greedy, greedy}, shown: true})
	d.settle(2)
	d.sees("4 in hand")
	d.keys("space")
	d.settle(5)
	d.sees("4 in hand", "paused")
	d.keys("n")
	d.sees("3 in hand")
	d.settle(5)
	d.sees("3 in hand")
	d.keys("space")
	d.sees("2 in hand")
	d.settle(1)
	d.sees("1 in hand")
}

func TestACompetitionGoesFromRoundToRound(t *testing.T) {
	d := drive(t, setup{game: "rio-kadalis", rounds: 2})
	d.sees("Round 1 of at most 2: South owns 24 stones, North 24.")
	for range 2 {
		for range 1000 {
			if s := d.model.record.State(); s.Over() {
				break
			}
			d.keys("enter")
		}
		if d.model.record.RoundOver() {
			d.sees("Round 1: ", "Enter next round")
			d.keys("enter")
			d.sees("Round 2 of at most 2", "North, ")
		}
	}
	d.sees("The competition is over", "s save")
	d.keys("u")
	d.misses("The competition is over")
	if d.model.record.Over() || d.model.record.Round() != 2 {
		t.Error("the end of a competition cannot be taken back")
	}
}

func TestTheStandingDoesNotTellATurnBeforeItIsShown(t *testing.T) {
	d := drive(t, setup{game: "rio-kadalis", rounds: 1, shown: true})
	for range 1000 {
		before := d.model.record.Standing()
		d.keys("enter")
		d.sees(before)
		d.keys("enter") // skips what is shown
		if d.model.record.Over() {
			break
		}
	}
	d.sees("The competition is over")
}

func TestWatchedAgentsPlayAWholeCompetition(t *testing.T) {
	random := bot(t, "rio-kadalis", "random")
	d := drive(t, setup{game: "rio-kadalis", rounds: 3, seats: [2]record.Seat{random, random}})
	d.settle(10000)
	d.sees("The competition is over")
}

func TestAGameIsSavedAndLoaded(t *testing.T) {
	t.Chdir(t.TempDir())
	d := drive(t, setup{game: "rio-kadalis"})
	d.keys("c", "enter", "s")
	d.sees("save to file: game.jsonl")
	d.keys("ctrl+u", "mine é.jsonl", "enter")
	d.sees("saved to mine é.jsonl")
	d.keys("C", "enter", "s", "enter") // its own file is replaced without a question
	d.sees("saved to mine é.jsonl")
	if err := os.WriteFile("other.jsonl", []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	d.keys("s", "ctrl+u", "other.jsonl", "enter")
	d.sees("other.jsonl is there already: Enter replaces it")
	d.keys("esc")
	if text, _ := os.ReadFile("other.jsonl"); string(text) != "precious" {
		t.Errorf("the file holds %q", text)
	}
	d.keys("l", "ctrl+u", "other.jsonl", "enter")
	d.sees("not loaded: ", "not a JSON object")
	d.keys("l", "ctrl+u", "missing", "enter")
	d.sees("not loaded: ", "missing")
	d.keys("u", "u", "l", "ctrl+u", "mine é.jsonl", "enter")
	d.sees("loaded mine é.jsonl", "South  c", "North  C")
	d.keys("s", "ctrl+u", filepath.Join("no", "folder"), "enter")
	d.sees("not saved: ")
	if err := os.WriteFile("kiothi.jsonl", []byte(`{"game":"kiothi","actions":[]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	d.keys("l", "ctrl+u", "kiothi.jsonl", "enter")
	d.sees("not loaded: it is a game of kiothi mancala-world, here is played rio-kadalis standard")
}

func TestAnAgentsErrorIsANoteOnTheScreen(t *testing.T) {
	d := drive(t, setup{seats: [2]record.Seat{{}, {Name: "broken", Agent: broken{}}}})
	d.keys("ef:a5b5", "enter")
	d.settle(2)
	d.sees("agent broken as North", "not finite", "n asks again", "n again")
	if strings.Contains(d.model.View().Content, "\x1b[2J") {
		t.Error("an escape in an error gets to the terminal")
	}
	d.keys("n")
	d.sees("North (broken) is thinking")
	d.settle(2)
	d.keys("u")
	d.at(start)
}

func TestTheBoardTurns(t *testing.T) {
	d := drive(t, setup{seats: [2]record.Seat{bot(t, "kiothi", "random"), {}}})
	d.settle(2)
	bottom := func() string {
		lines := strings.Split(strings.TrimSpace(d.look()), "\n")
		return strings.Join(strings.Fields(lines[12]), "")
	}
	if got := bottom(); !strings.HasPrefix(got, "ABCDEFGH") {
		t.Errorf("North plays, and at the bottom stands %q", got)
	}
	d.keys("EF:A10", "enter")
	d.settle(2)
	before := d.model.pick.action()
	d.keys("v")
	if got := bottom(); !strings.HasPrefix(got, "a") || d.model.pick.action() != before {
		t.Errorf("turned, at the bottom stands %q", got)
	}
}

func TestHelpAndPositionAndSpeed(t *testing.T) {
	d := drive(t, setup{shown: true})
	d.keys("?")
	d.sees("Watching agents", "Any key goes back")
	d.keys("q")
	d.misses("Watching agents")
	if d.quits() {
		t.Error("a key that leaves the help ends the program")
	}
	d.keys("p")
	d.sees(start)
	d.keys("[")
	d.sees("speed slow")
	d.keys("[", "]", "]", "]", "]")
	d.sees("speed off")
}

func TestQuittingIsAlwaysPossible(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"e", "ctrl+c"}, {"?", "ctrl+c"}, {"s", "ctrl+c"}} {
		d := drive(t, setup{})
		d.keys(keys...)
		if !d.quits() {
			t.Errorf("%v does not end the program", keys)
		}
	}
	d := drive(t, setup{seats: [2]record.Seat{bot(t, "kiothi", "random"), {}}})
	d.keys("q")
	if !d.quits() || d.model.ctx.Err() == nil {
		t.Error("leaving does not stop an agent that thinks")
	}
}

// A game is played at random with any keys and in windows of any size: nothing may panic, and every screen must fit.
func TestAnyKeysInAnyWindow(t *testing.T) {
	for _, game := range games.Names() {
		for seed := range 4 {
			seats := [2]record.Seat{}
			if seed%2 == 1 {
				seats[mancala.North] = bot(t, game, "random")
			}
			d := drive(t, setup{game: game, seats: seats, shown: seed%2 == 0})
			rng := newRand(uint64(seed))
			keys := []string{"left", "right", "up", "down", "enter", "enter", "enter", "space", "esc", "u", "v", "?", "p", "t", "[", "]", "n",
				"a", "e", "j", "A", "J", "1", "5", "9", "+", "=", ">", "backspace"}
			for range 200 {
				d.keys(keys[rng.IntN(len(keys))])
				if rng.IntN(10) == 0 {
					d.send(tea.WindowSizeMsg{Width: 1 + rng.IntN(130), Height: 1 + rng.IntN(50)})
				}
				if d.model.show != nil {
					d.keys("enter")
				}
				if d.model.thinking {
					d.settle(1)
				} else {
					d.due = nil
				}
			}
		}
	}
}
