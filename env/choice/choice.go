// Package choice is about words of which one is chosen. It makes the error for a word that is not one of the valid ones: it
// lists those and suggests the nearest.
package choice

import (
	"fmt"
	"strings"
)

// Unknown returns an error that says that got is no valid kind, which word it may have been meant to be, and which words
// there are. An example: unknown game "kiotih", did you mean "kiothi"? Valid games: kiothi, rio-kadalis.
// A long got is cut.
func Unknown(kind, got string, valid []string) error {
	got = Cut(got)
	near := ""
	if word, ok := Nearest(got, valid); ok {
		near = fmt.Sprintf(", did you mean %q?", word)
	}
	if near == "" {
		near = "."
	}
	return fmt.Errorf("unknown %s %q%s Valid %s: %s", kind, got, near, plural(kind), strings.Join(valid, ", "))
}

// Name returns the name of a numbered choice, for its String method. A number that has none is written as kind(number).
func Name(kind string, names []string, number int) string {
	if number < 0 || number >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, number)
	}
	return names[number]
}

// Cut shortens a word that others gave, for errors that show it. What is cut ends in three dots.
func Cut(word string) string {
	const most = 60 // bytes, which hold the words that there are
	if len(word) <= most {
		return word
	}
	return strings.ToValidUTF8(word[:most], "?") + "..."
}

// plural returns the plural of a kind: of its first noun where more is said of that, as in "source of positions".
func plural(kind string) string {
	noun, rest, of := strings.Cut(kind, " of ")
	if of {
		rest = " of " + rest
	}
	if stem, ok := strings.CutSuffix(noun, "axis"); ok {
		return stem + "axes" + rest
	}
	return noun + "s" + rest
}

// Nearest returns the valid word with the smallest edit distance to got, the first of equals. It reports false when no
// word is near enough to be a likely slip of the hand.
func Nearest(got string, valid []string) (string, bool) {
	best, at := len(got)/2+1, -1
	for i, word := range valid {
		if d := distance(strings.ToLower(got), strings.ToLower(word)); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		for i, word := range valid {
			if got != "" && (strings.HasPrefix(word, got) || strings.HasPrefix(got, word) && word != "") {
				return valid[i], true
			}
		}
		return "", false
	}
	return valid[at], true
}

// distance returns the number of single-byte insertions, deletions and substitutions that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
