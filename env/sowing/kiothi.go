package sowing

import (
	"math/bits"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
)

// This file reads the rules of Kiothi (rules, sections 2.2 to 2.4).

// kiothi tells an action that leads to the state after.
func (t *teller) kiothi(rules *kiothi.Rules, a mancala.Action, after *mancala.State) {
	pit := func(relative int) int { return mancala.Absolute(t.mover, relative, t.width) }
	switch {
	case a < kiothi.FirstLift:
		t.sowKiothi(rules, pit(int(a)/kiothi.SowStride), int(a)%kiothi.SowStride+1)
		return
	case a < kiothi.StopLifting:
		lifted := pit(int(a - kiothi.FirstLift))
		t.say(Event{Kind: Lift, Pit: lifted, Seeds: t.at(lifted)})
	case a >= kiothi.FirstPlace:
		t.say(Event{Kind: Drop, Pit: pit(int(a - kiothi.FirstPlace)), Seeds: 1})
	}
	for set := after.Marks &^ t.state.Marks; set != 0; set &= set - 1 { // the opening is over
		t.say(Event{Kind: Mark, Pit: bits.TrailingZeros32(set)})
	}
}

// sowKiothi tells the sowing of seeds from a pit: laps until one ends in an empty pit, and what is captured there.
func (t *teller) sowKiothi(rules *kiothi.Rules, pit, seeds int) {
	before := *t
	var lifted [2 * mancala.MaxWidth]bool
	crossed := false
	for t.lap = 1; ; t.lap++ {
		lifted[pit] = true
		crossed = crossed || t.owner(pit) != t.mover
		t.say(Event{
			Kind: Lift, Pit: pit, Seeds: seeds,
			Unmark: t.marked(pit) && (rules.Protection == kiothi.ProtectNki || t.owner(pit) == t.mover),
		})
		for ; seeds > 0; seeds-- {
			pit = t.next(pit)
			crossed = crossed || t.owner(pit) != t.mover
			t.say(Event{Kind: Drop, Pit: pit, Seeds: 1})
		}
		seeds = t.at(pit)
		if t.stopped || seeds == 1 {
			break
		}
		if t.lap == rules.LapLimit {
			return
		}
	}
	if t.owner(pit) != t.mover || rules.Crossing && !crossed {
		return
	}
	fresh := func(pit int) bool { return before.at(pit) == 0 || lifted[pit] }
	prey := t.prey(rules, pit, fresh)
	for _, enemy := range prey {
		t.say(Event{Kind: Win, Pit: enemy, Seeds: t.at(enemy), To: t.mover})
	}
	if len(prey) > 0 || rules.LoneCapture {
		t.say(Event{Kind: Win, Pit: pit, Seeds: 1, To: t.mover})
	}
}

// marked reports whether a pit is protected.
func (t *teller) marked(pit int) bool { return t.state.Marks>>pit&1 != 0 }

// prey returns the enemy pits that a last seed in an empty own pit captures. fresh pits were empty when the turn began, or
// were lifted from in it.
func (t *teller) prey(rules *kiothi.Rules, pit int, fresh func(int) bool) []int {
	var prey []int
	if facing := 2*t.width - 1 - pit; t.at(facing) > 0 && !t.marked(facing) {
		prey = append(prey, facing)
	}
	if mancala.Relative(t.mover, pit, t.width) != 0 || len(prey) == 0 && rules.BonusNeedsCapture {
		return prey
	}
	var bonus []int
	for relative := 2*t.width - 2; relative >= 2*t.width-4; relative-- {
		enemy := mancala.Absolute(t.mover, relative, t.width)
		if t.at(enemy) == 0 && rules.Bonus == kiothi.BonusRun {
			break
		}
		if t.at(enemy) > 0 && !t.marked(enemy) && (!rules.BonusFresh || fresh(enemy)) {
			bonus = append(bonus, enemy)
		}
	}
	if rules.Bonus == kiothi.BonusThree && len(bonus) < 3 {
		return prey
	}
	return append(prey, bonus...)
}
