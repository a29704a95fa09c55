// Package alphabeta holds a player that searches without learning: iterative deepening of a principal variation search on
// the exact engines of both games, with a transposition table and an evaluation whose weights were fitted to games that
// the player played against itself (package fit), or a small network in its place (package nnue).
//
// A score belongs to the player to move, in hundredths of a seed of the final margin. It changes its sign only where the
// player changes. Scores of positions that are over, or that are won whatever happens, lie beyond all others (see won).
package alphabeta
