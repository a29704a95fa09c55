package env

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the observation: planes over the board, from the side of the player to move, from which the whole
// position can be rebuilt.
//
// The board is two rows of W columns. Row 0 is the mover's, pit 0 (the mover's leftmost) first; row 1 is the enemy's, so
// that facing pits share a column: column c of row 1 is the pit with relative index 2W-1-c. Seeds travel along row 0 to
// the right and come back along row 1 to the left.

// A Plane is one [2, W] layer of the observation. All values lie between 0 and 1.
type Plane struct {
	Name string
	Doc  string // what a value means, and its unit

	// fill writes the values of a state that are not zero into a plane of zeros, and read puts what they say into a state
	// in which it is not yet. The state belongs to the player to move.
	fill func(o *Observer, s *mancala.State, p []float32)
	read func(o *Observer, s *mancala.State, p []float32)
}

// The planes of both games. A plane whose value is the same everywhere is filled everywhere, so that a convolution sees
// it at each pit.
var (
	seedsPlane = Plane{"seeds", "seeds in the pit, divided by the game's scale",
		func(o *Observer, s *mancala.State, p []float32) {
			own, enemy := s.Rows[s.Player&1], s.Rows[s.Player&1^1]
			p = p[:2*o.width]
			for c := range o.width {
				p[c] = o.counts[own&mancala.PitMask]
				p[len(p)-1-c] = o.counts[enemy&mancala.PitMask]
				own >>= mancala.PitBits
				enemy >>= mancala.PitBits
			}
		},
		func(o *Observer, s *mancala.State, p []float32) {
			own, enemy := &s.Rows[s.Player], &s.Rows[s.Player.Other()]
			for c := range o.width {
				*own = own.With(c, o.count(p[c]))
				*enemy = enemy.With(o.width-1-c, o.count(p[o.width+c]))
			}
		}}
	marksPlane = Plane{"marks", "1 where the pit is protected (an nki): it cannot be captured from",
		func(o *Observer, s *mancala.State, p []float32) { o.fillSet(s, s.Marks, p) },
		func(o *Observer, s *mancala.State, p []float32) { s.Marks = o.readSet(s, p) }}
	closedPlane = Plane{"closed", "1 where the hole is closed for the round: nothing is sown into it",
		func(o *Observer, s *mancala.State, p []float32) { o.fillSet(s, s.Closed, p) },
		func(o *Observer, s *mancala.State, p []float32) { s.Closed = o.readSet(s, p) }}
	liftedPlane = Plane{"lifted", "1 where the mover has lifted the pit in this opening turn",
		func(_ *Observer, s *mancala.State, p []float32) {
			for set := s.Lifted; set != 0; set &= set - 1 {
				p[bits.TrailingZeros16(set)] = 1
			}
		},
		func(o *Observer, s *mancala.State, p []float32) {
			for c := range o.width {
				s.Lifted |= uint16(p[c]) << c
			}
		}}
	placedPlane = Plane{"placed", "1 at the pit in which the mover last placed a seed in this opening turn",
		func(o *Observer, s *mancala.State, p []float32) {
			if s.Last != mancala.NoPit {
				p[o.column(int(s.Last))] = 1
			}
		},
		func(o *Observer, s *mancala.State, p []float32) {
			for r := range 2 * o.width {
				if p[o.column(r)] != 0 {
					s.Last = int8(r)
				}
			}
		}}
	handPlane = Plane{"hand", "seeds in the mover's hand, divided by the game's scale, everywhere",
		func(o *Observer, s *mancala.State, p []float32) { fillAll(p, o.counts[s.Hand&mancala.PitMask]) },
		func(o *Observer, s *mancala.State, p []float32) { s.Hand = uint8(o.count(p[0])) }}
	storesPlane = Plane{"stores", "seeds in the store of the row's owner, divided by the game's scale, along the row",
		func(o *Observer, s *mancala.State, p []float32) {
			fillAll(p[:o.width], o.counts[s.Stores[s.Player&1]&mancala.PitMask])
			fillAll(p[o.width:], o.counts[s.Stores[s.Player&1^1]&mancala.PitMask])
		},
		func(o *Observer, s *mancala.State, p []float32) {
			s.Stores[s.Player] = uint8(o.count(p[0]))
			s.Stores[s.Player.Other()] = uint8(o.count(p[o.width]))
		}}
	liftPlane = Plane{"lift", "1 everywhere while the mover lifts pits in the opening",
		func(_ *Observer, s *mancala.State, p []float32) { fillPhase(s, mancala.Lift, p) },
		func(_ *Observer, s *mancala.State, p []float32) { readPhase(s, mancala.Lift, p) }}
	placePlane = Plane{"place", "1 everywhere while the mover places seeds in the opening",
		func(_ *Observer, s *mancala.State, p []float32) { fillPhase(s, mancala.Place, p) },
		func(_ *Observer, s *mancala.State, p []float32) { readPhase(s, mancala.Place, p) }}
	openingPlane = Plane{"opening", "opening turns left, the current one included, divided by 2, everywhere",
		func(_ *Observer, s *mancala.State, p []float32) { fillAll(p, float32(s.Opening)/2) },
		func(_ *Observer, s *mancala.State, p []float32) { s.Opening = uint8(2 * p[0]) }}
	clockPlane = Plane{"clock", "turns since the last capture, divided by the rule set's limit, everywhere",
		func(o *Observer, s *mancala.State, p []float32) { fillAll(p, float32(s.Clock)/o.clock) },
		func(o *Observer, s *mancala.State, p []float32) {
			s.Clock = uint16(math.Round(float64(p[0] * o.clock)))
		}}
)

