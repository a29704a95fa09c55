package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/players"
	"kiothi/env/mancala"
)

// This file asks a handler, and compares each answer with the description.

// testLimits are those of a server that is small and patient.
func testLimits() limits {
	l := limitsOf(Options{Searches: 2, Time: time.Minute})
	l.wait, l.readTime, l.writeTime = time.Minute, time.Minute, time.Minute
	return l
}

// a caller asks a handler.
type caller struct {
	t       testing.TB
	handler http.Handler
}

func newCaller(t testing.TB) caller { return caller{t, newHandler(players.Kinds(), testLimits())} }

// an answer is the status and the JSON of an answer.
type answer struct {
	status int
	header http.Header
	text   []byte
}

// problem returns the answer as a problem.
func (a answer) problem(t testing.TB) (p problem) {
	t.Helper()
	if err := json.Unmarshal(a.text, &p); err != nil {
		t.Fatalf("%s: %v", a.text, err)
	}
	return p
}

// post asks with a JSON body.
func (c caller) post(path, body string) answer {
	c.t.Helper()
	r := httptest.NewRequestWithContext(c.t.Context(), http.MethodPost, Prefix+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return c.ask(r)
}

// get asks a question that has to be answered, and reads the answer.
func (c caller) get(path, body string, into any) {
	c.t.Helper()
	a := c.post(path, body)
	if a.status != http.StatusOK {
		c.t.Fatalf("%s %s: %d %s", path, body, a.status, a.text)
	}
	if err := json.Unmarshal(a.text, into); err != nil {
		c.t.Fatalf("%s %s: %s: %v", path, body, a.text, err)
	}
}

// ask asks, and compares the answer with the description.
func (c caller) ask(r *http.Request) answer {
	c.t.Helper()
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	a := answer{w.Code, w.Header(), w.Body.Bytes()}
	if r.Method != http.MethodHead {
		checkAnswer(c.t, r.Method, r.URL.Path, a)
	}
	return a
}

// checkAnswer compares an answer with the description.
func checkAnswer(t testing.TB, method, path string, a answer) {
	t.Helper()
	d := describedAnswer(t, method, path, a.status)
	if d == nil {
		t.Errorf("%s %s: the answer has the status %d, which is not described: %s", method, path, a.status, a.text)
		return
	}
	for kind, content := range d.Content {
		if got := a.header.Get("Content-Type"); got != kind {
			t.Errorf("%s %s: %d: the type is %q, want %q", method, path, a.status, got, kind)
		}
		var value any
		decoder := json.NewDecoder(bytes.NewReader(a.text))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		for _, wrong := range content.Schema.mistakes("answer", value) {
			t.Errorf("%s %s: %d: %s", method, path, a.status, wrong)
		}
		if kind == "application/problem+json" {
			p := a.problem(t)
			if name := strings.TrimPrefix(p.Type, problemPrefix); p.Status != a.status || len(d.Kinds) > 0 && !slices.Contains(d.Kinds, name) {
				t.Errorf("%s %s: %d: the problem is %q of status %d, want one of %v", method, path, a.status, p.Type, p.Status, d.Kinds)
			}
			if p.Detail == "" || p.Expected == "" || p.Found == "" || p.Hint == "" || len(a.text) > 5000 {
				t.Errorf("%s %s: a problem that does not say all, or too much: %s", method, path, a.text)
			}
		}
	}
	for name := range d.Headers {
		if a.header.Get(name) == "" {
			t.Errorf("%s %s: %d: there is no header %s", method, path, a.status, name)
		}
	}
}

// A document is the description, as far as it is compared.
type document struct {
	OpenAPI    string
	Info       struct{ Title, Version, Description string }
	Paths      map[string]map[string]operation
	Components struct {
		Schemas   map[string]*schema
		Responses map[string]*response
	}
}

type operation struct {
	OperationID string `json:"operationId"`
	RequestBody *struct {
		Required bool
		Content  map[string]media
	}
	Responses map[string]*response
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]media
	Kinds   []string `json:"x-kinds"`
	Headers map[string]any
}

type media struct {
	Schema  *schema
	Example json.RawMessage
}

