package agent

import "io"

// This file is for agents that play a game better when they may remember it, and the end of all of them.

// A Starter is an Agent that offers players for single games. Such a player may keep what it found from one call to the next,
// such as a search tree or the rest of an opening turn. What it answers is a function of the game so far and of the chance
// it was given, never of other games.
type Starter interface {
	Agent
	// Start returns a player for one seat of one game. It is asked by one goroutine at a time, in the order of the game,
	// and closed after the game when it is an io.Closer. A state that does not follow from the last one is a new beginning.
	Start() Agent
}

// Start returns a player for one game: the agent's own when it is a Starter, and otherwise the agent itself.
func Start(a Agent) Agent {
	if s, ok := a.(Starter); ok {
		return s.Start()
	}
	return a
}

// End ends the player that Start returned for an agent. The agent itself goes on.
func End(a, player Agent) error {
	if _, ok := a.(Starter); ok {
		return Close(player)
	}
	return nil
}

// Close closes an agent that has something to close, after its last use.
func Close(a Agent) error {
	if c, ok := a.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
