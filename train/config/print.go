package config

import (
	"fmt"
	"io"
	"strings"
)

// This file writes configurations for people to read and change.

// printWidth is the width to which comments are broken.
const printWidth = 100

// Print writes a configuration as TOML, with the meaning and the range of every key beside it. Parse reads it back to an
// equal one.
func Print(w io.Writer, c Config) error {
	var b strings.Builder
	standard := Default()
	for i, section := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		comment(&b, section.doc)
		if section.name != "" {
			fmt.Fprintf(&b, "[%s]\n", section.name)
		}
		for i := range keys {
			k := &keys[i]
			if k.section() != section.name {
				continue
			}
			b.WriteByte('\n')
			comment(&b, k.Doc)
			note := fmt.Sprintf("Valid: %s. Default: %s.", k.Values, k.format(&standard))
			if k.Resume {
				note += " May change when a run goes on."
			}
			comment(&b, note)
			fmt.Fprintf(&b, "%s = %s\n", k.local(), k.format(&c))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// comment writes a text as TOML comments of at most printWidth bytes a line, where its words allow.
func comment(b *strings.Builder, text string) {
	width := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width == 0:
			b.WriteString("# ")
			width = 2
		case width+1+len(word) > printWidth:
			b.WriteString("\n# ")
			width = 2
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	b.WriteByte('\n')
}
