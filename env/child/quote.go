package child

import (
	"strings"
	"unicode"
)

// Quote writes a word so that a shell takes it as it is, for commands that a person is to copy. It is the counterpart of Split,
// which reads it back.
func Quote(word string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-+=:,./@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}
