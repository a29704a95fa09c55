package screen

import (
	"fmt"
	"math/bits"
	"slices"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
)

// This file builds an opening turn pit by pit, in any order, before it is played. The engine wants lifts from left to right
// and seeds in the order of sowing; actions puts them so.

// noPit stands for no pit.
const noPit = -1

// A draft is an opening turn that is being built.
type draft struct {
	game  *kiothi.Game
	start mancala.State
	board mancala.State // the rows and the hand with what has been done
	done  []deed        // oldest first
	ended bool          // the lifting was ended before its most
	pit   int           // the pit under the cursor, absolute
}

// A deed is one thing done in a draft.
type deed struct {
	lift  bool
	pit   int // absolute
	seeds int // lifted or placed
}

// newDraft begins a draft at a position of the opening.
func newDraft(g *kiothi.Game, s mancala.State) *draft {
	d := &draft{game: g, start: s, board: s}
	d.pit = mancala.Absolute(s.Player, g.Width()-1, g.Width())
	if d.lifting() {
		d.sideways(0, s.Player)
	}
	return d
}

// lifts returns how many pits have been lifted.
func (d *draft) lifts() int {
	n := bits.OnesCount16(d.start.Lifted)
	for _, deed := range d.done {
		if deed.lift {
			n++
		}
	}
	return n
}

// lifting reports whether pits are still to be lifted.
func (d *draft) lifting() bool {
	return d.start.Phase == mancala.Lift && !d.ended && d.lifts() < d.game.RuleSet().Lifts.Max()
}

// mayEnd reports whether the lifting may end here.
func (d *draft) mayEnd() bool { return d.lifting() && d.game.RuleSet().Lifts.Has(d.lifts()) }

// end ends the lifting.
func (d *draft) end() error {
	if !d.mayEnd() {
		return fmt.Errorf("lifting cannot stop at %d lifted pits (lifts=%s)", d.lifts(), d.game.RuleSet().Lifts)
	}
	d.ended = true
	return nil
}

// complete reports whether the turn can be played.
func (d *draft) complete() bool { return !d.lifting() && d.board.Hand == 0 }

// at returns the number of seeds in a pit.
func (d *draft) at(pit int) int {
	width := d.game.Width()
	return d.board.Rows[pit/width].At(pit % width)
}

// put changes the number of seeds in a pit, and the hand.
func (d *draft) put(pit, seeds int) {
	width := d.game.Width()
	row := &d.board.Rows[pit/width]
	*row = row.With(pit%width, row.At(pit%width)+seeds)
	d.board.Hand = uint8(int(d.board.Hand) - seeds)
}

// lift lifts an own pit.
func (d *draft) lift(pit int) error {
	width := d.game.Width()
	name := mancala.PitName(pit, width)
	switch {
	case !d.lifting():
		return fmt.Errorf("the lifting is over: place the seeds in your hand")
	case mancala.Player(pit/width) != d.start.Player:
		return fmt.Errorf("pit %c is not %s's", name, d.start.Player)
	case d.at(pit) == 0:
		return fmt.Errorf("pit %c is empty", name)
	case pit%width < bits.Len16(d.start.Lifted):
		return fmt.Errorf("pit %c is not to the right of those lifted before", name)
	}
	n := d.at(pit)
	d.put(pit, -n)
	d.done = append(d.done, deed{lift: true, pit: pit, seeds: n})
	if d.lifting() {
		d.sideways(0, d.start.Player)
	}
	return nil
}

// place places seeds from the hand in a pit.
func (d *draft) place(pit, n int) error {
	name := mancala.PitName(pit, d.game.Width())
	switch {
	case d.lifting():
		return fmt.Errorf("seeds are placed after the lifting has ended")
	case n > int(d.board.Hand):
		return fmt.Errorf("only %s in your hand", left(int(d.board.Hand)))
	case mancala.Relative(d.start.Player, pit, d.game.Width()) < int(d.start.Last):
		return fmt.Errorf("pit %c comes before the one last placed in", name)
	}
	d.put(pit, n)
	d.done = append(d.done, deed{pit: pit, seeds: n})
	return nil
}

