package bridge

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"kiothi/cmd/internal/view"
)

func TestWhatIsNoRequestIsRefusedInWords(t *testing.T) {
	c := newCaller(t)
	for _, r := range []struct{ request, want string }{
		{``, "unknown operation"},
		{`{`, "unexpected EOF"},
		{`[]`, "found a array, expected an object"},
		{`{"do":"fly"}`, "whyNot"},
		{`{"do":"state","with":[1]}`, "expected an object"},
		{`{"do":"state","with":{"game":"1"}}`, "game: found a string, expected a whole number"},
		{`{"do":"think","with":{"seed":-1}}`, "seed: found a number -1, expected a whole number that is not negative"},
		{`{"do":"play","with":{"game":1,"to":"a"}}`, `unknown field "to"`},
		{"{\"do\":\"\xff\"}", "unknown operation"},
	} {
		if f := c.raw(r.request, nil); f == nil || f.Kind != KindArgument || !strings.Contains(f.Message, r.want) {
			t.Errorf("%s: got %+v, want an argument error with %q", r.request, f, r.want)
		}
	}
}

func TestTheGamesAndAgentsAreDescribed(t *testing.T) {
	c := newCaller(t)
	var infos []view.GameInfo
	c.get("games", nil, &infos)
	if len(infos) != 2 || infos[0].Name != "kiothi" || len(infos[0].Sets) == 0 || len(infos[0].Options) == 0 ||
		len(infos[0].Options[0].Settings) != len(infos[0].Sets) || len(infos[1].Options) == 0 {
		t.Errorf("the games are %+v", infos)
	}
	var kinds []view.KindInfo
	c.get("agents", nil, &kinds)
	var names []string
	for _, k := range kinds {
		if k.Usage == "" || k.Doc == "" || k.Options == nil {
			t.Errorf("agent %+v is not described", k)
		}
		names = append(names, k.Name)
	}
	if got := strings.Join(names, " "); got != wantedKinds {
		t.Errorf("the agents are %s, want %s", got, wantedKinds)
	}
	var version string
	if c.get("version", nil, &version); version == "" {
		t.Error("there is no version")
	}
}

// A module that a page loads has to be small, and what trains networks is not.
func TestTheModuleIsMadeOfWhatPlays(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "kiothi/cmd/kiothi-wasm")
	list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "kiothi/agent/zero\n") {
		t.Errorf("what plays by networks is not in the module:\n%s", out)
	}
	for _, path := range strings.Fields(string(out)) {
		for _, unwanted := range []string{"gorgonia.org", "os/exec", "net/http", "gonum.org/v1/plot", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/lapack", "kiothi/train", "github.com/spf13"} {
			if strings.HasPrefix(path, unwanted) {
				t.Errorf("the module has %s in it", path)
			}
		}
	}
}
