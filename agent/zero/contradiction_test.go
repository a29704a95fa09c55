package zero

import (
	"errors"
	"strings"
	"testing"

	"kiothi/agent"
)

func TestOptionsThatContradictEachOtherAreMistakesInTheText(t *testing.T) {
	g := openGame(t, "kiothi", "")
	for text, want := range map[string]string{
		"zero:nowhere,considered=4,movetime=1s":           "option considered is of a Gumbel search with sims",
		"zero:nowhere,considered=4,search=puct":           "option considered is of a Gumbel search with sims",
		"zero:nowhere,considered=4,search=gumbel,sims=10": "nowhere: no such folder",
		"zero:nowhere,sims=10,movetime=1s":                "expected exactly one of the options sims, movetime",
	} {
		_, err := Kinds().Open(g, text)
		mistake := (*agent.SpecError)(nil)
		if err == nil || !strings.Contains(err.Error(), want) || errors.As(err, &mistake) != !strings.Contains(want, "no such folder") {
			t.Errorf("%s: the error is %v, want one with %q", text, err, want)
		}
	}
	c := DefaultConfig()
	c.Utility.Warrior = 2
	c.Endgames = struct{ agent.Endgames }{}
	if err := contradiction(agent.Spec{}, &c, false); err == nil || !strings.Contains(err.Error(), "leave it out with warrior=2") {
		t.Errorf("of a table with a warrior weight the error is %v", err)
	}
}
