package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kiothi/env/mancala"
)

// This file checks on random play what every engine must keep.

// Games plays random games from the start and checks every state on the way: see From.
func Games(t *testing.T, g mancala.Game, seed uint64, games int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	start := g.Start()
	if got := start.Total(); got != g.Seeds() {
		t.Fatalf("the start holds %d seeds, the game %d", got, g.Seeds())
	}
	for range games {
		From(t, g, start, rng, 5000)
	}
}

// From plays at random from start until the game is over, at most the given number of plies, and checks at every state:
//
//   - no seed appears or vanishes, and when the game is over, the final stores hold them all;
//   - AppendLegal lists, in ascending order, exactly the actions that Play accepts; there is one unless the game is over;
//   - an illegal action gives an *IllegalError and leaves the state as it was;
//   - what a turn captured is what the stores gained, and the clock counts turns since then;
//   - positions, actions and turns print and read back to the same;
//   - the rules do not tell the sides apart: playing and changing sides commute.
func From(t *testing.T, g mancala.Game, start mancala.State, rng *rand.Rand, plies int) {
	t.Helper()
	w := walk{game: g, state: start, total: start.Total(), turnStart: start}
	for range plies {
		if err := w.step(rng); err != nil {
			t.Fatalf("%s %s: %v\nfrom %s\nat   %s", g.Name(), g.Rules(), err, g.Format(&start), g.Format(&w.state))
		}
		if w.state.Over() {
			return
		}
	}
}

// A walk is a random game being checked.
type walk struct {
	game      mancala.Game
	state     mancala.State
	total     int              // seeds at the start
	turnStart mancala.State    // where the turn began
	turn      []mancala.Action // the actions of the turn so far
}

// step checks the state, and unless the game is over, plays a random action and checks that.
func (w *walk) step(rng *rand.Rand) error {
	legal := w.game.AppendLegal(nil, &w.state)
	everyAction := w.game.Actions() <= 64 || w.state.Phase != mancala.Sow || rng.IntN(8) == 0
	if err := w.checkState(legal); err != nil {
		return err
	}
	if err := w.checkTexts(legal); err != nil {
		return err
	}
	if everyAction {
		if err := w.checkActions(legal); err != nil {
			return err
		}
	}
	if w.state.Over() {
		return nil
	}
	return w.play(legal[rng.IntN(len(legal))])
}

// checkState checks what holds of any state.
func (w *walk) checkState(legal []mancala.Action) error {
	if got := w.state.Total(); got != w.total {
		return fmt.Errorf("there are %d seeds, %d at the start", got, w.total)
	}
	if w.state.Over() != (len(legal) == 0) {
		return fmt.Errorf("over is %t, and the legal actions are %v", w.state.Over(), legal)
	}
	for i := 1; i < len(legal); i++ {
		if legal[i-1] >= legal[i] {
			return fmt.Errorf("the legal actions do not ascend: %v", legal)
		}
	}
	final := w.game.Final(&w.state)
	if w.state.Over() && final[0]+final[1] != w.total {
		return fmt.Errorf("the final stores %v do not hold all %d seeds", final, w.total)
	}
	stores := [2]int{int(w.state.Stores[0]), int(w.state.Stores[1])}
	if !w.state.Over() && final != stores {
		return fmt.Errorf("the game goes on, but Final says %v and the stores hold %v", final, stores)
	}
	return nil
}

// checkTexts checks that the position and the legal actions print and read back to the same.
func (w *walk) checkTexts(legal []mancala.Action) error {
	position := w.game.Format(&w.state)
	parsed, err := w.game.Parse(position)
	if err != nil {
		return err
	}
	if parsed != w.state {
		return fmt.Errorf("the position %s reads back as another state:\nplayed %+v\nread   %+v", position, w.state, parsed)
	}
	seen := map[string]mancala.Action{}
	for _, a := range legal {
		text := w.game.ActionText(&w.state, a)
		if other, ok := seen[text]; ok {
			return fmt.Errorf("actions %d and %d are both written %q", other, a, text)
		}
		seen[text] = a
		back, err := w.game.ParseAction(&w.state, text)
		if err != nil || back != a {
			return fmt.Errorf("action %d is written %q, which reads back as %d, %v", a, text, back, err)
		}
		turn, err := w.game.ParseTurn(&w.state, text)
		if w.state.Phase == mancala.Sow && (err != nil || !slices.Equal(turn, []mancala.Action{a})) {
			return fmt.Errorf("action %d is written %q, which reads as the turn %v, %v", a, text, turn, err)
		}
	}
	return nil
}

