package watch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"kiothi/train/history"
)

// The page draws fields of metrics.jsonl by their names. Nothing else in it is written with underscores.
func TestThePageAsksForFieldsThatMetricsHave(t *testing.T) {
	text, err := json.Marshal(history.Iteration{})
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("page/*.js")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, path := range scripts {
		script, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\b[a-z0-9]+(_[a-z0-9]+)+\b`).FindAllString(string(script), -1) {
			asked++
			if _, ok := fields[name]; !ok {
				t.Errorf("%s asks for %s, which is no field of an iteration", path, name)
			}
		}
	}
	if asked < 10 {
		t.Errorf("found %d names of fields in the page, expected those of its curves", asked)
	}
}
