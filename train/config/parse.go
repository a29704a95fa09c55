package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kiothi/env/choice"
	"kiothi/env/durable"
)

// This file reads configurations: from TOML, and from the command line.

// maxFile is the largest configuration that is read, in bytes.
const maxFile = 1 << 20

// Load reads a file of TOML on top of base, which stays as it is: keys that the file does not have keep base's values.
// The result is valid.
func Load(path string, base Config) (Config, error) {
	data, err := durable.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("reading the configuration: %w; expected a file such as kiothi train --print-config prints", err)
	}
	if err != nil {
		return Config{}, fmt.Errorf("reading the configuration: %w", err)
	}
	c, err := Parse(data, base)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Parse reads TOML on top of base, as Load does.
func Parse(data []byte, base Config) (Config, error) {
	c := base.Clone()
	if err := decodeInto(data, &c); err != nil {
		return Config{}, err
	}
	if err := c.Validate(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// decodeInto reads TOML without a look at the values.
func decodeInto(data []byte, c *Config) error {
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(c); err != nil {
		return explain(data, err)
	}
	return nil
}

// Override sets one key from text, as in --set training.batch=256: strings without quotes, lists with semicolons between
// their parts. It checks the value alone; Validate checks what has to go together.
func (c *Config) Override(name, value string) error {
	k := find(name)
	if k == nil {
		return unknown(name)
	}
	changed := c.Clone()
	if err := k.set(&changed, value); err != nil || !k.valid(k.get(&changed)) {
		return invalid(name, fmt.Sprintf("%q", value), k.Values)
	}
	*c = changed
	return nil
}

// Set applies text of the form key=value, as it stands on the command line.
func (c *Config) Set(assignment string) error {
	name, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("found %q, expected key=value, such as training.batch=256", assignment)
	}
	return c.Override(strings.TrimSpace(name), strings.TrimSpace(value))
}

// explain turns the parser's error into one that speaks of keys.
func explain(data []byte, err error) error {
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) {
		var errs []error
		for i := range missing.Errors {
			e := &missing.Errors[i]
			errs = append(errs, fmt.Errorf("%w\n%s", unknown(strings.Join(e.Key(), ".")), e.String()))
		}
		return errors.Join(errs...)
	}
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return err
	}
	row, column := decode.Position()
	name := strings.Join(decode.Key(), ".")
	// Of a value of the wrong type the parser speaks in Go's types; of a key that stands twice it speaks well.
	if k := find(name); k != nil && !strings.Contains(decode.Error(), "already") {
		return fmt.Errorf("line %d: %w", row, invalid(name, strings.TrimSpace(line(data, row)), k.Values))
	}
	if slices.ContainsFunc(keys, func(k Key) bool { return k.section() == name && name != "" }) {
		return fmt.Errorf("line %d: %w", row, invalid(name, strings.TrimSpace(line(data, row)), "a section: ["+name+"], and its keys below"))
	}
	return fmt.Errorf("line %d, column %d: expected TOML\n%s", row, column, decode.String())
}

// unknown returns the error for a key that does not exist.
func unknown(name string) error {
	suggestion := ""
	if near, ok := nearest(name); ok {
		suggestion = fmt.Sprintf(", did you mean %q?", near)
	}
	return fmt.Errorf("unknown key %q%s (kiothi train --print-config lists all keys)", name, suggestion)
}

// nearest returns the key or section that a name may have been meant to be.
func nearest(name string) (string, bool) {
	names := make([]string, 0, len(keys)+len(sections))
	for i := range keys {
		// A key in the wrong section, or without one, is a likelier slip than a misspelt one.
		if k := &keys[i]; k.local() == name[strings.LastIndexByte(name, '.')+1:] {
			return k.Name, true
		}
		names = append(names, keys[i].Name)
	}
	for _, s := range sections[1:] {
		names = append(names, s.name)
	}
	return choice.Nearest(name, names)
}

// line returns a line of a text, the first being 1.
func line(data []byte, n int) string {
	lines := strings.Split(string(data), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}