// checkActions plays every id there is, and two that there are not, on a copy of the state.
func (w *walk) checkActions(legal []mancala.Action) error {
	for a := mancala.Action(-1); int(a) <= w.game.Actions(); a++ {
		s := w.state
		_, err := playBothSides(w.game, &s, a)
		if slices.Contains(legal, a) {
			if err != nil {
				return fmt.Errorf("action %d is listed as legal: %w", a, err)
			}
			continue
		}
		var illegal *mancala.IllegalError
		if !errors.As(err, &illegal) || illegal.Action != a || illegal.Text == "" || illegal.Reason == "" {
			return fmt.Errorf("action %d is not listed as legal, and Play says %v, not an *IllegalError with all its fields", a, err)
		}
	}
	return nil
}

// play plays a legal action and checks what it says that it did, and at the end of a turn, the turn's text.
func (w *walk) play(a mancala.Action) error {
	before := w.state
	turn, err := playBothSides(w.game, &w.state, a)
	if err != nil {
		return err
	}
	captured := 0
	for side, n := range turn.Captured {
		captured += int(n)
		if w.state.Stores[side] != before.Stores[side]+n {
			return fmt.Errorf("after action %d, the turn captured %v, and the stores went from %v to %v", a, turn.Captured, before.Stores, w.state.Stores)
		}
	}
	clock := before.Clock
	if before.Phase == mancala.Sow {
		clock++
	}
	if captured > 0 {
		clock = 0
	}
	if w.state.Clock != clock {
		return fmt.Errorf("after action %d, the clock is %d, expected %d", a, w.state.Clock, clock)
	}
	if (turn.Laps > 0) != (before.Phase == mancala.Sow) {
		return fmt.Errorf("action %d in phase %s made %d laps", a, before.Phase, turn.Laps)
	}
	w.turn = append(w.turn, a)
	if w.state.Player == before.Player && !w.state.Over() {
		return nil
	}
	if w.turnStart.Phase != mancala.Place && w.turnStart.Lifted == 0 { // not a turn that the game began within
		text := w.game.TurnText(&w.turnStart, w.turn)
		back, err := w.game.ParseTurn(&w.turnStart, text)
		if err != nil || !slices.Equal(back, w.turn) {
			return fmt.Errorf("the turn %v is written %q, which reads back as %v, %v", w.turn, text, back, err)
		}
	}
	w.turnStart, w.turn = w.state, w.turn[:0]
	return nil
}

// playBothSides plays an action on the state, and on the same position seen from the other chair, and checks that the
// two agree and that a refusal changes nothing.
func playBothSides(g mancala.Game, s *mancala.State, a mancala.Action) (mancala.Turn, error) {
	before, mirror := *s, s.Swapped(g.Width())
	turn, err := g.Play(s, a)
	mirrorTurn, mirrorErr := g.Play(&mirror, a)
	if err != nil && *s != before {
		return turn, fmt.Errorf("action %d was refused and changed the state to %s", a, g.Format(s))
	}
	if (err == nil) != (mirrorErr == nil) {
		return turn, fmt.Errorf("action %d: one side may play it and the other not: %v, %v", a, err, mirrorErr)
	}
	if mirror.Swapped(g.Width()) != *s {
		return turn, fmt.Errorf("action %d leads to %s, and from the other chair to %s", a, g.Format(s), g.Format(&mirror))
	}
	mirrorTurn.Captured[0], mirrorTurn.Captured[1] = mirrorTurn.Captured[1], mirrorTurn.Captured[0]
	if mirrorTurn != turn {
		return turn, fmt.Errorf("action %d does %+v, and from the other chair %+v", a, turn, mirrorTurn)
	}
	final, mirrorFinal := g.Final(s), g.Final(&mirror)
	if final != [2]int{mirrorFinal[1], mirrorFinal[0]} {
		return turn, fmt.Errorf("action %d ends with the stores %v, and from the other chair with %v", a, final, mirrorFinal)
	}
	if !slices.Equal(g.AppendLegal(nil, s), g.AppendLegal(nil, &mirror)) {
		return turn, fmt.Errorf("after action %d, the legal actions differ between the chairs", a)
	}
	return turn, err
}

// NoAllocation checks that a random playout from start, on the state and buffers of the caller, allocates nothing.
func NoAllocation(t *testing.T, g mancala.Game, start mancala.State, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	legal := make([]mancala.Action, 0, g.Actions())
	mask := make([]bool, g.Actions())
	s := start
	if n := testing.AllocsPerRun(200, func() {
		if s.Over() {
			s = start
		}
		legal = mancala.Mask(g, &s, mask, legal)
		if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
			t.Error(err)
		}
		g.Final(&s)
	}); n != 0 {
		t.Errorf("%s %s: a step of a random playout allocates %v times", g.Name(), g.Rules(), n)
	}
}
