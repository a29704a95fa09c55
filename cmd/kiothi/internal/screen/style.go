package screen

import (
	"runtime"
	"strings"

	"charm.land/lipgloss/v2"

	"kiothi/env"
)

// This file is how things look: colours of the terminal's own palette, and the characters that boards are drawn with.

// A look is colours and characters.
type look struct {
	glyphs
	title, faint, bold, cursor, target, sown, mark, south, north, failure lipgloss.Style
}

// glyphs are the characters of a drawing.
type glyphs struct {
	border               lipgloss.Border
	seed, closed, cursor string
	sideways, updown     string // the arrow keys
	spinner              []string
}

var unicodeGlyphs = glyphs{
	border: lipgloss.RoundedBorder(), seed: "●", closed: "░", cursor: "▏", sideways: "←→", updown: "↑↓",
	spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
}

var asciiGlyphs = glyphs{
	border: lipgloss.ASCIIBorder(), seed: "o", closed: "#", cursor: "_", sideways: "left/right", updown: "up/down",
	spinner: []string{"|", "/", "-", "\\"},
}

// newLook returns the look for an environment: without colours when NO_COLOR is set and not empty (no-color.org), and in
// ASCII where the locale says that the terminal knows no other characters.
func newLook(environment []string) look {
	l := look{glyphs: unicodeGlyphs}
	if !utf8Locale(environment) {
		l.glyphs = asciiGlyphs
	}
	style := lipgloss.NewStyle()
	l.title, l.bold, l.cursor = style.Bold(true), style.Bold(true), style.Bold(true).Reverse(true)
	l.target, l.sown, l.failure = style.Bold(true), style.Bold(true), style.Bold(true)
	l.faint, l.mark, l.south, l.north = style.Faint(true), style, style, style
	if !env.ColorOn(true, func(name string) string { return value(environment, name) }) {
		return l
	}
	l.title = l.title.Foreground(lipgloss.Cyan)
	l.target = l.target.Foreground(lipgloss.Magenta)
	l.sown = l.sown.Foreground(lipgloss.Green)
	l.mark = l.mark.Foreground(lipgloss.Yellow)
	l.south = l.south.Foreground(lipgloss.Cyan)
	l.north = l.north.Foreground(lipgloss.Red)
	l.failure = l.failure.Foreground(lipgloss.Red)
	return l
}

// utf8Locale reports whether the locale has all characters. A locale that is not set says nothing; then terminals of
// today have them.
func utf8Locale(environment []string) bool {
	if runtime.GOOS == "windows" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(value(environment, name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return true
}

// value returns the value of a variable, the last of several.
func value(environment []string, name string) string {
	found := ""
	for _, entry := range environment {
		if key, text, _ := strings.Cut(entry, "="); key == name {
			found = text
		}
	}
	return found
}
