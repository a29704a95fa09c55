// Package endgame holds exact results: tables of all positions with few seeds on the board, built backwards from the ends
// of the game, kept in files, and asked by players and tests.
//
// What is captured never comes back, so the positions fall into layers by the number of seeds on the board, and the result
// of a position follows from its own layer and smaller ones. Within a layer nothing is captured, and the clock of such turns
// says how long that may go on: a layer is solved for a full clock, then for one turn left, for two, and so on.
package endgame
