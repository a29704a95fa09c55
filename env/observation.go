package env

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
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
	fill func(encoding, []float32)
	read func(encoding, []float32)
}

// encoding is a state on its way into planes, or out of them.
type encoding struct {
	*mancala.State
	width int
	scale float32 // seeds and hands are divided by it
	clock float32 // the clock is divided by it
}

// column returns the place of the mover's relative pit r in a plane.
func (e encoding) column(r int) int {
	if r < e.width {
		return r
	}
	return e.width + 2*e.width - 1 - r
}

func (e encoding) count(v float32) int { return int(math.Round(float64(v * e.scale))) }

// The planes of both games. A plane whose value is the same everywhere is filled everywhere, so that a convolution sees
// it at each pit.
var (
	seedsPlane = Plane{"seeds", "seeds in the pit, divided by the game's scale",
		func(e encoding, p []float32) {
			own, enemy := e.Rows[e.Player], e.Rows[e.Player.Other()]
			for c := range e.width {
				p[c] = float32(own.At(c)) / e.scale
				p[e.width+c] = float32(enemy.At(e.width-1-c)) / e.scale
			}
		},
		func(e encoding, p []float32) {
			own, enemy := &e.Rows[e.Player], &e.Rows[e.Player.Other()]
			for c := range e.width {
				*own = own.With(c, e.count(p[c]))
				*enemy = enemy.With(e.width-1-c, e.count(p[e.width+c]))
			}
		}}
	marksPlane = Plane{"marks", "1 where the pit is protected (an nki): it cannot be captured from",
		func(e encoding, p []float32) { e.fillSet(e.Marks, p) },
		func(e encoding, p []float32) { e.Marks = e.readSet(p) }}
	closedPlane = Plane{"closed", "1 where the hole is closed for the round: nothing is sown into it",
		func(e encoding, p []float32) { e.fillSet(e.Closed, p) },
		func(e encoding, p []float32) { e.Closed = e.readSet(p) }}
	liftedPlane = Plane{"lifted", "1 where the mover has lifted the pit in this opening turn",
		func(e encoding, p []float32) {
			for c := range e.width {
				p[c] = float32(e.Lifted >> c & 1)
				p[e.width+c] = 0
			}
		},
		func(e encoding, p []float32) {
			for c := range e.width {
				e.Lifted |= uint16(p[c]) << c
			}
		}}
	placedPlane = Plane{"placed", "1 at the pit in which the mover last placed a seed in this opening turn",
		func(e encoding, p []float32) {
			clear(p)
			if e.Last != mancala.NoPit {
				p[e.column(int(e.Last))] = 1
			}
		},
		func(e encoding, p []float32) {
			for r := range 2 * e.width {
				if p[e.column(r)] != 0 {
					e.Last = int8(r)
				}
			}
		}}
	handPlane = Plane{"hand", "seeds in the mover's hand, divided by the game's scale, everywhere",
		func(e encoding, p []float32) { fillAll(p, float32(e.Hand)/e.scale) },
		func(e encoding, p []float32) { e.Hand = uint8(e.count(p[0])) }}
	storesPlane = Plane{"stores", "seeds in the store of the row's owner, divided by the game's scale, along the row",
		func(e encoding, p []float32) {
			fillAll(p[:e.width], float32(e.Stores[e.Player])/e.scale)
			fillAll(p[e.width:], float32(e.Stores[e.Player.Other()])/e.scale)
		},
		func(e encoding, p []float32) {
			e.Stores[e.Player] = uint8(e.count(p[0]))
			e.Stores[e.Player.Other()] = uint8(e.count(p[e.width]))
		}}
	liftPlane = Plane{"lift", "1 everywhere while the mover lifts pits in the opening",
		func(e encoding, p []float32) { fillAll(p, isPhase(e, mancala.Lift)) },
		func(e encoding, p []float32) {
			if p[0] != 0 {
				e.Phase = mancala.Lift
			}
		}}
	placePlane = Plane{"place", "1 everywhere while the mover places seeds in the opening",
		func(e encoding, p []float32) { fillAll(p, isPhase(e, mancala.Place)) },
		func(e encoding, p []float32) {
			if p[0] != 0 {
				e.Phase = mancala.Place
			}
		}}
	openingPlane = Plane{"opening", "opening turns left, the current one included, divided by 2, everywhere",
		func(e encoding, p []float32) { fillAll(p, float32(e.Opening)/2) },
		func(e encoding, p []float32) { e.Opening = uint8(2 * p[0]) }}
	clockPlane = Plane{"clock", "turns since the last capture, divided by the rule set's limit, everywhere",
		func(e encoding, p []float32) { fillAll(p, float32(e.Clock)/e.clock) },
		func(e encoding, p []float32) { e.Clock = uint16(math.Round(float64(p[0] * e.clock))) }}
)

