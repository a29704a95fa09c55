package child

import (
	"slices"
	"testing"
)

func TestCommandsAreSplitAtSpaces(t *testing.T) {
	for text, want := range map[string][]string{
		"kiothi trace --batch":            {"kiothi", "trace", "--batch"},
		"  a\t b  ":                       {"a", "b"},
		`"my engine" 'it is' x""y`:        {"my engine", "it is", "xy"},
		`"C:\my engine\e.exe" C:\x --a=b`: {`C:\my engine\e.exe`, `C:\x`, "--a=b"},
		`a "" ''`:                         {"a", "", ""},
		`a "it's"`:                        {"a", "it's"},
	} {
		if got, err := Split(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is split into %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestACommandWithoutAProgramIsRefused(t *testing.T) {
	for _, text := range []string{"", "  \t", `""`, `'' x`, `a "b`, "it's"} {
		if words, err := Split(text); err == nil {
			t.Errorf("%q is split into %q, want an error", text, words)
		}
	}
}
