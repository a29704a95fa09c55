package zero

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/agent/model"
	"kiothi/agent/search"
)

// The agents of this package answer batches, and want to be closed after their use.
var (
	_ agent.Batch = (*Player)(nil)
	_ agent.Batch = (*Policy)(nil)
	_ io.Closer   = (*Player)(nil)
	_ io.Closer   = (*Policy)(nil)
)

func TestMistakesInOptionsListWhatIsValid(t *testing.T) {
	g := openGame(t, "kiothi", "")
	for _, c := range []struct{ text, want string }{
		{"zero", "zero needs an argument; it is written zero:PATH"},
		{"zero:x,sims=0", "option sims: 0 is not from 1 to 200000"},
		{"zero:x,sims=8,movetime=1s", "expected exactly one of the options sims, movetime, found sims and movetime"},
		{"zero:x,movetime=0s", `option movetime: "0s" is not a positive length of time`},
		{"zero:x,sims=many", `option sims: "many" is not a whole number`},
		{"zero:x,simulations=8", `unknown option "simulations". Valid options: sims, movetime, search, considered, margin, warrior`},
		{"zero:x,search=gumble", `option search: unknown value "gumble", did you mean "gumbel"? Valid values: gumbel, puct`},
		{"zero:x,considered=1", "option considered: 1 is not from 2 to 1000"},
		{"zero:x,margin=1.5", "option margin: 1.5 is not from 0 to 1"},
		{"zero:x,warrior=0", "option warrior: 0 is not from 1 to 10"},
		{"policy", "policy needs an argument; it is written policy:PATH"},
		{"policy:x,sims=8", `unknown option "sims"`},
		{"policy:x,temperature=-1", "option temperature: -1 is not from 0 to 10"},
	} {
		_, err := Kinds().Open(g, c.text)
		if mistake := (*agent.SpecError)(nil); !errors.As(err, &mistake) {
			t.Errorf("%s: the error is %v, want one about the text", c.text, err)
		} else if got := err.Error(); !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: the error is %q, want one line with %q", c.text, got, c.want)
		}
	}
}

func TestAMissingNetworkIsNoMistakeInTheText(t *testing.T) {
	g := openGame(t, "kiothi", "")
	path := filepath.Join(t.TempDir(), "nothing")
	for _, text := range []string{"zero:" + path, "policy:" + path} {
		_, err := Kinds().Open(g, text)
		if mistake := (*agent.SpecError)(nil); err == nil || errors.As(err, &mistake) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: the error is %v, want one about the folder", text, err)
		}
	}
}

// The folder's name is as awkward as names get; the comma is written twice.
func TestASavedNetworkPlaysTheSame(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		w := newWeights(t, g, 1)
		dir := filepath.Join(t.TempDir(), "my bots, née é=1")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Save(dir, g, w, model.Description{}); err != nil {
			t.Fatal(err)
		}
		path := strings.ReplaceAll(dir, ",", ",,")
		c := DefaultConfig()
		c.Simulations, c.Search.Considered = 9, 4
		player := newPlayer(t, g, w, c)
		for text, want := range map[string]agent.Agent{
			"zero:" + path + ",sims=9,considered=4": player,
			"policy:" + path:                        NewPolicy(player, 0),
			"policy:" + path + ",temperature=1":     NewPolicy(player, 1),
		} {
			got, err := Kinds().Open(g, text)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range states(t, g, 10, 11, all) {
				wanted, err := want.Choose(t.Context(), &s, newRand(uint64(i)))
				if err != nil {
					t.Fatal(err)
				}
				if action, err := got.Choose(t.Context(), &s, newRand(uint64(i))); err != nil || action != wanted {
					t.Errorf("%s: action %d, %v in %s; want %d", text, action, err, g.Format(&s), wanted)
				}
			}
			if err := got.(io.Closer).Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Which search plays better hangs on how far it can plan; whoever names one, or what only one has, gets that.
func TestTheSearchFitsTheNumberOfSimulations(t *testing.T) {
	g := openGame(t, "kiothi", "")
	dir := t.TempDir()
	if err := Save(dir, g, newWeights(t, g, 1), model.Description{}); err != nil {
		t.Fatal(err)
	}
	for options, want := range map[string]search.Kind{
		"":                        search.Gumbel,
		",sims=199":               search.Gumbel,
		",sims=200":               search.PUCT,
		",sims=9,search=puct":     search.PUCT,
		",sims=800,search=gumbel": search.Gumbel,
		",sims=800,considered=8":  search.Gumbel,
	} {
		a, err := Kinds().Open(g, "zero:"+dir+options)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.(*Player).config.Search.Kind; got != want {
			t.Errorf("zero:…%s searches by %v, want %v", options, got, want)
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

// What the help says of a default is what a player has.
func TestTheDocumentedDefaultsAreThePlayers(t *testing.T) {
	c := DefaultConfig()
	want := map[string]string{
		"sims": strconv.Itoa(c.Simulations), "search": "KIND", "considered": strconv.Itoa(c.Search.Considered),
		"margin": strconv.FormatFloat(c.Utility.MarginShare, 'g', -1, 64), "warrior": "1", "temperature": "0", "table": "FILE", "movetime": "T",
	}
	for _, kind := range Kinds() {
		for _, option := range kind.Options {
			if option.Default != want[option.Name] {
				t.Errorf("%s: option %s has the default %s in the help, want %s", kind.Name, option.Name, option.Default, want[option.Name])
			}
		}
	}
}
