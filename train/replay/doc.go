// Package replay keeps the games that a network learns from: as records in files, one an iteration, and in memory as a
// window of the newest positions, from which training samples.
//
// A record holds actions, not boards: positions are rebuilt by the rules, and a record that the rules do not confirm is
// refused. The improved policy of a position is stored in whole parts of 1/65535 from the moment it is recorded, so that
// a game learned from memory and the same game read back from disk give the same bits.
package replay