func left(n int) string {
	if n == 1 {
		return "1 seed is left"
	}
	return fmt.Sprintf("%d seeds are left", n)
}

// back takes the last deed back, and reports whether there was one.
func (d *draft) back() bool {
	if d.ended && !slices.ContainsFunc(d.done, func(deed deed) bool { return !deed.lift }) {
		d.ended = false
		return true
	}
	n := len(d.done)
	if n == 0 {
		return false
	}
	last := d.done[n-1]
	d.done = d.done[:n-1]
	if last.lift {
		d.put(last.pit, last.seeds)
	} else {
		d.put(last.pit, -last.seeds)
	}
	d.pit = last.pit
	return true
}

// actions returns the turn in the engine's order. The draft is complete.
func (d *draft) actions() ([]mancala.Action, error) {
	width := d.game.Width()
	s := d.start
	var actions []mancala.Action
	play := func(text string) error {
		a, err := d.game.ParseAction(&s, text)
		if err == nil {
			_, err = d.game.Play(&s, a)
		}
		actions = append(actions, a)
		return err
	}
	ordered := slices.Clone(d.done)
	slices.SortStableFunc(ordered, func(a, b deed) int {
		if a.lift != b.lift {
			if a.lift {
				return -1
			}
			return 1
		}
		return mancala.Relative(d.start.Player, a.pit, width) - mancala.Relative(d.start.Player, b.pit, width)
	})
	for _, deed := range ordered {
		name := mancala.PitName(deed.pit, width)
		if deed.lift {
			if err := play(fmt.Sprintf("+%c", name)); err != nil {
				return nil, err
			}
			continue
		}
		if s.Phase == mancala.Lift {
			if err := play("="); err != nil {
				return nil, err
			}
		}
		for range deed.seeds {
			if err := play(fmt.Sprintf(">%c", name)); err != nil {
				return nil, err
			}
		}
	}
	if len(actions) == 0 { // nothing is lifted
		if err := play("="); err != nil {
			return nil, err
		}
	}
	return actions, nil
}

// sideways moves the cursor on the screen, seen by the player at the bottom: over the own pits that can be lifted, then
// over all pits of the row. With by 0 it only leaves a pit that cannot be lifted.
func (d *draft) sideways(by int, bottom mancala.Player) {
	width := d.game.Width()
	if mancala.Player(d.pit/width) != bottom {
		by = -by
	}
	step := by
	if step == 0 {
		step = -1
	}
	next := d.pit%width + by
	for range width {
		next = (next + width) % width
		pit := d.pit/width*width + next
		if !d.lifting() || d.at(pit) > 0 && next >= bits.Len16(d.start.Lifted) {
			d.pit = pit
			return
		}
		next += step
	}
}

// across moves the cursor to the facing pit.
func (d *draft) across() {
	if !d.lifting() {
		d.pit = 2*d.game.Width() - 1 - d.pit
	}
}

// tell says what is to be done next.
func (d *draft) tell() string {
	switch {
	case d.lifting():
		text := fmt.Sprintf("opening: lift a pit with Enter (%d lifted, allowed: %s)", d.lifts(), d.game.RuleSet().Lifts)
		if d.mayEnd() {
			text += ", = lifts no more"
		}
		return text
	case d.complete():
		return "opening complete: Enter plays it, u takes a step back"
	}
	return fmt.Sprintf("opening: %d in hand; Enter places one in %c, a digit so many", d.board.Hand, mancala.PitName(d.pit, d.game.Width()))
}

// touched returns the pits that the draft has changed.
func (d *draft) touched() uint32 {
	var pits uint32
	for _, deed := range d.done {
		pits |= 1 << deed.pit
	}
	return pits
}
