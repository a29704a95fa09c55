package record

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/trace"
)

var open = gamestest.Open

// begun returns a record to play in: a single game, or a competition.
func begun(t testing.TB, game string, maxRounds int) *Record {
	t.Helper()
	g := open(t, game, "")
	if maxRounds == 0 {
		return New(g, g.Start())
	}
	r, err := NewCompetition(g, maxRounds)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// random plays turns of the agent random, and rounds, until the end.
func random(t testing.TB, r *Record, turns int) {
	t.Helper()
	for ; turns > 0 && !r.Over(); turns-- {
		if r.RoundOver() {
			if err := r.Next(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		actions, err := r.Ask(Seat{"random", scripted.Random{Game: r.Game()}}, 1)(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Play(actions...); err != nil {
			t.Fatal(err)
		}
	}
}

func anyone(mancala.Player) bool { return true }

func TestUndoTakesTurnsBackOneByOne(t *testing.T) {
	for _, c := range []struct {
		game   string
		rounds int
	}{{"kiothi", 0}, {"rio-kadalis", 0}, {"rio-kadalis", 4}} {
		r := begun(t, c.game, c.rounds)
		var seen []mancala.State
		for range 300 {
			if r.Over() {
				break
			}
			if r.RoundOver() {
				if err := r.Next(); err != nil {
					t.Fatal(err)
				}
			}
			seen = append(seen, r.State())
			random(t, r, 1)
		}
		for i, want := range slices.Backward(seen) {
			if !r.Undo(anyone) {
				t.Fatalf("turn %d cannot be taken back", i)
			}
			if got := r.State(); got != want {
				t.Fatalf("%s: taking turn %d back leads to %q, want %q", c.game, i, r.Game().Format(&got), r.Game().Format(&want))
			}
		}
		if r.Undo(anyone) || r.Plies() != 0 || len(r.Turns()) != 0 || r.Round() != 1 {
			t.Errorf("at the start there is something to take back: %d plies, %d turns, round %d", r.Plies(), len(r.Turns()), r.Round())
		}
	}
}

func TestUndoGoesToATurnOfAnAcceptedPlayer(t *testing.T) {
	r := begun(t, "rio-kadalis", 0)
	north := func(p mancala.Player) bool { return p == mancala.North }
	random(t, r, 1)
	if r.Undo(north) {
		t.Error("North has not moved, but a turn was taken back")
	}
	random(t, r, 3)
	if !r.Undo(north) || r.Plies() != 3 || !r.Undo(north) || r.Plies() != 1 {
		t.Errorf("taking North's turns back leaves %d plies", r.Plies())
	}
}

func TestAnIllegalTurnChangesNothing(t *testing.T) {
	r := begun(t, "kiothi", 0)
	before := r.State()
	if _, err := r.Play(604, 0); err == nil || r.State() != before || r.Plies() != 0 || len(r.Turns()) != 0 {
		t.Errorf("an illegal second action: %v, %d plies", err, r.Plies())
	}
}

func TestARecordReadsBackWhatItSaves(t *testing.T) {
	for _, c := range []struct {
		name, game string
		rounds     int
		turns      int
	}{
		{"nothing played", "kiothi", 0, 0}, {"a game", "kiothi", 0, 20}, {"to the end", "rio-kadalis", 0, 1000},
		{"a competition", "rio-kadalis", 5, 60}, {"a whole competition", "rio-kadalis", 3, 10000}, {"one round", "rio-kadalis", 5, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begun(t, c.game, c.rounds)
			random(t, r, c.turns)
			path := filepath.Join(t.TempDir(), "a game é.jsonl")
			if err := r.Save(path); err != nil {
				t.Fatal(err)
			}
			got, err := Load(path, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r.rounds, got.rounds, cmp.AllowUnexported(round{})); diff != "" {
				t.Errorf("rounds (-want +got):\n%s", diff)
			}
			if match, competition := got.Competition(); competition != (c.rounds > 0) || competition && match.MaxRounds() != c.rounds {
				t.Errorf("loaded a competition (%t), want one of %d rounds", competition, c.rounds)
			}
			if got.State() != r.State() || len(got.Turns()) != len(r.Turns()) || got.Standing() != r.Standing() {
				t.Errorf("loaded %q with %d turns, saved %d", got.Standing(), len(got.Turns()), len(r.Turns()))
			}
			for i, turn := range got.Turns() {
				if want := r.Turns()[i]; turn.Text != want.Text || turn.Outcome() != want.Outcome() {
					t.Errorf("turn %d is told as %s%s, it was %s%s", i, turn.Text, turn.Outcome(), want.Text, want.Outcome())
				}
			}
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var answers strings.Builder
			if failed, err := trace.Batch(file, &answers, games.Open); failed != 0 || err != nil {
				t.Errorf("a batch does not replay it: %v\n%s", err, answers.String())
			}
		})
	}
}

func TestWhatCannotBeLoadedSaysWhy(t *testing.T) {
	start := `{"game":"rio-kadalis","rules":"standard","actions":[0]}`
	for _, c := range []struct {
		rounds     int
		text, want string
	}{
		{0, "", "there is no game in it"},
		{0, "x\n", "line 1: the line is not a JSON object"},
		{0, start + "\n\n" + start, "it holds 2 games, expected one"},
		{0, `{"game":"rio","actions":[]}`, `unknown game "rio"`},
		{0, `{"game":"rio-kadalis","actions":[0,9]}`, "action 2: illegal action"},
		{0, `{"game":"rio-kadalis","position":"1,0,0,0,0,0/0,0,0,0,0,0 - 24-23 S sow 0","actions":[0,1]}`, "action 2: the game is over"},
		{3, `{"game":"kiothi","actions":[]}`, "kiothi has no competitions"},
		{3, start + "\n" + start, "round 2: round 1 is not over"},
		{3, `{"game":"rio-kadalis","position":"1,0,0,0,0,0/0,0,0,0,0,0 - 24-23 S sow 0","actions":[0]}`, "expected the start of a competition"},
		{3, start + "\n" + `{"game":"rio-kadalis","rules":"clockwise","actions":[0]}`, "they are no competition"},
		{0, strings.Repeat(" ", trace.MaxLine+1), "a line is longer"},
	} {
		path := filepath.Join(t.TempDir(), "game.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, c.rounds); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.80q: the error is %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none"), 0); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("a missing file: %v", err)
	}
	if err := begun(t, "kiothi", 0).Save(t.TempDir()); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("saving over a directory: %v", err)
	}
}

func TestAStandingTellsRoundHoldingsAndResult(t *testing.T) {
	r := begun(t, "rio-kadalis", 2)
	if want := "Round 1 of at most 2: South owns 24 stones, North 24."; r.Standing() != want {
		t.Errorf("%q, want %q", r.Standing(), want)
	}
	random(t, r, 10000)
	if got := r.Standing(); !strings.Contains(got, "The competition is over (rounds spent): ") && !strings.Contains(got, "(ruined)") {
		t.Errorf("the end is told as %q", got)
	}
	if got := begun(t, "rio-kadalis", 0).Standing(); got != "" {
		t.Errorf("a single game stands at %q", got)
	}
}

// An agent's answer belongs to the place where it was asked, whatever happens meanwhile.
func TestAskingAgainGetsTheSameAnswer(t *testing.T) {
	r := begun(t, "kiothi", 0)
	question := r.Ask(Seat{"random", scripted.Random{Game: r.Game()}}, 5)
	first, err := question(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	random(t, r, 3)
	second, err := question(t.Context())
	if err != nil || !slices.Equal(first, second) {
		t.Errorf("asked %v, then %v, %v", first, second, err)
	}
	for r.Undo(anyone) {
	}
	if third, _ := r.Ask(Seat{"random", scripted.Random{Game: r.Game()}}, 5)(t.Context()); !slices.Equal(first, third) {
		t.Errorf("asked %v, after undo %v", first, third)
	}
}

// cheat plays what is not legal.
type cheat struct{}

func (cheat) Choose(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
	return 9999, nil
}

func TestAnAgentsErrorNamesAgentSeatAndPosition(t *testing.T) {
	r := begun(t, "kiothi", 0)
	_, err := r.Ask(Seat{"cheat", cheat{}}, 1)(t.Context())
	if err == nil || !strings.Contains(err.Error(), `agent cheat as South at position "0,0,0,0,5,`) {
		t.Errorf("the error is %v", err)
	}
}

func TestDescribeTellsChancesAndTheLineTurnByTurn(t *testing.T) {
	g := open(t, "kiothi", "")
	s := g.Start()
	var line []mancala.Action
	for _, text := range []string{"ef:a5b5", "EF:A10", "a5", "A3"} {
		next := s
		for _, a := range line {
			if _, err := g.Play(&next, a); err != nil {
				t.Fatal(err)
			}
		}
		actions, err := g.ParseTurn(&next, text)
		if err != nil {
			t.Fatal(err)
		}
		line = append(line, actions...)
	}
	chances, told := Describe(g, s, &agent.Advice{Win: 0.634, Draw: 0.04, Loss: 0.326, Margin: 4.24, Line: line})
	if want := "South wins 63%, draws 4%, loses 33%; expected margin +4.2"; chances != want {
		t.Errorf("%q, want %q", chances, want)
	}
	if want := "best line: ef:a5b5 EF:A10 a5 A3"; told != want {
		t.Errorf("%q, want %q", told, want)
	}
}

func TestACompetitionUnderWayGoesOn(t *testing.T) {
	match, err := riokadalis.ParseCompetition(open(t, "rio-kadalis", "").(*riokadalis.Game), "2/9 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0")
	if err != nil {
		t.Fatal(err)
	}
	r := Continue(match)
	before, _ := r.Competition()
	random(t, r, 1000)
	after, _ := r.Competition()
	if after.Round() <= before.Round() || r.Round() != after.Round()-1 || !r.Over() {
		t.Errorf("the competition is in round %d, the record in its %d, want some rounds later and one less", after.Round(), r.Round())
	}
	for r.Undo(anyone) {
	}
	if again, _ := r.Competition(); again.Format() != before.Format() || r.Round() != 1 {
		t.Errorf("taken back it is at %q, want %q", again.Format(), before.Format())
	}
}

func TestOnlyKiothiHasAWarriorsVictory(t *testing.T) {
	for _, c := range []struct {
		game, position string
		want           bool
	}{
		{"kiothi", "0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0 - 31-29 S sow 0", true},
		{"kiothi", "0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0 - 29-31 N sow 0", true},
		{"kiothi", "0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0 - 30-30 S sow 0", false},
		{"kiothi", "0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0 - 32-28 S sow 0", false},
		{"kiothi", "0,0,3,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 - 21-19 S sow 0", false}, // not over
		{"rio-kadalis", "0,0,0,0,0,0/0,0,0,0,0,0 - 25-23 S sow 0", false},
	} {
		g := open(t, c.game, "")
		s, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if got := New(g, s).Warrior(); got != c.want {
			t.Errorf("%s at %s: a warrior's victory: %v, want %v", c.game, c.position, got, c.want)
		}
	}
}
