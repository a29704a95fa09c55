// Package mancala holds the words that both games share: rows of pits, states, actions, turns, rule sets, and the
// text of positions and moves. A game engine (package kiothi, package riokadalis) is a Game; everything above the
// engines (environment, search, training, arena) works on Game and State alone and knows no rule.
//
// States are small values. They are copied by assignment, compared with ==, and may be map keys; no method of a Game
// keeps a pointer to one, and none of the methods on the hot path allocates.
package mancala
