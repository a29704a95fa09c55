// Package uct holds a player that knows the rules and nothing else: Monte Carlo tree search with random playouts (Kocsis
// and Szepesvári, ECML 2006; Coulom, CG 2006). It is the baseline that a learned search is measured against.
//
// A node's value belongs to the player who moved to it; in Kiothi's opening, where a player acts several times in a row,
// that is the same player for several nodes of a line. The ends of games, in the tree and in playouts, are the engine's.
package uct
