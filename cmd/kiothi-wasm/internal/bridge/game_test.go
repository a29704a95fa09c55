package bridge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
)

const afterOpening = "3,0,2,0,0,5,5,0,5,10/3,0,2,0,0,5,5,0,5,10 acfgijACFGIJ 0-0 S sow 0"

func TestAGameBeginsWhereItIsSaid(t *testing.T) {
	c := newCaller(t)
	for _, g := range []struct {
		with object
		want string
	}{
		{object{"game": "kiothi"}, "0,0,0,0,5,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift 0"},
		{object{"game": "kiothi", "rules": "mancala-world-25"}, "0,0,0,0,0,5,5,5,5,5/0,0,0,0,0,5,5,5,5,5 - 0-0 S lift 0"},
		{object{"game": "rio-kadalis"}, "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"},
		{object{"game": "kiothi", "position": afterOpening}, afterOpening},
		{object{"game": "kiothi", "moves": []any{"eh:a3c2J5", 604, 607, "=", ">A >A"}}, ""},
		{object{"game": "kiothi", "moves": []string{"eh:a3c2J5", "+E +H >A >A"}}, "3,0,2,0,0,5,5,0,5,5/2,0,0,0,0,5,5,0,5,10 - 0-0 N place(8):A 0"},
		{object{"game": "rio-kadalis", "rounds": 9}, "1/9 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"},
		{object{"game": "rio-kadalis", "position": "2/9 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"}, "2/9 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"},
	} {
		if g.want == "" { // a move in it is illegal
			if f := c.ask("newGame", g.with, nil); f == nil || f.Kind != KindIllegal || !strings.HasPrefix(f.Message, "moves[3]: ") || f.Reason == "" {
				t.Errorf("%v: got %+v, want moves[3] to be illegal, with a reason", g.with, f)
			}
			continue
		}
		if got := c.state(c.begin(g.with)).Position; got != g.want {
			t.Errorf("%v begins at %q, want %q", g.with, got, g.want)
		}
	}
}

func TestWhatCannotBeginIsRefusedInWords(t *testing.T) {
	c := newCaller(t)
	for _, g := range []struct {
		with object
		want string
	}{
		{object{}, "rio-kadalis"},
		{object{"game": "chess"}, "chess"},
		{object{"game": "kiothi", "rules": "mancala-wrld"}, "mancala-world"},
		{object{"game": "kiothi", "rules": "mancala-world,bonus=x"}, "three, run"},
		{object{"game": "kiothi", "position": "x"}, "expected 6"},
		{object{"game": "kiothi", "position": "2/9 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"}, "kiothi has no competitions"},
		{object{"game": "kiothi", "rounds": 3}, "kiothi has no competitions"},
		{object{"game": "rio-kadalis", "rounds": 0}, "expected 1 to"},
		{object{"game": "rio-kadalis", "rounds": 3, "position": "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"}, "rounds"},
		{object{"game": "rio-kadalis", "rounds": 3, "position": "2/9 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"}, "rounds"},
		{object{"game": "rio-kadalis", "rounds": 1.5}, "rounds: found a number 1.5, expected a whole number"},
		{object{"game": 7}, "game: found a number, expected a text"},
		{object{"game": "kiothi", "moves": "e3"}, "moves: found a string, expected an array"},
		{object{"game": "kiothi", "moves": []any{true}}, "move true: expected a text"},
		{object{"game": "kiothi", "moves": []any{nil}}, "expected a move"},
		{object{"game": "kiothi", "moves": []any{strings.Repeat("a", 300)}}, "300 bytes"},
		{object{"game": "kiothi", "position": afterOpening, "moves": []string{"f5 F5"}}, "expected one turn"},
		{object{"game": "kiothi", "moves": []string{"z1"}}, "there is no pit 'z'"},
		{object{"game": "kiothi", "position": strings.Repeat("\x00", 1e6)}, "position: a text of 1000000 bytes"},
		{object{"game": "kiothi", "rules": strings.Repeat(",", 1e6)}, "rules: a text of 1000000 bytes"},
		{object{"game": "kiothi", "positon": ""}, `unknown field "positon"`},
	} {
		f := c.ask("newGame", g.with, nil)
		if f == nil || f.Kind != KindArgument || !strings.Contains(f.Message, g.want) {
			t.Errorf("%v: got %+v, want an argument error with %q", g.with, f, g.want)
		}
	}
	if len(c.bridge.games) != 0 {
		t.Errorf("%d games are left of those that did not begin", len(c.bridge.games))
	}
}

