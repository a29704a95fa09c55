package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/trace"
)

// This file makes the games that another engine is asked to play.

// A Set names a game and a rule set, a named one or one with options overridden.
type Set struct{ Game, Rules string }

// String returns the game and the rule set.
func (s Set) String() string { return s.Game + " " + s.Rules }

// TraceSets lists what an engine of some games should know: every named rule set, the default one with each option that
// another set has otherwise, so that a fault in an option is seen alone, and the default one with limits so small that
// they are reached.
func TraceSets(entries ...games.Entry) []Set {
	var sets []Set
	for _, e := range entries {
		first := e.Sets[0].Name
		add := func(rules string) {
			if s := (Set{e.Name, rules}); !slices.Contains(sets, s) {
				sets = append(sets, s)
			}
		}
		for _, set := range e.Sets {
			add(set.Name)
		}
		for _, option := range e.Options {
			for _, value := range option.Settings {
				if value != option.Settings[0] {
					add(first + "," + option.Name + "=" + value)
				}
			}
		}
		add(first + ",lap_limit=3")
		add(first + ",no_capture_limit=10")
	}
	return sets
}

// until returns the line that plays the first actions only.
func until(l trace.Line, actions int) trace.Line {
	l.Actions = l.Actions[:actions]
	return l
}

// A tracedGame is a line with what our engine answers.
type tracedGame struct {
	set  Set
	line trace.Line
	want []trace.Step
	// illegal: the last action is illegal, and the answer an error at its ply.
	illegal bool
}

// tracedGames makes games of a set. The same numbers give the same games, so that none need be kept.
type tracedGames struct {
	set  Set
	game mancala.Game
	seed uint64
}

// make returns the game with a number: from the start of the game, or from some other position, to the end.
func (t *tracedGames) make(number int) tracedGame {
	rng := rand.New(rand.NewPCG(t.seed, uint64(number)))
	start, l := t.game.Start(), trace.Line{Game: t.set.Game, Rules: t.set.Rules}
	switch number % 4 {
	case 0:
		if number%8 == 0 && games.IsDefault(t.game) {
			l.Rules = "" // as the default must be played without its name
		}
	case 1: // from the start
	case 2:
		start = t.positionAfter(rng, rng.IntN(60))
		l.Position = t.game.Format(&start)
	case 3:
		start = t.unusual(rng)
		l.Position = t.game.Format(&start)
	}
	s := start
	for !s.Over() {
		l.Actions = append(l.Actions, t.playRandom(rng, &s))
	}
	want, err := trace.Play(t.game, start, l.Actions)
	if err != nil {
		panic("conformance: the engine refuses a game that it played: " + err.Error())
	}
	return tracedGame{set: t.set, line: l, want: want}
}

// makeIllegal returns a game that ends with an illegal action.
func (t *tracedGames) makeIllegal(number int) tracedGame {
	g := t.make(number)
	rng := rand.New(rand.NewPCG(t.seed, uint64(number)+1<<32))
	at := rng.IntN(len(g.want)) // after as many actions; the last state is the end, where all are illegal
	for {
		a := mancala.Action(rng.IntN(t.game.Actions()+2) - 1)
		if slices.Contains(g.want[at].Legal, a) {
			continue
		}
		g.line.Actions = append(slices.Clone(g.line.Actions[:at]), a)
		g.illegal = true
		return g
	}
}

// unusual returns a position that is seldom reached from the start: in Kiothi within the opening, in Rio Kadalis with
// closed holes, as in a later round of a competition.
func (t *tracedGames) unusual(rng *rand.Rand) mancala.State {
	rounds, ok := t.game.(*riokadalis.Game)
	if !ok {
		return t.positionAfter(rng, rng.IntN(26))
	}
	c, err := riokadalis.NewCompetition(rounds, riokadalis.DefaultMaxRounds)
	if err != nil {
		panic("conformance: no competition: " + err.Error()) // its default is a number of rounds
	}
	for {
		if s := c.State(); s.Closed != 0 && !s.Over() {
			return s
		}
		for s := c.State(); !s.Over(); s = c.State() {
			legal := t.game.AppendLegal(nil, &s)
			if _, err := c.Play(legal[rng.IntN(len(legal))]); err != nil {
				panic("conformance: the engine refuses what it calls legal: " + err.Error())
			}
		}
		if c.Next() != nil { // it is over, and no hole was ever closed
			return t.positionAfter(rng, rng.IntN(20))
		}
	}
}

// positionAfter returns the position after a number of random actions, or the last one before the game's end.
func (t *tracedGames) positionAfter(rng *rand.Rand, actions int) mancala.State {
	s := t.game.Start()
	for range actions {
		next := s
		if t.playRandom(rng, &next); next.Over() {
			return s
		}
		s = next
	}
	return s
}

// playRandom plays a random legal action.
func (t *tracedGames) playRandom(rng *rand.Rand, s *mancala.State) mancala.Action {
	legal := t.game.AppendLegal(nil, s)
	a := legal[rng.IntN(len(legal))]
	mancala.MustPlay(t.game, s, a)
	return a
}

// malformed lists lines that no engine can play: what is wrong, and the line.
func malformed(set Set) []struct{ what, line string } {
	of := func(rest string) string { return fmt.Sprintf(`{"game":%q,"rules":%q,%s}`, set.Game, set.Rules, rest) }
	return []struct{ what, line string }{
		{"no JSON", "sow e3"},
		{"JSON cut short", `{"game":"` + set.Game + `","actions":[`},
		{"no object", `[0,1,2]`},
		{"no game", `{"actions":[]}`},
		{"an unknown game", `{"game":"nonsense","actions":[]}`},
		{"an unknown rule set", `{"game":"` + set.Game + `","rules":"nonsense","actions":[]}`},
		{"an unknown option", `{"game":"` + set.Game + `","rules":"` + set.Rules + `,nonsense=1","actions":[]}`},
		{"actions that are no list", of(`"actions":"0"`)},
		{"an action that is a text", of(`"actions":["e3"]`)},
		{"an action that is no whole number", of(`"actions":[1.5]`)},
		{"a position that is none", of(`"position":"nonsense","actions":[]`)},
		{"a position with too many seeds", of(`"position":"60,60/60,60 - 60-60 S sow 0","actions":[]`)},
		{"a text that is no UTF-8", "\xff\xfe\x00"},
	}
}
