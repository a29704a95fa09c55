package plot

import (
	"math"
	"strconv"
	"strings"
)

// This file chooses the ticks of an axis.

// An axis is a range of numbers and the ticks in it.
type axis struct {
	min, max float64
	ticks    []tick
}

// A tick is a number and how it is written.
type tick struct {
	value float64
	label string
}

// newAxis returns an axis for numbers from low to high with ticks at round numbers, so that there are at most so
// many steps from tick to tick. Margins, in shares of the
// range, are added below and above, so that nothing is drawn at the very edge.
func newAxis(low, high float64, most int, below, above float64) axis {
	if !(high > low) {
		half := math.Max(math.Abs(low)*0.05, 0.5)
		low, high = low-half, high+half
	}
	span := high - low
	a := axis{min: low - below*span, max: high + above*span}
	step := roundStep((a.max - a.min) / float64(most))
	unit, letter := 1.0, ""
	switch largest := math.Max(math.Abs(a.min), math.Abs(a.max)); {
	case largest >= 2e6:
		unit, letter = 1e6, "M"
	case largest >= 1e4:
		unit, letter = 1e3, "k"
	}
	decimals := 0
	if exponent := math.Floor(math.Log10(step/unit) + 1e-9); exponent < 0 {
		decimals = int(-exponent)
	}
	for i := math.Ceil(a.min/step - 1e-9); i*step <= a.max+1e-9*step; i++ {
		label := number(i*step/unit, decimals) + letter
		if i == 0 && letter != "" {
			label = "0"
		}
		a.ticks = append(a.ticks, tick{i * step, label})
	}
	return a
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, times := range []float64{1, 2, 5} {
		if x <= times*power*(1+1e-9) {
			return times * power
		}
	}
	return 10 * power
}

// number writes a number with a true minus, and zero without one.
func number(x float64, decimals int) string {
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		if strings.Trim(digits, "0.") == "" {
			return digits
		}
		return "−" + digits
	}
	return text
}

// at returns where a number is on the axis, from 0 to 1.
func (a *axis) at(x float64) float64 { return (x - a.min) / (a.max - a.min) }
