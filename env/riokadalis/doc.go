// Package riokadalis is the engine of Rio Kadalis, the two-row mancala of Somalia: the rounds, under every rule set, and
// the competition of rounds with the same stones (rules, section 3).
//
// A round is a mancala.Game. Its lap is a table look-up and two additions, since a lap drops one stone at most into each
// hole: see ring.go and sow.go.
package riokadalis
