// Package arena plays matches between two agents and says how sure their result is.
//
// Openings are random and each is played twice with the seats changed, so that neither the first move nor a lucky opening
// favours an agent, and two agents that choose without chance still play many different games. The games of a match run in
// lockstep: in each round, one agent is asked for all games in which it is to move, which gives an agent with a network
// large batches. Every choice draws its chance from a generator that is named by the match's seed, the game, the seat and
// the ply, so that a match is the same for any number of workers and of games at once.
package arena