// planesOf lists the planes of each game, by name, and the scale of its seed counts.
var planesOf = map[string]struct {
	scale  float32
	planes []Plane
}{
	"kiothi": {mancala.MaxSeeds, []Plane{seedsPlane, marksPlane, liftedPlane, placedPlane, handPlane, storesPlane,
		liftPlane, placePlane, openingPlane, clockPlane}},
	"rio-kadalis": {48, []Plane{seedsPlane, closedPlane, storesPlane, clockPlane}},
}

func isPhase(e encoding, p mancala.Phase) float32 {
	if e.Phase == p {
		return 1
	}
	return 0
}

func fillAll(p []float32, v float32) {
	for i := range p {
		p[i] = v
	}
}

// fillSet writes a set of absolute pits.
func (e encoding) fillSet(set uint32, p []float32) {
	own, enemy := set, set>>e.width
	if e.Player == mancala.North {
		own, enemy = enemy, own
	}
	for c := range e.width {
		p[c] = float32(own >> c & 1)
		p[e.width+c] = float32(enemy >> (e.width - 1 - c) & 1)
	}
}

// readSet is fillSet's inverse.
func (e encoding) readSet(p []float32) uint32 {
	var set uint32
	for r := range 2 * e.width {
		if p[e.column(r)] != 0 {
			set |= 1 << mancala.Absolute(e.Player, r, e.width)
		}
	}
	return set
}

// An Observer writes the observations of one game. It is immutable and safe for concurrent use.
type Observer struct {
	game   mancala.Game
	planes []Plane
	scale  float32
}

// NewObserver returns the observer of a game. It fails for a game that has no planes here.
func NewObserver(g mancala.Game) (*Observer, error) {
	of, ok := planesOf[g.Name()]
	if !ok {
		return nil, fmt.Errorf("game %q has no observation planes", g.Name())
	}
	return &Observer{game: g, planes: of.planes, scale: of.scale}, nil
}

// Planes returns the planes in their order.
func (o *Observer) Planes() []Plane { return o.planes }

// Size returns the number of values in an observation: planes × 2 × W.
func (o *Observer) Size() int { return len(o.planes) * 2 * o.game.Width() }

// Observe writes the observation [planes, 2, W] of a state into dst, which has Size() entries. It allocates nothing.
func (o *Observer) Observe(dst []float32, s *mancala.State) {
	e := o.encoding(s)
	for i, size := 0, 2*e.width; i < len(o.planes); i++ {
		o.planes[i].fill(e, dst[i*size:(i+1)*size])
	}
}

// State rebuilds the state that player p, to move, observed. The observation does not tell the seats apart, so the
// player is given. It fails when the values are no observation of a position of the game.
func (o *Observer) State(observation []float32, p mancala.Player) (mancala.State, error) {
	if len(observation) != o.Size() {
		return mancala.State{}, fmt.Errorf("observation of %d values, expected %d planes × 2 × %d = %d",
			len(observation), len(o.planes), o.game.Width(), o.Size())
	}
	for i, v := range observation {
		if !(v >= 0 && v <= 1) {
			return mancala.State{}, fmt.Errorf("observation value %d is %v, expected 0 to 1", i, v)
		}
	}
	s := mancala.State{Player: p, Last: mancala.NoPit}
	e := o.encoding(&s)
	for i, size := 0, 2*e.width; i < len(o.planes); i++ {
		o.planes[i].read(e, observation[i*size:(i+1)*size])
	}
	// The planes leave out what follows from the rest: whether the game is over. Reading the position's text fills it in
	// and refuses what cannot be. An opening seen from the chair of the other player has no text of its own.
	swap := s.Opening != 0 && s.Opening != 2-uint8(p)
	if swap {
		s = s.Swapped(e.width)
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
		full = full.Swapped(e.width)
	}
	return full, nil
}

func (o *Observer) encoding(s *mancala.State) encoding {
	return encoding{State: s, width: o.game.Width(), scale: o.scale, clock: float32(o.game.ClockLimit())}
}