// planesOf lists the planes of each game, by name, and the scale of its seed counts.
var planesOf = map[string]struct {
	scale  float32
	planes []Plane
}{
	kiothi.Name: {mancala.MaxSeeds, []Plane{seedsPlane, marksPlane, liftedPlane, placedPlane, handPlane, storesPlane,
		liftPlane, placePlane, openingPlane, clockPlane}},
	riokadalis.Name: {riokadalis.MaxStones, []Plane{seedsPlane, closedPlane, storesPlane, clockPlane}},
}

// fillAll writes one value everywhere.
func fillAll(p []float32, v float32) {
	if v == 0 {
		return
	}
	for i := range p {
		p[i] = v
	}
}

func fillPhase(s *mancala.State, phase mancala.Phase, p []float32) {
	if s.Phase == phase {
		fillAll(p, 1)
	}
}

func readPhase(s *mancala.State, phase mancala.Phase, p []float32) {
	if p[0] != 0 {
		s.Phase = phase
	}
}

// An Observer writes the observations of one game. It is immutable and safe for concurrent use.
type Observer struct {
	game   mancala.Game
	planes []Plane
	width  int
	scale  float32                      // seeds and hands are divided by it
	clock  float32                      // the clock is divided by it
	counts [mancala.PitMask + 1]float32 // what each number of seeds is divided to
}

// errNoGame says that there is none, mostly because an error of games.Open was not looked at.
var errNoGame = errors.New("the game is nil, expected one that games.Open has returned")

// NewObserver returns the observer of a game. It fails for a game that has no planes here.
func NewObserver(g mancala.Game) (*Observer, error) {
	if g == nil {
		return nil, errNoGame
	}
	of, ok := planesOf[g.Name()]
	if !ok {
		return nil, fmt.Errorf("game %q has no observation planes", g.Name())
	}
	o := &Observer{game: g, planes: of.planes, width: g.Width(), scale: of.scale, clock: float32(g.ClockLimit())}
	for n := range o.counts {
		o.counts[n] = float32(n) / o.scale
	}
	return o, nil
}

// column returns the place of the mover's relative pit r in a plane.
func (o *Observer) column(r int) int {
	if r < o.width {
		return r
	}
	return o.width + 2*o.width - 1 - r
}

