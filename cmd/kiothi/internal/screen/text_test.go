package screen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapBreaksBetweenWords(t *testing.T) {
	for _, c := range []struct {
		text          string
		columns, most int
		want          []string
	}{
		{"", 10, 3, nil},
		{"rio-kadalis standard", 12, 3, []string{"rio-kadalis", "standard"}},
		{"one two three", 7, 1, []string{"one ..."}},
		{"/a/very/long/path é x", 8, 9, []string{"/a/very/", "long/pat", "h é x"}},
		{"a\x1b[2J\nb", 20, 3, []string{"a [2J b"}},
		{"abc", 0, 3, nil},
		{"abc", 3, 0, nil},
		{"abcdef", 2, 2, []string{"ab", ".."}},
		{"日本語", 4, 3, []string{"日本", "語"}},
	} {
		if diff := cmp.Diff(c.want, wrap(c.text, c.columns, c.most)); diff != "" {
			t.Errorf("%q in %d columns and %d lines (-want +got):\n%s", c.text, c.columns, c.most, diff)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		left, right string
		columns     int
		want        string
	}{{"ab", "cd", 8, "ab    cd"}, {"abcdef", "gh", 6, "abc gh"}, {"abc", "defghi", 4, " def"}} {
		if got := spread(c.left, c.right, c.columns); got != c.want {
			t.Errorf("%q and %q in %d columns are %q, want %q", c.left, c.right, c.columns, got, c.want)
		}
	}
}