// A schema is a JSON Schema, as far as the description needs it.
type schema struct {
	Ref         string `json:"$ref"`
	Type        string
	Description string
	Properties  map[string]*schema
	Required    []string
	Additional  *bool `json:"additionalProperties"`
	Items       *schema
	OneOf       []*schema
	Enum        []any
	MinItems    *int
	MaxItems    *int
	MaxLength   *int
	Minimum     *float64
	Maximum     *float64
	Examples    []any
}

// described is the description.
var described = func() (d document) {
	if err := json.Unmarshal(description, &d); err != nil {
		panic(err)
	}
	return d
}()

// describedAnswer returns the description of an answer, nil when there is none.
func describedAnswer(t testing.TB, method, path string, status int) *response {
	t.Helper()
	if status == http.StatusNotFound || status == http.StatusMethodNotAllowed { // of any path
		return &response{Content: map[string]media{"application/problem+json": {Schema: described.Components.Schemas["Problem"]}}}
	}
	r := described.Paths[path][strings.ToLower(method)].Responses[fmt.Sprint(status)]
	if r != nil && r.Ref != "" {
		r = described.Components.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")]
	}
	return r
}

// resolved follows a reference.
func (s *schema) resolved() *schema {
	if s.Ref == "" {
		return s
	}
	to := described.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	if to == nil {
		panic("no schema " + s.Ref)
	}
	return to.resolved()
}

// mistakes lists what is wrong with a value.
func (s *schema) mistakes(at string, value any) (wrong []string) {
	s = s.resolved()
	say := func(format string, values ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, values...)) }
	if s.OneOf != nil {
		fits := 0
		for _, one := range s.OneOf {
			m := one.mistakes(at, value)
			if m == nil {
				fits++
			} else if one.resolved().Type != "null" {
				wrong = m
			}
		}
		if fits == 1 {
			return nil
		}
		say("fits %d of %d", fits, len(s.OneOf))
		return wrong
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(value) }) {
		say("%v is none of %v", value, s.Enum)
	}
	switch v := value.(type) {
	case nil:
		if s.Type != "null" {
			say("is null, want %s", s.Type)
		}
	case bool:
		if s.Type != "boolean" {
			say("is %v, want %s", v, s.Type)
		}
	case string:
		if s.Type != "string" || s.MaxLength != nil && len(v) > *s.MaxLength {
			say("is a text of %d bytes, want %s", len(v), s.Type)
		}
	case json.Number:
		_, err := v.Int64()
		if s.Type != "number" && (s.Type != "integer" || err != nil) {
			say("is %s, want %s", v, s.Type)
		}
		if f, _ := v.Float64(); s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum {
			say("is %s, which is out of range", v)
		}
	case []any:
		if s.Type != "array" || s.MinItems != nil && len(v) < *s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems {
			say("is an array of %d, want %s", len(v), s.Type)
			return wrong
		}
		for i, item := range v {
			wrong = append(wrong, s.Items.mistakes(fmt.Sprintf("%s[%d]", at, i), item)...)
		}
	case map[string]any:
		if s.Type != "object" {
			say("is an object, want %s", s.Type)
			return wrong
		}
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				say("has no %s", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if p := s.Properties[name]; p != nil {
				wrong = append(wrong, p.mistakes(at+"."+name, v[name])...)
			} else if s.Additional != nil && !*s.Additional {
				say("has %s, which is not described", name)
			}
		}
	}
	return wrong
}

// A fake is an agent that does what a test wants.
type fake struct {
	do func(ctx context.Context) error
}

// Choose implements agent.Agent.
func (f fake) Choose(ctx context.Context, s *mancala.State, _ *rand.Rand) (mancala.Action, error) {
	return 0, f.do(ctx)
}

// fakes is the kind of an agent that plays action 0, which the games of the tests have, after it did something. It has the name
// of an agent that is offered.
func fakes(do func(ctx context.Context) error) agent.Kinds {
	return agent.Kinds{{Name: "greedy", Doc: "Does what a test wants.", New: func(mancala.Game, agent.Spec) (agent.Agent, error) { return fake{do}, nil }}}
}

// wait is an agent's doing: it waits until it is let go, and tells that it began.
func wait(began chan<- struct{}, let <-chan struct{}) func(context.Context) error {
	return func(ctx context.Context) error {
		began <- struct{}{}
		select {
		case <-let:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// send sends a POST to a server, and returns the answer.
func send(ctx context.Context, url, path, body string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+Prefix+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, text}, err
}

// writeFile writes a file with its folder.
func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
