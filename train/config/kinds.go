package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file is the kinds of keys: how each is checked, read from the command line, and written.

func whole(name, doc string, low, high int, field func(*Config) *int) Key {
	return Key{
		Name: name, Doc: doc, Values: fmt.Sprintf("a whole number from %d to %d", low, high),
		field: func(c *Config) any { return field(c) },
		valid: func(v any) bool { return low <= v.(int) && v.(int) <= high },
	}
}

func even(name, doc string, low, high int, field func(*Config) *int) Key {
	return accept(whole(name, doc, low, high, field), fmt.Sprintf("an even number from %d to %d", low, high),
		func(v any) bool { return v.(int)%2 == 0 })
}

func seed(name, doc string, field func(*Config) *uint64) Key {
	return Key{
		Name: name, Doc: doc, Values: "a whole number from 0 to " + strconv.Itoa(maxSeed),
		field: func(c *Config) any { return field(c) },
		valid: func(v any) bool { return v.(uint64) <= maxSeed },
	}
}

func real(name, doc string, low, high float64, field func(*Config) *float64) Key {
	return Key{
		Name: name, Doc: doc, Values: fmt.Sprintf("a number from %v to %v", low, high),
		field: func(c *Config) any { return field(c) },
		valid: func(v any) bool { return low <= v.(float64) && v.(float64) <= high }, // not a number is not
	}
}

func positive(name, doc string, high float64, field func(*Config) *float64) Key {
	return accept(real(name, doc, 0, high, field), fmt.Sprintf("a number above 0, at most %v", high),
		func(v any) bool { return v.(float64) > 0 })
}

// chance is a chance of error of a test.
func chance(name, doc string, field func(*Config) *float64) Key {
	return accept(real(name, doc, 1e-9, 0.5, field), "a number from 1e-9, below 0.5", func(v any) bool { return v.(float64) < 0.5 })
}

func word(name, doc string, field func(*Config) *string, words ...string) Key {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return Key{
		Name: name, Doc: doc, Values: strings.Join(quoted, " or "),
		field: func(c *Config) any { return field(c) },
		valid: func(v any) bool { return slices.Contains(words, v.(string)) },
	}
}

func text(name, doc, values string, field func(*Config) *string) Key {
	return Key{
		Name: name, Doc: doc, Values: values,
		field: func(c *Config) any { return field(c) },
		valid: func(v any) bool { return printable(v.(string)) },
	}
}

func texts(name, doc, values string, field func(*Config) *[]string) Key {
	return Key{
		Name: name, Doc: doc, Values: values,
		field: func(c *Config) any { return field(c) },
		valid: func(v any) bool {
			return !slices.ContainsFunc(v.([]string), func(s string) bool { return s == "" || !printable(s) })
		},
	}
}

// printable reports whether a text has no character that a terminal or TOML would take amiss.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) })
}

// accept narrows a key's values, or only says them otherwise.
func accept(k Key, values string, also func(any) bool) Key {
	k.Values = values
	if valid := k.valid; also != nil {
		k.valid = func(v any) bool { return valid(v) && also(v) }
	}
	return k
}

// resumable lets a key change when a run goes on.
func resumable(k Key) Key {
	k.Resume = true
	return k
}

// section returns the part of the name before the dot, "" when there is none.
func (k *Key) section() string {
	section, _, dotted := strings.Cut(k.Name, ".")
	if !dotted {
		return ""
	}
	return section
}

// local returns the name inside the section.
func (k *Key) local() string { return k.Name[strings.LastIndexByte(k.Name, '.')+1:] }

// get returns the key's value: an int, uint64, float64, string or []string.
func (k *Key) get(c *Config) any {
	switch p := k.field(c).(type) {
	case *int:
		return *p
	case *uint64:
		return *p
	case *float64:
		return *p
	case *string:
		return *p
	case *[]string:
		return *p
	default:
		panic(fmt.Sprintf("config: key %s has a field of type %T", k.Name, p))
	}
}

// set reads the key's value from the command line: a text without quotes; a list as in TOML, or with semicolons between,
// because the text of an agent may have commas.
func (k *Key) set(c *Config, value string) error {
	var err error
	switch p := k.field(c).(type) {
	case *int:
		*p, err = strconv.Atoi(value)
	case *uint64:
		*p, err = strconv.ParseUint(value, 10, 64)
	case *float64:
		*p, err = strconv.ParseFloat(value, 64)
	case *string:
		*p = value
	case *[]string:
		*p = nil
		if strings.HasPrefix(value, "[") {
			return decodeInto([]byte(k.Name+" = "+value), c)
		}
		for part := range strings.SplitSeq(value, ";") {
			if part = strings.TrimSpace(part); part != "" {
				*p = append(*p, part)
			}
		}
	}
	return err
}

// format writes the key's value in TOML.
func (k *Key) format(c *Config) string {
	switch v := k.get(c).(type) {
	case float64:
		text := strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64))
		if !strings.ContainsAny(text, ".en") { // a whole number, which TOML takes for an integer; not inf, nan or 1e-05
			text += ".0"
		}
		return text
	case string:
		return quote(v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = quote(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}

// quote writes a text in TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
