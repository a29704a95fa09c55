package api

import (
	"net/http"
	"os"
	"regexp"
	"testing"
)

// The questions of the README are answered.
func TestTheQuestionsOfTheReadmeAreAnswered(t *testing.T) {
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	questions := regexp.MustCompile(`(?m)^ask (\w+) +'(.*)'\r?$`).FindAllStringSubmatch(string(text), -1)
	if len(questions) < 5 {
		t.Errorf("found %d questions, want five", len(questions))
	}
	c := newCaller(t)
	for _, q := range questions {
		if a := c.post(q[1], q[2]); a.status != http.StatusOK {
			t.Errorf("%s %s: %d %s", q[1], q[2], a.status, a.text)
		}
	}
}
