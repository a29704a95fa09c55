// Package env is the reinforcement-learning environment: a Gym-like Env for two players in turn, spaces that describe
// themselves, observations and rewards. It wraps the rules of a mancala.Game and adds none.
//
// Who acts next is explicit. In Kiothi's opening one player makes several steps in a row, so code that negates a value at
// every step is wrong here: the value belongs to a player, and changes sign only when the player to move changes.
package env
