package durable

import (
	"encoding/json"
	"io"
)

// This file writes files whose content is at hand.

// WriteBytes writes a whole file.
func WriteBytes(path string, content []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteJSON writes a value as JSON for people to read: indented by two spaces, with a line feed at the end.
func WriteJSON(path string, value any) error {
	return WriteFile(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	})
}
