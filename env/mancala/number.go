package mancala

import (
	"fmt"
	"strconv"
)

// Number reads a whole number from low to high in its only spelling: digits alone, without leading zeros or a sign, so
// that what is read prints back the same.
func Number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	if n < low || n > high {
		return 0, fmt.Errorf("%d is not from %d to %d", n, low, high)
	}
	return n, nil
}
