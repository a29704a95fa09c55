// This file is what the options of both steps have in common: their bounds, and what differs between two.

package distill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// whole refuses an option outside of its bounds.
func whole(name string, found, least, most int) error {
	if found < least || found > most {
		return fmt.Errorf("%s: found %d, expected %d to %d", name, found, least, most)
	}
	return nil
}

// part refuses an option that is no part of a whole.
func part(name string, found float64) error {
	if !(found >= 0 && found <= 1) {
		return fmt.Errorf("%s: found %v, expected 0 to 1", name, found)
	}
	return nil
}

// A field is an option as it is written to a file.
type field struct {
	name  string
	value json.RawMessage
}

// fields returns what is written of options, in order.
func fields(options any) []field {
	data, err := json.Marshal(options)
	if err != nil {
		panic("distill: options that cannot be written: " + err.Error())
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	var all []field
	for {
		token, err := decoder.Token()
		if err != nil {
			return all
		}
		name, ok := token.(string)
		if !ok {
			continue // a brace
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return all
		}
		all = append(all, field{name, value})
	}
}

// difference says which options that are written to files differ, and how; "" if none does.
func difference(found, expected any) string {
	before, after := map[string]string{}, map[string]string{}
	var names []string
	for _, side := range []struct {
		options any
		values  map[string]string
	}{{found, before}, {expected, after}} {
		for _, f := range fields(side.options) {
			if _, known := before[f.name]; !known {
				names = append(names, f.name)
			}
			side.values[f.name] = string(f.value)
		}
	}
	var all []string
	for _, name := range names {
		if before[name] != after[name] {
			all = append(all, fmt.Sprintf("%s: found %s, expected %s", name, orNone(before[name]), orNone(after[name])))
		}
	}
	return strings.Join(all, ", ")
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
