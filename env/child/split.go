package child

import (
	"fmt"
	"strings"
)

// Split splits a command line into words at white space. Quotes, single or double, keep it in a word; nothing else is
// special, so that C:\my engine\e.exe needs quotes and no more. The first word, the program, is not empty.
func Split(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	quote := rune(0)
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%s: a quote %c is never closed", text, quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, fmt.Errorf("it is empty, expected a program and its arguments")
	}
	return words, nil
}
