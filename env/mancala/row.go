package mancala

// This file is the packed row of pits: a whole row in one word, so that sowing is an addition.

// MaxWidth is the largest number of pits a Row can hold, and MaxSeeds the largest number of seeds that may be on the
// board and in the stores together. Six bits a pit hold up to 63, so no sum of pits ever carries into a neighbour.
const (
	MaxWidth = 10
	MaxSeeds = 60

	// PitBits is the width of a pit's lane in a Row, and PitMask the lane of pit 0.
	PitBits = 6
	PitMask = 1<<PitBits - 1

	// Lanes is a Row with one seed in each of MaxWidth pits. Multiplying by it adds lanes up (see Sum and Prefix).
	Lanes Row = 0x41041041041041
)

// A Row is one player's pits, from the owner's left: pit i occupies bits 6i to 6i+5.
type Row uint64

// At returns the number of seeds in pit i.
func (r Row) At(i int) int { return int(r>>(PitBits*uint(i))) & PitMask }

// With returns the row with n seeds in pit i.
func (r Row) With(i, n int) Row {
	shift := PitBits * uint(i)
	return r&^(PitMask<<shift) | Row(n)<<shift
}

// Prefix returns, in lane i, the number of seeds in the pits 0 to i. The row holds at most MaxSeeds seeds.
func (r Row) Prefix() Row { return r * Lanes & (1<<(PitBits*MaxWidth) - 1) }

// Sum returns the number of seeds in the row.
func (r Row) Sum() int { return r.Prefix().At(MaxWidth - 1) }

// Occupied returns the row with one seed in each pit of r that holds any.
func (r Row) Occupied() Row {
	const low = Lanes * (PitMask >> 1) // all bits of each lane but the highest
	return ((r&low + low) | r) >> (PitBits - 1) & Lanes
}

// Set returns the set of the pits of r that hold any seeds: bit i is pit i.
func (r Row) Set() uint32 {
	// The product collects five lanes' lowest bits, at 0, 6, 12, 18 and 24, in bits 24 to 28.
	const gather = 1<<24 | 1<<19 | 1<<14 | 1<<9 | 1<<4
	const half = MaxWidth / 2
	lanes := r.Occupied()
	low := lanes & (1<<(PitBits*half) - 1) * gather >> 24 & (1<<half - 1)
	high := lanes >> (PitBits * half) * gather >> 24 & (1<<half - 1)
	return uint32(low | high<<half)
}
