package trace_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/mancala"
	"kiothi/env/trace"
)

func TestALineReadsBackWhatIsWritten(t *testing.T) {
	for _, want := range []trace.Line{
		{Game: "kiothi", Rules: "mancala-world", Actions: []mancala.Action{604, 605}},
		{Game: "rio-kadalis", Position: "1,0,0,0,0,0/0,0,0,0,0,1 - 23-23 S sow 0", Actions: []mancala.Action{}},
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trace.ParseLine(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestALineThatCannotBeReadSaysWhy(t *testing.T) {
	for line, want := range map[string]string{
		"":                  "it is empty",
		"x":                 "not a JSON object",
		`{"game":"kiothi"}`: `the field "actions" is missing`,
		`{"game":"kiothi","position":"","actions":[]}`: `the field "position" is empty`,
	} {
		if _, err := trace.ParseLine([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", line, err, want)
		}
	}
}
