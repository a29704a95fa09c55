package main

import (
	"strings"
	"testing"
)

// inOrder checks that texts stand in the output one after the other.
func inOrder(t *testing.T, output string, texts ...string) {
	t.Helper()
	rest := output
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			t.Fatalf("the output lacks %q after what stood before it:\n%s", text, output)
		}
		rest = after
	}
}

func TestPlayThroughAPipe(t *testing.T) {
	out := succeed(t, "legal\nc\n", "play", "--game", "rio-kadalis", "--agent", "random")
	inOrder(t, out, "South is you, North is random", "store 0", "South to sow", "a b c d e f\n", "South plays c", "North plays ", "South to sow")
	if strings.Contains(out, "> ") {
		t.Errorf("there is a prompt without a terminal:\n%s", out)
	}
}

func TestPlayTakesMovesAsRulesWriteThem(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		moves := strings.Join([]string{"ef:a5b5", "EF:A10", "a5", "position"}, end) // no end of line after the last
		out := succeed(t, moves, "play", "--seat", "both")
		inOrder(t, out, "South plays ef:a5b5", "North to lift", "North plays EF:A10", "South to sow", "South plays a5", " N sow ")
	}
	out := succeed(t, "+e\n+f\n>a\nposition\nundo\nposition\nundo\nundo\nposition\nundo\nundo\n", "play", "--seat", "both")
	inOrder(t, out, "South plays +e", "South to lift, 5 in hand", "South plays +f", "South plays >a",
		"S place(9):a 0", "S place(10) 0", "S lift 0", "There is no move of yours to take back.")
}

func TestPlayExplainsWhatIsIllegalAndGoesOn(t *testing.T) {
	out := succeed(t, "x\nC\na\nc\n\nC\na\n", "play", "--game", "rio-kadalis", "--seat", "both",
		"--position", "0,4,4,4,4,4/8,4,4,4,4,4 - 0-0 S sow 0")
	inOrder(t, out, `Not played: there is no hole "x"`, "Not played: hole C is not South's", "Not played: illegal action 0 (a): the hole is empty",
		"South plays c")
	out = succeed(t, "a\ne:a5\n+a\nef:a4\nef:a5b5\n", "play", "--seat", "both")
	inOrder(t, out, "Not played: ", "Not played: ", "Not played: ", "Not played: ", "South plays ef:a5b5")
}

func TestPlayUndoTakesBackYourMoveAndTheAnswer(t *testing.T) {
	out := succeed(t, "c\nundo\nposition\nundo\n", "play", "--game", "rio-kadalis")
	inOrder(t, out, "South plays c", "North plays", "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0", "There is no move of yours")
	twice := succeed(t, "c\nundo\nc\n", "play", "--game", "rio-kadalis", "--agent", "random")
	_, first, _ := strings.Cut(twice, "North plays ")
	_, second, _ := strings.Cut(first, "North plays ")
	if answer, _, _ := strings.Cut(first, "\n"); !strings.HasPrefix(second, answer) {
		t.Errorf("after undo the agent answers the same move differently:\n%s", twice)
	}
}

func TestPlayEndsAtQuitAndAtTheEndOfTheInput(t *testing.T) {
	for _, in := range []string{"", "quit\nc\n", "QUIT", "\n\n"} {
		out := succeed(t, in, "play", "--game", "rio-kadalis")
		if strings.Contains(out, "plays") {
			t.Errorf("input %q plays a move:\n%s", in, out)
		}
	}
	if out := succeed(t, "help\n", "play"); !strings.Contains(out, "a whole opening turn") {
		t.Errorf("help says\n%s", out)
	}
}

func TestPlayExplainsALineThatIsNoMove(t *testing.T) {
	_, stderr, status := kiothi(t, strings.Repeat("e", 1<<20)+"\n", "play", "--seat", "both")
	if want := "kiothi: play: reading the moves: a line is longer than 65536 bytes, expected one move a line\n"; status != statusFailure || stderr != want {
		t.Errorf("status %d, error %q, want %q", status, stderr, want)
	}
	out := succeed(t, "\x00\n\xff\né\n\t\n+\n>\n:\n=\nhelp me\nposition", "play", "--seat", "both")
	if n := strings.Count(out, "Not played: "); n != 8 || !strings.Contains(out, "S lift 0") {
		t.Errorf("%d of 8 lines are refused:\n%s", n, out)
	}
}

func TestPlayAgentsAgainstEachOther(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		args := []string{"play", "--game", game, "--agent", "greedy", "--agent", "random", "--seed"}
		out := succeed(t, "", append(args, "5")...)
		inOrder(t, out, "South is greedy, North is random", "South plays ", "North plays ", " to ")
		if strings.Count(out, "wins, ")+strings.Count(out, "a draw, ") != 1 {
			t.Errorf("%s: no result at the end:\n%s", game, out[max(0, len(out)-400):])
		}
		if again := succeed(t, "", append(args, "5")...); again != out {
			t.Errorf("%s: the same seed gives another game", game)
		}
		if other := succeed(t, "", append(args, "6")...); other == out {
			t.Errorf("%s: another seed gives the same game", game)
		}
	}
}

func TestPlayAsNorthLetsTheAgentBegin(t *testing.T) {
	out := succeed(t, "", "play", "--seat", "north", "--agent", "random")
	inOrder(t, out, "South is random, North is you", "South plays ", "North to lift")
	if strings.Count(out, "plays") != 1 {
		t.Errorf("an opening turn is told in one line:\n%s", out)
	}
}

func TestPlayFromAPositionToItsEnd(t *testing.T) {
	out := succeed(t, "a\nb\n", "play", "--game", "rio-kadalis", "--seat", "both", "--position", "1,0,0,0,0,0/0,0,0,0,0,0 - 23-24 S sow 0")
	inOrder(t, out, "South plays a", "a draw, 24 to 24 (stuck)")
	out = succeed(t, "a", "play", "--game", "rio-kadalis", "--seat", "both", "--position", "1,0,0,0,0,0/0,0,0,0,0,0 - 24-23 S sow 0")
	inOrder(t, out, "South wins, 25 to 23 (stuck)", "A warrior's victory")
	out = succeed(t, "a", "play", "--game", "rio-kadalis", "--position", "0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 S sow 0")
	inOrder(t, out, "a draw, 24 to 24 (stuck)")
}
