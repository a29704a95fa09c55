package sowing

import (
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file reads the rules of Rio Kadalis (rules, section 3.2).

// rioKadalis tells the turn that lifts an own hole. A stone that makes four wins them: for the owner of the row on the way,
// and for the mover, who is done then, at the end of a lap.
func (t *teller) rioKadalis(rules *riokadalis.Rules, a mancala.Action) {
	const four = 4
	if rules.Clockwise {
		t.step = -1
	}
	hole := mancala.Absolute(t.mover, int(a), t.width)
	for t.lap = 1; !t.stopped; t.lap++ {
		stones := t.at(hole)
		t.say(Event{Kind: Lift, Pit: hole, Seeds: stones})
		for ; stones > 0; stones-- {
			hole = t.next(hole)
			t.say(Event{Kind: Drop, Pit: hole, Seeds: 1})
			if stones > 1 && t.at(hole) == four {
				t.say(Event{Kind: Win, Pit: hole, Seeds: four, To: t.owner(hole)})
			}
		}
		switch t.at(hole) {
		case 1:
			return
		case four:
			t.say(Event{Kind: Win, Pit: hole, Seeds: four, To: t.mover})
			return
		}
		if t.lap == rules.LapLimit {
			return
		}
	}
}
