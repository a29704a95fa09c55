package bridge

import (
	"encoding/json"
	"testing"
)

// Whatever is asked, the answer is JSON, and the bridge can be asked again.
func FuzzCall(f *testing.F) {
	for _, request := range []string{
		`{"do":"newGame","with":{"game":"rio-kadalis","rules":"five-holes","rounds":3,"moves":["a","A"]}}`,
		`{"do":"newGame","with":{"game":"kiothi","position":"0,0,0,0,0,0,0,0,0,0/1,0,0,0,0,0,4,0,0,0 A 20-20 S sow 7"}}`,
		`{"do":"play","with":{"game":1,"move":"eh:a3c2J5"}}`, `{"do":"play","with":{"game":1,"move":604}}`,
		`{"do":"trace","with":{"game":1,"move":"+e +f >a","limit":7}}`, `{"do":"whyNot","with":{"game":1,"move":"+a"}}`,
		`{"do":"think","with":{"game":1,"agent":"alphabeta:depth=2,hash=1","seed":18446744073709551615}}`,
		`{"do":"analyse","with":{"game":1,"agent":"uct:sims=2"}}`,
		`{"do":"legal","with":{"game":1}}`, `{"do":"nextRound","with":{"game":1}}`, `{"do":"undo","with":{"game":1}}`,
		`{"do":"step","with":{"job":2,"milliseconds":-1e308}}`, `{"do":"model","with":{"name":"x"}}`,
	} {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		c := newCaller(t)
		id := c.begin(object{"game": "kiothi"})
		c.raw(string(request), nil)
		for job := range c.bridge.jobs {
			c.get("stop", object{"job": job}, nil)
		}
		if len(c.bridge.games) > 0 && c.bridge.games[id] != nil {
			if text, err := json.Marshal(c.state(id)); err != nil {
				t.Errorf("%v: %s", err, text)
			}
		}
	})
}
