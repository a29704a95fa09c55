// Package solve proves the results of positions, by a search that never guesses.
//
// Of a position it asks whether the player to move can reach a margin. An answer is a claim about the board without its
// stores: that the player gets at least, or at most, so many more of the seeds on it than the other player. A claim holds for
// a range of clocks, so that a proof found on one way to a board serves on all others: it is valid wherever the clock of turns
// without a capture cannot run out inside it, and where a line of it does run the clock out, for that clock alone. Boards are
// compared whole, never by a hash.
//
// The search deepens turn by turn, for both answers in turn (search.go). All claims are kept, in the order in which they were
// proved (claim.go). Each follows from the rules and earlier ones, so that those which a result needs make a certificate
// (package certificate) that a small checker verifies, and a solver that was stopped goes on from what it had (file.go).
package solve
