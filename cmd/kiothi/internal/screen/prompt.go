package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file is a line that is being typed.

// A prompt is a line that is being typed, and what for.
type prompt struct {
	purpose  purpose
	text     string
	replaced string // save: the file that one more Enter replaces
}

// A purpose says what a line is typed for.
type purpose int

const (
	toMove purpose = iota
	toSave
	toLoad
)

// label stands before the line.
func (p *prompt) label() string {
	return [...]string{toMove: "move", toSave: "save to file", toLoad: "load from file"}[p.purpose]
}

// longestLine is how many bytes can be typed.
const longestLine = 1000

// insert adds text, as far as it can be printed.
func (p *prompt) insert(text string) {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if len(p.text)+len(text) <= longestLine {
		p.text += text
	}
}

// erase removes the last letter.
func (p *prompt) erase() {
	_, size := utf8.DecodeLastRuneInString(p.text)
	p.text = p.text[:len(p.text)-size]
}

// shown returns the end of the line that so many columns have room for.
func (p *prompt) shown(columns int) string {
	letters := []rune(p.text)
	if most := columns - len(p.label()) - 4; len(letters) > most {
		letters = letters[len(letters)-max(0, most):]
	}
	return string(letters)
}
