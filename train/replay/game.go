package replay

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file is the record of one game.

// An ID names a game within a run: the stream that played it, and how many games that stream began before.
type ID struct {
	Stream, Number uint64
}

// String writes the id as stream/number.
func (id ID) String() string { return fmt.Sprintf("%d/%d", id.Stream, id.Number) }

// Flags say how an action was chosen.
type Flags uint8

// The flags of a ply.
const (
	PolicyTarget Flags = 1 << iota // the ply has a policy to learn from
	Random                         // the action was drawn without a search, to vary the opening

	allFlags = PolicyTarget | Random
)

// A Ply is one action of a game and what the search said of the position before it.
type Ply struct {
	Action uint16
	Flags  Flags
	Value  float32 // the search's utility of the position for the player to move, from -1 to 1; 0 without a search
	end    uint32  // where the ply's policy ends in the game's; it begins where that of the ply before ends
}

// A Game is the record of a game, finished or not.
type Game struct {
	ID    ID
	Seed  uint64 // of the game's random generator
	Start string // the text of the first position, "" for the game's own
	Plies []Ply

	End   mancala.Reason // why the game ended, Running while it has not
	Final [2]uint8       // the stores [South, North] at the end, sweep included; zero while it has not ended

	// Resume is what the player of an unfinished game needs to go on from here, such as the state of its random
	// generator. It is empty in a finished game.
	Resume []byte

	policy []Entry // of all plies
}

// Policy returns the policy to learn from at a ply, by ascending action, without the actions that have no part in it. It
// is empty where the ply is no policy target.
func (g *Game) Policy(ply int) []Entry {
	begin := uint32(0)
	if ply > 0 {
		begin = g.Plies[ply-1].end
	}
	return g.policy[begin:g.Plies[ply].end]
}

// Append records an action. The policy [len(legal)] has a probability for each legal action, by ascending action; it is
// nil where the ply is no policy target. The error names the game and the ply. It is about the numbers alone: what the
// rules have to say is Check's. After an error the game is as it was.
func (g *Game) Append(action mancala.Action, value float32, flags Flags, legal []mancala.Action, policy []float32) error {
	if action < 0 || action > math.MaxUint16 {
		return fmt.Errorf("game %s, ply %d: found action %d, expected an id from 0 to %d", g.ID, len(g.Plies), action, math.MaxUint16)
	}
	flags &^= PolicyTarget
	if policy != nil {
		flags |= PolicyTarget
		entries, err := quantise(g.policy, legal, policy)
		if err != nil {
			return fmt.Errorf("game %s, ply %d: %w", g.ID, len(g.Plies), err)
		}
		g.policy = entries
	}
	g.Plies = append(g.Plies, Ply{Action: uint16(action), Flags: flags, Value: value, end: uint32(len(g.policy))})
	return nil
}

// Finish records the end of the game in its last state.
func (g *Game) Finish(rules mancala.Game, last *mancala.State) {
	final := rules.Final(last)
	g.End, g.Final, g.Resume = last.End, [2]uint8{uint8(final[0]), uint8(final[1])}, nil
}

// Reset empties the record for another game and keeps its memory.
func (g *Game) Reset(id ID, seed uint64) {
	*g = Game{ID: id, Seed: seed, Plies: g.Plies[:0], Resume: g.Resume[:0], policy: g.policy[:0]}
}

// Actions returns the actions of the game in order.
func (g *Game) Actions() []mancala.Action {
	actions := make([]mancala.Action, len(g.Plies))
	for i, ply := range g.Plies {
		actions[i] = mancala.Action(ply.Action)
	}
	return actions
}
