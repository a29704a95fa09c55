package mancala

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Number reads a whole number from low to high in its only spelling: digits alone, without leading zeros or a sign, so
// that what is read prints back the same.
func Number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) && strings.Trim(text, "0123456789") == "" && text[0] != '0' {
		return 0, fmt.Errorf("%s is not from %d to %d", text, low, high)
	}
	if err != nil || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	if n < low || n > high {
		return 0, fmt.Errorf("%d is not from %d to %d", n, low, high)
	}
	return n, nil
}