// count returns the number of seeds that a value stands for.
func (o *Observer) count(v float32) int { return int(math.Round(float64(v * o.scale))) }

// fillSet writes a set of absolute pits.
func (o *Observer) fillSet(s *mancala.State, set uint32, p []float32) {
	for ; set != 0; set &= set - 1 {
		p[o.column(mancala.Relative(s.Player, bits.TrailingZeros32(set), o.width))] = 1
	}
}

// readSet is fillSet's inverse.
func (o *Observer) readSet(s *mancala.State, p []float32) uint32 {
	var set uint32
	for r := range 2 * o.width {
		if p[o.column(r)] != 0 {
			set |= 1 << mancala.Absolute(s.Player, r, o.width)
		}
	}
	return set
}

// Scale returns the number of seeds that a value of 1 stands for in the planes of seeds.
func (o *Observer) Scale() int { return int(o.scale) }

// Planes returns the planes in their order.
func (o *Observer) Planes() []Plane { return o.planes }

// Size returns the number of values in an observation: planes × 2 × W.
func (o *Observer) Size() int { return len(o.planes) * 2 * o.width }

// Observe writes the observation [planes, 2, W] of a state into dst, which has Size() entries. It allocates nothing.
func (o *Observer) Observe(dst []float32, s *mancala.State) {
	clear(dst[:o.Size()])
	for i, size := 0, 2*o.width; i < len(o.planes); i++ {
		o.planes[i].fill(o, s, dst[i*size:(i+1)*size])
	}
}

// State rebuilds the state that player p, to move, observed. The observation does not tell the seats apart, so the
// player is given. It fails when the values are not exactly those that Observe writes of a position of the game.
func (o *Observer) State(observation []float32, p mancala.Player) (mancala.State, error) {
	if p > mancala.North {
		return mancala.State{}, fmt.Errorf("player %d, expected %d (South) or %d (North)", p, mancala.South, mancala.North)
	}
	if len(observation) != o.Size() {
		return mancala.State{}, fmt.Errorf("observation of %d values, expected %d planes × 2 × %d = %d",
			len(observation), len(o.planes), o.width, o.Size())
	}
	if err := checkValues(observation); err != nil {
		return mancala.State{}, err
	}
	s := mancala.State{Player: p, Last: mancala.NoPit}
	for i, size := 0, 2*o.width; i < len(o.planes); i++ {
		o.planes[i].read(o, &s, observation[i*size:(i+1)*size])
	}
	// The planes leave out what follows from the rest: whether the game is over. Reading the position's text fills it in
	// and refuses what cannot be. An opening seen from the chair of the other player has no text of its own.
	swap := s.Opening != 0 && s.Opening != 2-uint8(p)
	if swap {
		s = s.Swapped(o.width)
	}
	position := o.game.Format(&s)
	full, err := o.game.Parse(position)
	if err != nil {
		return mancala.State{}, err
	}
	if s.End = full.End; s != full {
		return mancala.State{}, fmt.Errorf("the observation's planes contradict each other; the nearest position is %q", position)
	}
	if swap {
		full = full.Swapped(o.width)
	}
	// A plane may say the same thing in many places, of which one was read, and a value may lie between two counts.
	again := make([]float32, o.Size())
	o.Observe(again, &full)
	if err := compareValues(observation, again, position); err != nil {
		return mancala.State{}, err
	}
	return full, nil
}

// checkValues refuses values that no plane holds.
func checkValues(observation []float32) error {
	for i, v := range observation {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("observation value %d is %v, expected 0 to 1", i, v)
		}
	}
	return nil
}

// compareValues refuses values that are not those of what was read from them.
func compareValues(got, want []float32, read string) error {
	for i, v := range got {
		if v != want[i] {
			return fmt.Errorf("observation value %d is %v, expected %v as in the observation of %q, which is the nearest", i, v, want[i], read)
		}
	}
	return nil
}
