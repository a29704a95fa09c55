// Package arena plays agents against each other and says how sure the results are: a match of two, or a round robin of many.
//
// Openings are random, or given as positions, and each is played twice with the seats changed, so that neither the first move
// nor a lucky opening favours an agent, and two agents that choose without chance still play many different games. All pairs
// of agents play the same openings. The games of all pairs run in lockstep: in each round every game under way makes one
// action, which gives an agent with a network large batches, and the processors always something to do. Every choice draws its
// chance from a generator that is named by the seed, the pair, the game, the seat and the ply, so that the games are the
// same for any number of workers and of games at once.
//
// An agent that plays an illegal action, fails, panics, or does not answer in time loses that game, with a reason that stays
// in the record, and the others go on (see Options.Forfeits).
package arena
