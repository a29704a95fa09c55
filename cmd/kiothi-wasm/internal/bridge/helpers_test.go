package bridge

import (
	"encoding/json"
	"testing"

	"kiothi/cmd/internal/view"
)

// caller asks a bridge as the other side does.
type caller struct {
	t      testing.TB
	bridge *Bridge
}

func newCaller(t testing.TB) caller { return caller{t, New()} }

// ask makes a request and returns the failure, if that is the answer. The value goes into value, unless that is nil.
func (c caller) ask(do string, with, value any) *Failure {
	c.t.Helper()
	request, err := json.Marshal(map[string]any{"do": do, "with": with})
	if err != nil {
		c.t.Fatal(err)
	}
	return c.raw(string(request), value)
}

// raw makes a request that is written already.
func (c caller) raw(request string, value any) *Failure {
	c.t.Helper()
	var a struct {
		Value json.RawMessage
		Error *Failure
	}
	text := c.bridge.Call([]byte(request))
	if err := json.Unmarshal(text, &a); err != nil {
		c.t.Fatalf("%s: the answer is %s: %v", request, text, err)
	}
	if a.Error == nil && value != nil && a.Value != nil {
		if err := json.Unmarshal(a.Value, value); err != nil {
			c.t.Fatalf("%s: the answer is %s: %v", request, text, err)
		}
	}
	return a.Error
}

// get makes a request that has to succeed.
func (c caller) get(do string, with, value any) {
	c.t.Helper()
	if f := c.ask(do, with, value); f != nil {
		c.t.Fatalf("%s %v: %s: %s", do, with, f.Kind, f.Message)
	}
}

// object is the arguments of a request.
type object = map[string]any

// begin begins a game and returns its id.
func (c caller) begin(with object) int {
	c.t.Helper()
	var g begun
	c.get("newGame", with, &g)
	return g.ID
}

// state returns where a game stands.
func (c caller) state(id int) (s view.State) {
	c.t.Helper()
	c.get("state", object{"game": id}, &s)
	return s
}

// play plays a move.
func (c caller) play(id int, m any) (p view.Played) {
	c.t.Helper()
	c.get("play", object{"game": id, "move": m}, &p)
	return p
}

// think lets an agent think to the end.
func (c caller) think(id int, agent string, seed uint64) (out view.Thought) {
	c.t.Helper()
	var job int
	c.get("think", object{"game": id, "agent": agent, "seed": seed}, &job)
	for out.Text == "" {
		c.get("step", object{"job": job, "milliseconds": 1}, &out)
	}
	return out
}
