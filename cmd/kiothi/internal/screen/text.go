package screen

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
)

// This file fits texts without styles into lines. Whatever stands in them, nothing but letters gets to the terminal.

// spread puts one text to the left and one to the right.
func spread(left, right string, columns int) string {
	left = cut(left, columns-lipgloss.Width(right)-1)
	gap := max(1, columns-lipgloss.Width(left)-lipgloss.Width(right))
	return cut(left+strings.Repeat(" ", gap)+right, columns)
}

// cut shortens a text to so many columns.
func cut(text string, columns int) string {
	if columns <= 0 {
		return ""
	}
	return lipgloss.NewStyle().MaxWidth(columns).Inline(true).Render(clean(text))
}

// clean puts spaces for what cannot be printed.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// wrap breaks a text between words into at most so many lines of so many columns. What does not fit is left out, and dots
// say so.
func wrap(text string, columns, most int) []string {
	if columns <= 0 || most <= 0 {
		return nil
	}
	var lines []string
	line := ""
	add := func(word string) {
		for lipgloss.Width(word) > columns { // a path, mostly
			head := cut(word, columns)
			lines = append(lines, head)
			word = strings.TrimPrefix(word, head)
		}
		line = word
	}
	for word := range strings.FieldsSeq(clean(text)) {
		switch {
		case line == "":
			add(word)
		case lipgloss.Width(line)+1+lipgloss.Width(word) <= columns:
			line += " " + word
		default:
			lines = append(lines, line)
			add(word)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = cut(cut(lines[most-1], columns-3)+"...", columns)
	}
	return lines
}
