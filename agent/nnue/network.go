package nnue

import "kiothi/env/mancala"

// This file is the network as it plays: in integers.

// Units of the integers. A logit is counted in 1/LogitUnit.
const (
	unit       = 128  // an activation of 1
	maxHidden  = 127  // the largest activation of the first layer: two products with a weight fit in an int16
	maxDense   = 2047 // the largest activation of the second layer: the output cannot overflow
	denseUnit  = 64   // a dense weight of 1
	denseShift = 6    // log2(denseUnit)
	outputUnit = 1024 // an output weight of 1

	// LogitUnit is the number of parts of a logit in which Evaluate counts.
	LogitUnit   = 1024
	logitShift  = 7 // log2(unit * outputUnit / LogitUnit)
	maxBias     = 1 << 30
	maxShift    = 6  // of Network.shift
	blockUnits  = 64 // units of the first layer that are worked on together
	groupInputs = 4  // inputs of the second layer that are multiplied together
)

// A Network judges positions of one game under one rule set. It is immutable and safe for concurrent use.
type Network struct {
	game, rules string
	provenance  Provenance
	layout      Layout
	hidden      int
	shift       uint // the tables count in 1/(unit << shift)

	tables []int16 // [rows, hidden]; no sum of a position's rows leaves the range of int16
	dense  []int8  // [Buckets, hidden/groupInputs, Dense, groupInputs]
	bias   []int32 // [Buckets, Dense], of the dense layer, in 1/(unit*denseUnit), half a unit for rounding included
	output []int16 // [Buckets, Dense]
	last   []int32 // [Buckets]: the output's bias, in 1/(unit*outputUnit), half a part for rounding included

	lanes *lanes // for plain Go; nil where assembly runs
}

// A Provenance says where a network comes from, for people and for repeating it.
type Provenance struct {
	Commit    string `json:"commit,omitempty"`    // of the program that learned it
	Command   string `json:"command,omitempty"`   // what learned it
	Seed      uint64 `json:"seed"`                // of its learning
	Games     int64  `json:"games,omitempty"`     // it was learned from
	Positions int64  `json:"positions,omitempty"` // likewise
	Teacher   string `json:"teacher,omitempty"`   // the agent that played them
	Note      string `json:"note,omitempty"`
}

// Game returns the name of the game that the network was learned for.
func (n *Network) Game() string { return n.game }

// Rules returns the canonical text of the rule set that the network was learned for.
func (n *Network) Rules() string { return n.rules }

// Provenance returns where the network comes from.
func (n *Network) Provenance() Provenance { return n.provenance }

// Hidden returns the width of the first layer.
func (n *Network) Hidden() int { return n.hidden }

// Evaluate returns the logit of the expected result for the player to move, in 1/LogitUnit, of a position in the phase Sow
// that is not over. It allocates nothing.
func (n *Network) Evaluate(s *mancala.State) int32 {
	var rows [MaxTables]int32
	bucket := n.layout.Index(s, &rows)
	return n.evaluate(rows[:n.layout.Tables()], bucket)
}

// evaluate returns the logit for the sum of some rows, at least one of them, in a bucket.
func (n *Network) evaluate(rows []int32, bucket int) int32 {
	if n.lanes == nil {
		return n.evaluateVector(rows, bucket)
	}
	return n.evaluateGo(rows, bucket)
}

// finish makes what evaluate needs beside the parameters, which are complete and were checked.
func (n *Network) finish() *Network {
	if !vector {
		n.lanes = n.newLanes()
	}
	return n
}
