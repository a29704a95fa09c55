package api

import (
	"net/http"
	"os"
	"regexp"
	"testing"
)

// The questions of the README are answered, and there is one for each operation that takes a game.
func TestTheQuestionsOfTheReadmeAreAnswered(t *testing.T) {
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	questions := regexp.MustCompile(`(?m)^ask (\w+) +'(.*)'\r?$`).FindAllStringSubmatch(string(text), -1)
	c := newCaller(t)
	asked := map[string]bool{}
	for _, q := range questions {
		asked[q[1]] = true
		if a := c.post(q[1], q[2]); a.status != http.StatusOK {
			t.Errorf("%s %s: %d %s", q[1], q[2], a.status, a.text)
		}
	}
	for path, e := range endpoints {
		if e.method == http.MethodPost && !asked[path] {
			t.Errorf("the README does not ask %s", path)
		}
	}
}