func TestAStateHasAllThatIsDrawn(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi"})
	c.play(id, "+e")
	s := c.state(id)
	if s.Phase != "lift" || s.Hand != 5 || !s.Pits[4].Lifted || s.Pits[5].Lifted || s.Pits[14].Lifted || s.Pits[4].Seeds != 0 {
		t.Errorf("after +e: %+v", s)
	}
	c.play(id, "+h >A")
	s = c.state(id)
	if s.Phase != "place" || s.Hand != 9 || !s.Pits[10].Last || s.Pits[0].Last || s.Pits[10].Seeds != 1 || s.Pits[10].Name != "A" || s.Pits[10].Owner != mancala.North {
		t.Errorf("after >A: %+v", s)
	}
	id = c.begin(object{"game": "kiothi", "position": "0,0,1,0,0,0,0,0,0,4/0,0,0,0,0,0,0,0,0,0 j 20-30 S sow 3"})
	s = c.state(id)
	if !s.Pits[9].Marked || s.Pits[2].Marked || s.Clock != 3 || s.ClockLimit != 100 || s.Stores != [2]int{20, 30} || s.Over || s.Result != nil || s.Competition != nil {
		t.Errorf("before the end: %+v", s)
	}
	c.play(id, "c1")
	south := mancala.South
	want := &view.Result{Reason: "stuck", Stores: [2]int{25, 30}, Margin: -5, Winner: new(south.Other())}
	if s = c.state(id); !s.Over || s.Played != 1 {
		t.Errorf("at the end: %+v", s)
	}
	if diff := cmp.Diff(want, s.Result); diff != "" {
		t.Errorf("the result (-want +got):\n%s", diff)
	}
}

func TestAWarriorsVictoryIsTold(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi", "position": "0,0,1,0,0,0,0,0,0,4/0,0,0,0,0,0,0,0,0,0 - 20-23 S sow 3", "moves": []string{"c1"}})
	if r := c.state(id).Result; r == nil || !r.Warrior || *r.Winner != mancala.South || r.Margin != 2 {
		t.Errorf("the result is %+v, want South to win as a warrior", r)
	}
}

func TestLegalMovesTellTheirPitsAndSeeds(t *testing.T) {
	c := newCaller(t)
	for _, g := range []struct {
		position, want string // of each move its text, pit and seeds
	}{
		{"0,0,3,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0,0,0 - 20-20 S sow 7", "c1@2x1 c2@2x2 c3@2x3"},
		{"0,0,0,0,5,5,0,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):g 0", "+h@7x5 +i@8x5 +j@9x5"},
		{"3,0,2,0,0,5,5,0,5,5/0,0,0,0,5,5,5,0,5,10 - 0-0 N lift(5):H 0", "+I@18x5 +J@19x10"},
		{"0,0,0,0,0,0,0,0,1,0/0,0,0,0,0,1,0,0,0,1 - 0-0 N place(1):i 0", ">i@8x1 >j@9x1"},
	} {
		id := c.begin(object{"game": "kiothi", "position": g.position})
		var moves []view.LegalMove
		c.get("legal", object{"game": id}, &moves)
		var got []string
		for _, m := range moves {
			if m.Pit == nil {
				got = append(got, m.Text)
			} else {
				got = append(got, fmt.Sprintf("%s@%dx%d", m.Text, *m.Pit, m.Seeds))
			}
		}
		if text := strings.Join(got, " "); text != g.want {
			t.Errorf("%q: got %s, want %s", g.position, text, g.want)
		}
	}
	id := c.begin(object{"game": "kiothi", "rules": "wikipedia-it"})
	var moves []view.LegalMove
	c.get("legal", object{"game": id}, &moves)
	if last := moves[len(moves)-1]; last.Text != "=" || last.Pit != nil || last.Seeds != 0 {
		t.Errorf("the last move is %+v, want = without a pit", last)
	}
}

