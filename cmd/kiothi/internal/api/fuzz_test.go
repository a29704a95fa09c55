package api

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kiothi/agent/players"
)

// Whatever is asked, the answer is one of those that are described, and no fault of the program.
func FuzzRequest(f *testing.F) {
	for _, r := range wrongRequests {
		if len(r.body) < 1000 {
			f.Add(r.path, "application/json", []byte(r.body))
		}
	}
	for path, methods := range described.Paths {
		for _, o := range methods {
			if o.RequestBody != nil {
				f.Add(strings.TrimPrefix(path, Prefix), "application/json;charset=utf-8", []byte(o.RequestBody.Content["application/json"].Example))
			}
		}
	}
	f.Add("choose", "application/json", []byte(`{"game":"kiothi","agent":"mixed:alphabeta:movetime=1ms,,hash=1,eps=0.5","moves":["+e"],"seed":3}`))
	f.Add("analyse", "application/json", []byte(`{"game":"rio-kadalis","position":"1,0,0,0,0,0/0,0,0,0,0,0 - 30-17 S sow 0","agent":"policy:rio-kadalis-quick"}`))
	l := testLimits()
	l.time = 50 * time.Millisecond
	c := newHandler(players.Kinds(), l)
	f.Fuzz(func(t *testing.T, path, kind string, body []byte) {
		r := httptest.NewRequest("POST", Prefix+"state", strings.NewReader(string(body)))
		r.URL.Path = Prefix + path
		r.Header.Set("Content-Type", kind)
		a := caller{t, c}.ask(r)
		if !slices.Contains([]int{200, 400, 404, 405, 413, 415, 422, 504}, a.status) {
			t.Errorf("%s %q: %d %s", path, body, a.status, a.text)
		}
		if text := string(a.text); strings.Contains(text, "runtime error") {
			t.Errorf("%s %q: %s", path, body, text)
		}
	})
}
