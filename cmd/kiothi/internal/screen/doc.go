// Package screen is a game on a terminal: the board in place, moves picked by keys or typed, sowings shown seed by seed.
//
// A Model holds all that is shown and takes messages; it knows no terminal, so that tests drive it by keys and read its
// text. What can be said without one is apart from it: picking a sowing (picker), building an opening (draft), showing a
// turn (showing), a line being typed (prompt), drawing a board (picture). Work that takes time, an agent's turn and a hint,
// runs beside it and answers by messages, each with the number of its question: an answer to an older question is dropped.
package screen
