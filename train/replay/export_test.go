package replay

import (
	"strings"
	"testing"

	"kiothi/env/mancala"
)

func TestWriteLinesWritesWhatTraceReads(t *testing.T) {
	one, two := &Game{}, &Game{Start: "1,0,0/0,0,1 - 5-7 S sow 0"}
	for _, action := range []mancala.Action{604, 607, 611} {
		if err := one.Append(action, 0, Random, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := WriteLines(&out, Header{"kiothi", "mancala-world,bonus=run"}, []*Game{one, two}); err != nil {
		t.Fatal(err)
	}
	want := `{"game":"kiothi","rules":"mancala-world,bonus=run","actions":[604,607,611]}
{"game":"kiothi","rules":"mancala-world,bonus=run","position":"1,0,0/0,0,1 - 5-7 S sow 0","actions":[]}
`
	if out.String() != want {
		t.Errorf("found\n%swant\n%s", out.String(), want)
	}
}
