// Package env is the reinforcement-learning environment: a Gym-like Env for two players in turn, spaces that describe
// themselves, observations and rewards. It wraps the rules of a mancala.Game and adds none.
//
// A Vector is many such games that step together, a Versus shows a game to a single agent, a Competition and a Match are
// several games in one episode, and a Recorder and Statistics are told of games that have ended.
//
// Who acts next is explicit. In Kiothi's opening one player makes several steps in a row, so code that negates a value at
// every step is wrong here: the value belongs to a player, and changes sign only when the player to move changes.
package env
