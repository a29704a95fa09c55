package choice

import (
	"strings"
	"testing"
)

func TestUnknownSuggestsTheNearestAndListsAll(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{"kiotih", `unknown game "kiotih", did you mean "kiothi"? Valid games: kiothi, rio-kadalis`},
		{"rio", `unknown game "rio", did you mean "rio-kadalis"? Valid games: kiothi, rio-kadalis`},
		{"chess", `unknown game "chess". Valid games: kiothi, rio-kadalis`},
		{strings.Repeat("kiothi", 1_000_000), `unknown game "` + strings.Repeat("kiothi", 10) + `...", did you mean "kiothi"? Valid games: kiothi, rio-kadalis`},
		{strings.Repeat("é", 31), `unknown game "` + strings.Repeat("é", 30) + `...". Valid games: kiothi, rio-kadalis`},
		{"", `unknown game "". Valid games: kiothi, rio-kadalis`},
	} {
		if got := Unknown("game", c.got, []string{"kiothi", "rio-kadalis"}).Error(); got != c.want {
			t.Errorf("Unknown(%q)\n got %s\nwant %s", c.got, got, c.want)
		}
	}
}

func TestANumberHasANameOrIsWritten(t *testing.T) {
	for number, want := range map[int]string{0: "south", 1: "north", 2: "Seat(2)", -1: "Seat(-1)"} {
		if got := Name("Seat", []string{"south", "north"}, number); got != want {
			t.Errorf("%d is written %q, want %q", number, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestTheValidWordsAreNamedInThePlural(t *testing.T) {
	for kind, want := range map[string]string{"game": "Valid games: a", "source of positions": "Valid sources of positions: a", "horizontal axis": "Valid horizontal axes: a"} {
		if err := Unknown(kind, "x", []string{"a"}); !strings.HasSuffix(err.Error(), want) {
			t.Errorf("the error is %v, want one that ends with %q", err, want)
		}
	}
}