func TestAnIllegalMoveIsToldAndChangesNothing(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi", "position": afterOpening})
	for _, g := range []struct {
		move         any
		kind, reason string
	}{
		{"a9", KindIllegal, "pit a holds only 3 seeds"},
		{700, KindIllegal, "there is no such action"},
		{-1, KindIllegal, "there is no such action"},
		{"eh:a3c2J5", KindArgument, "none begins here"},
		{"A3", KindArgument, "pit A is not South's"},
		{"", KindArgument, "expected an action"},
		{"f5 ", KindArgument, "expected one turn"},
		{"\x00", KindArgument, "there is no pit"},
		{3_000_000_000, KindArgument, "the number of an action"},
	} {
		f := c.ask("play", object{"game": id, "move": g.move}, nil)
		if f == nil || f.Kind != g.kind || !strings.Contains(f.Message, g.reason) || (g.kind == KindIllegal) != (f.Reason != "") {
			t.Errorf("playing %v: got %+v, want %s with %q", g.move, f, g.kind, g.reason)
		}
		var why string
		if f := c.ask("whyNot", object{"game": id, "move": g.move}, &why); f != nil {
			why = f.Message
		}
		if !strings.Contains(why, g.reason) {
			t.Errorf("why not %v: got %q, want %q", g.move, why, g.reason)
		}
		if f := c.ask("trace", object{"game": id, "move": g.move}, nil); f == nil || f.Kind != g.kind {
			t.Errorf("tracing %v: got %+v, want %s", g.move, f, g.kind)
		}
	}
	var why string
	if c.get("whyNot", object{"game": id, "move": "a1"}, &why); why != "" {
		t.Errorf("a1 cannot be played because of %q, want that it can", why)
	}
	if got := c.state(id).Position; got != afterOpening {
		t.Errorf("the position is %q, want it as it was", got)
	}
}

func TestMovesAreTakenBackOneByOne(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi"})
	var before []string
	moves := []string{"eh:a3c2J5", "+E", "+H", "J3"}
	for _, m := range moves[:3] {
		before = append(before, c.state(id).Position)
		c.play(id, m)
	}
	var history []view.Played
	c.get("history", object{"game": id}, &history)
	var texts []string
	for _, p := range history {
		texts = append(texts, p.Text)
	}
	if !slices.Equal(texts, moves[:3]) || history[0].Player != mancala.South || history[1].Player != mancala.North || history[0].Round != 1 {
		t.Errorf("the history is %+v", history)
	}
	for _, want := range slices.Backward(before) {
		var undone bool
		if c.get("undo", object{"game": id}, &undone); !undone {
			t.Fatal("there is nothing to take back")
		}
		if got := c.state(id).Position; got != want {
			t.Errorf("taken back to %q, want %q", got, want)
		}
	}
	var undone bool
	if c.get("undo", object{"game": id}, &undone); undone {
		t.Error("took back what was not played")
	}
}

