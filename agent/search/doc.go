// Package search is Monte-Carlo tree search with a network: Gumbel search (Danihelka, Guez, Schrittwieser and Silver,
// "Policy improvement by planning with Gumbel", ICLR 2022) and PUCT (Silver et al., 2017) beside it.
//
// A Tree searches one position and never calls the network: Select hands out the position it wants judged, Expand takes
// the judgement. So one caller runs hundreds of trees in lockstep and judges all their leaves in one batch, and a single
// game is the same code with one tree.
//
// Values are utilities in [-1, 1] that belong to a player. A node's values are for the player to move in it; a value is
// negated on its way up only where the player to move changes, because in an opening turn the same player acts several
// times in a row. Positions that are over are judged by their result and never handed out, and a position with a single
// legal action is passed through.
package search
