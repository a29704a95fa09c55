package screen

import (
	"fmt"
	"slices"
	"time"

	"kiothi/env/choice"
)

// This file is how fast things happen on the screen.

// A Speed says how a sowing is shown. It is a flag's value.
type Speed int

// The speeds.
const (
	Slow   Speed = iota // seed by seed, to follow with the finger
	Normal              // seed by seed
	Fast                // lap by lap
	Off                 // the result at once
)

// SpeedNames lists the names of the speeds, in their order.
var SpeedNames = []string{"slow", "normal", "fast", "off"}

// String returns the speed's name.
func (s Speed) String() string { return SpeedNames[s] }

// Set reads a speed's name.
func (s *Speed) Set(text string) error {
	i := slices.Index(SpeedNames, text)
	if i < 0 {
		return choice.Unknown("speed", text, SpeedNames)
	}
	*s = Speed(i)
	return nil
}

// Type returns what the value is called in the help of the command line.
func (s *Speed) Type() string { return "speed" }

// change returns the next faster or slower speed, the same at the ends.
func (s Speed) change(by int) Speed { return min(max(s+Speed(by), Slow), Off) }

// step returns how long one step of a sowing stays on the screen, when so many were shown before it: a long relay gets
// faster and faster.
func (s Speed) step(shown int) time.Duration {
	base := [...]time.Duration{Slow: 350 * time.Millisecond, Normal: 110 * time.Millisecond, Fast: 220 * time.Millisecond, Off: 0}[s]
	return max(base/time.Duration(1+shown/40), 12*time.Millisecond)
}

// rest returns how long the board stays as it is between two turns of agents that are being watched.
func (s Speed) rest() time.Duration {
	return [...]time.Duration{1500 * time.Millisecond, 700 * time.Millisecond, 250 * time.Millisecond, 20 * time.Millisecond}[s]
}

// label says the speed for the title line.
func (s Speed) label() string { return fmt.Sprintf("speed %s", s) }