func TestATraceTellsAMoveSeedBySeed(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi", "position": "0,0,1,0,0,0,0,0,0,0/1,0,0,0,0,0,4,0,0,0 c 20-20 S sow 7"})
	var got view.Trace
	c.get("trace", object{"game": id, "move": "c1"}, &got)
	south := mancala.South
	want := view.Trace{Events: []view.Event{
		{Kind: "lift", Lap: 1, Pit: 2, Seeds: 1, Unmark: true}, {Kind: "drop", Lap: 1, Pit: 3, Seeds: 1},
		{Kind: "win", Lap: 1, Pit: 16, Seeds: 4, To: &south}, {Kind: "win", Lap: 1, Pit: 3, Seeds: 1, To: &south},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	c.get("trace", object{"game": id, "move": "c1", "limit": 2}, &got)
	if len(got.Events) != 2 || !got.Truncated {
		t.Errorf("two events asked for: %+v", got)
	}
	for _, limit := range []int{-1, longestTrace + 1} {
		if f := c.ask("trace", object{"game": id, "move": "c1", "limit": limit}, nil); f == nil || f.Kind != KindArgument {
			t.Errorf("a limit of %d: got %+v, want an argument error", limit, f)
		}
	}
	id = c.begin(object{"game": "kiothi"})
	c.get("trace", object{"game": id, "move": "eh:a3c2J5"}, &got)
	if len(got.Events) != 12 || got.Truncated || got.Events[2].Kind != "drop" || got.Events[2].Lap != 0 {
		t.Errorf("an opening turn: %+v, want two lifts and ten drops", got)
	}
}

func TestACompetitionGoesFromRoundToRound(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "rio-kadalis", "rounds": 2})
	if f := c.ask("nextRound", object{"game": id}, nil); f == nil || f.Kind != KindArgument || !strings.Contains(f.Message, "round 1 is not over") {
		t.Errorf("a next round in the middle of the first: got %+v", f)
	}
	var moves []string
	finish := func() view.State {
		s := c.state(id)
		for s.Result == nil {
			text := c.think(id, "greedy", 3).Text
			moves = append(moves, text)
			c.play(id, text)
			s = c.state(id)
		}
		return s
	}
	first := finish()
	if first.Over || first.Competition == nil || !first.Competition.Between || first.Competition.Round != 1 {
		t.Fatalf("after the first round: %+v", first.Competition)
	}
	var second view.State
	c.get("nextRound", object{"game": id}, &second)
	if second.Competition.Round != 2 || second.Player != mancala.North || second.Result != nil || second.Competition.Between {
		t.Fatalf("the second round: %+v", second)
	}
	last := finish()
	if !last.Over || last.Competition.Between || last.Competition.End != "rounds spent" {
		t.Errorf("after the second round: %+v %+v", last, last.Competition)
	}
	var history []view.Played
	c.get("history", object{"game": id}, &history)
	if n := len(history); n != len(moves) || history[0].Round != 1 || history[n-1].Round != 2 {
		t.Errorf("the history has %d moves, from round %d to %d", n, history[0].Round, history[n-1].Round)
	}
	again := c.begin(object{"game": "rio-kadalis", "rounds": 2, "moves": moves})
	if diff := cmp.Diff(last, c.state(again)); diff != "" {
		t.Errorf("played again (-want +got):\n%s", diff)
	}
	for range history {
		c.get("undo", object{"game": id}, nil)
	}
	if got := c.state(id).Position; got != "1/2 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0" {
		t.Errorf("taken back to %q", got)
	}
	later := c.begin(object{"game": "rio-kadalis", "position": second.Position})
	if p := c.play(later, c.think(later, "greedy", 1).Text); p.Round != 2 {
		t.Errorf("a turn of the second round is of round %d", p.Round)
	}
	single := c.begin(object{"game": "rio-kadalis"})
	if f := c.ask("nextRound", object{"game": single}, nil); f == nil || f.Kind != KindArgument {
		t.Errorf("a next round of a single game: got %+v", f)
	}
}

func TestAClosedGameIsGone(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi"})
	c.get("closeGame", object{"game": id}, nil)
	for _, do := range []string{"state", "legal", "play", "whyNot", "undo", "history", "nextRound", "trace", "board", "closeGame", "think"} {
		if f := c.ask(do, object{"game": id}, nil); f == nil || f.Kind != KindClosed {
			t.Errorf("%s: got %+v, want that the game was closed", do, f)
		}
	}
	if other := c.begin(object{"game": "kiothi"}); other == id {
		t.Error("the id of a closed game was given again")
	}
}

func TestTheBoardIsDrawn(t *testing.T) {
	c := newCaller(t)
	var board string
	c.get("board", object{"game": c.begin(object{"game": "rio-kadalis"})}, &board)
	if !strings.Contains(board, "store 0") || !strings.Contains(board, "South to sow") {
		t.Errorf("the board is\n%s", board)
	}
}
