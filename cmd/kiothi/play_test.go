package main

import (
	"os"
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
	inOrder(t, out, "South wins, 25 to 23 (stuck)")
	if strings.Contains(out, "warrior") {
		t.Errorf("Rio Kadalis has no warrior's victory:\n%s", out)
	}
	out = succeed(t, "", "play", "--seat", "both", "--position", "0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0 - 31-29 S sow 0")
	inOrder(t, out, "South wins, 31 to 29 (stuck)", "A warrior's victory")
	out = succeed(t, "a", "play", "--game", "rio-kadalis", "--position", "0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 S sow 0")
	inOrder(t, out, "a draw, 24 to 24 (stuck)")
}

func TestPlayHintsNeedANetwork(t *testing.T) {
	out := succeed(t, "hint\n", "play")
	inOrder(t, out, "No hint: no agent here has a network to judge with. Name one by --hints zero:PATH.")
	for _, args := range [][]string{{"--hints", "greedy"}, {"--hints", "gredy"}} {
		_, stderr, status := kiothi(t, "", append([]string{"play"}, args...)...)
		if status != statusUsage || !strings.Contains(stderr, "gre") {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
}

func TestPlaySavesAndGoesOnWithAGame(t *testing.T) {
	t.Chdir(t.TempDir())
	out := succeed(t, "c\nsave my game.jsonl\nposition\n", "play", "--game", "rio-kadalis", "--seat", "both")
	inOrder(t, out, "South plays c", "Saved to my game.jsonl.", " N sow ")
	position := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	out = succeed(t, "position\nundo\nposition\n", "play", "--load", "my game.jsonl", "--seat", "both")
	inOrder(t, out, "rio-kadalis standard", position, "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0")
	games, err := os.ReadFile("my game.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if states := succeed(t, string(games), "trace", "--batch"); !strings.Contains(states, strings.TrimSpace(position)) {
		t.Errorf("a batch replays it as\n%s", states)
	}
	out = succeed(t, "save\nsave no/folder\nsave .\n", "play")
	inOrder(t, out, "Not saved: say to which file", "Not saved: ", "Not saved: ")
	for _, args := range []string{"--load missing", "--load=", "--load my\u00a0game.jsonl --game kiothi", "--load my\u00a0game.jsonl --rules standard"} {
		fields := strings.Split(args, " ")
		for i := range fields {
			fields[i] = strings.ReplaceAll(fields[i], "\u00a0", " ")
		}
		if _, stderr, status := kiothi(t, "", append([]string{"play"}, fields...)...); status == statusOK || !strings.HasPrefix(stderr, "kiothi: ") {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
}

func TestPlayACompetition(t *testing.T) {
	t.Chdir(t.TempDir())
	out := succeed(t, "", "play", "--game", "rio-kadalis", "--competition=3", "--agent", "random", "--agent", "greedy")
	inOrder(t, out, "Round 1 of at most 3: South owns 24 stones, North 24.", "South to sow", "(stuck)", "Round 2 of at most 3", "North plays")
	if n := strings.Count(out, "The competition is over ("); n != 1 || strings.Contains(out, "warrior") {
		t.Errorf("the competition ends %d times:\n%s", n, out[max(0, len(out)-500):])
	}
	succeed(t, "a\nsave c.jsonl\n", "play", "--game", "rio-kadalis", "--competition", "--seat", "both")
	inOrder(t, succeed(t, "undo\n", "play", "--load", "c.jsonl", "--competition", "--seat", "both"), "Round 1 of at most 100", "North to sow", "South to sow")
	for args, want := range map[string]string{
		"--competition":   "kiothi has no competitions of rounds",
		"--competition=0": "0 rounds, expected 1 to",
		"--competition=x": "whole number",
		"--game rio-kadalis --competition --position x": "a competition begins with full holes",
	} {
		if _, stderr, status := kiothi(t, "", append([]string{"play"}, strings.Split(args, " ")...)...); status != statusUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
}
