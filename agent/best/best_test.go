package best

import (
	"errors"
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/agent/release"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// recorder is a kind of agent that keeps the specs that it is asked for.
func recorder(name string, specs *[]string) agent.Kind {
	return agent.Kind{
		Name: name, Argument: "PATH",
		Options: []agent.Option{{Name: "sims"}, {Name: "depth"}, {Name: "nodes"}, {Name: "movetime"}, {Name: "net"}},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			*specs = append(*specs, spec.String())
			return scripted.Kinds().Open(g, "greedy")
		},
	}
}

func TestBestOpensWhatTheReleaseSays(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	var specs []string
	kinds := agent.Kinds{recorder("zero", &specs)}
	for _, c := range []struct{ release, text, want string }{
		{"zero:a,,b,sims=64", "best", "zero:a,,b,sims=64"},
		{"zero:x,sims=64,net=a", "best:movetime=1s", "zero:x,net=a,movetime=1s"},
		{"zero:x,movetime=100ms", "best,movetime=20ms", "zero:x,movetime=20ms"},
		{"zero:x,depth=3,nodes=4", "best:movetime=20ms", "zero:x,movetime=20ms"},
		// What is named of the release is what the program carries, not what has that name on the disk.
		{"zero:r,net=r/eval.nnue", "best", "zero:release:r,net=release:r/eval.nnue"},
		{"zero:rr,net=other/r", "best", "zero:rr,net=other/r"},
	} {
		releases := func() ([]release.Release, error) {
			return []release.Release{{Name: "r", Game: g.Name(), Rules: g.Rules(), Agent: c.release}}, nil
		}
		specs = nil
		if _, err := choosing(kinds, releases).Open(g, c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if len(specs) != 1 || specs[0] != c.want {
			t.Errorf("%s of %s opens %v, want %s", c.text, c.release, specs, c.want)
		}
	}
}

func TestBestTellsWhatIsWrong(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no list")
	for _, c := range []struct {
		text, agent string
		fail        error
		want        string
	}{
		{"best:movetime=0s", "greedy", nil, `option movetime: "0s" is not a positive length of time`},
		{"best:sims=3", "greedy", nil, `unknown option "sims"`},
		{"best:x", "greedy", nil, "best takes no argument"},
		{"best", "nobody", nil, `release r: agent "nobody": unknown agent "nobody"`},
		{"best", ",", nil, "release r: "},
		{"best:movetime=1s", "greedy", nil, "the released bot: "},
		{"best", "greedy", failure, "no list"},
	} {
		kinds := choosing(scripted.Kinds(), func() ([]release.Release, error) {
			return []release.Release{{Name: "r", Game: g.Name(), Rules: g.Rules(), Agent: c.agent}}, c.fail
		})
		if _, err := kinds.Open(g, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: the error is %v, want one with %q", c.text, c.agent, err, c.want)
		}
	}
}

func TestBestStandsForTheReleasesAgent(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	kinds := agent.Kinds{recorder("zero", new([]string))}
	kinds = append(kinds, choosing(kinds, func() ([]release.Release, error) {
		return []release.Release{{Name: "r", Game: g.Name(), Rules: g.Rules(), Agent: "zero:r,sims=4"}}, nil
	})...)
	kind, spec, err := kinds.Resolve(g, "best:movetime=2s")
	if err != nil || kind.Name != "zero" || spec.String() != "zero:release:r,movetime=2s" {
		t.Errorf("best stands for %v, %v", spec, err)
	}
	other, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := kinds.Resolve(other, "best"); err == nil || !strings.Contains(err.Error(), `agent "best": no released bot plays rio-kadalis`) {
		t.Errorf("without a release the error is %v", err)
	}
}
