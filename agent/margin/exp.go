package margin

import "math"

// exp returns e^x for x ≤ 0, to some units in the last place, and 0 where that is below the smallest normal number. The
// network's every judgement asks for one a bin, and package math, in float64, takes twice as long.
//
// It is 2^n·e^r with a whole n and |r| ≤ ln(2)/2, and e^r by its Taylor series, whose next term is below 2^-23.
func exp(x float32) float32 {
	if !(x > -87) { // e^-87.3 is the smallest normal number
		return 0
	}
	const high, low = 0.693359375, -2.12194440e-4 // ln 2 in two parts: n·high has no rounding error
	n := int32(x*math.Log2E - 0.5)                // towards 0, so that it is the nearest
	r := x - float32(n)*high - float32(n)*low
	series := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720))))))
	return series * math.Float32frombits(uint32(n+127)<<23)
}
