package api

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/sowing"
)

// This file compares the description with the program: the paths, the fields, the bounds, the errors.

// bodies are what the endpoints read and answer; nil where they read nothing.
var bodies = map[string][2]any{
	"openapi.json": {nil, nil},
	"games":        {nil, gamesBody{}},
	"agents":       {nil, agentsBody{}},
	"state":        {view.Setup{}, stateBody{}},
	"legal":        {view.Setup{}, legalBody{}},
	"play":         {withMove{}, playBody{}},
	"trace":        {traced{}, view.Trace{}},
	"choose":       {question{}, view.Thought{}},
	"analyse":      {question{}, view.Analysis{}},
}

func TestTheDescriptionHasThePathsOfTheProgram(t *testing.T) {
	if described.OpenAPI != "3.1.0" || described.Info.Title == "" || described.Info.Version == "" {
		t.Errorf("it is of OpenAPI %q, titled %q", described.OpenAPI, described.Info.Title)
	}
	if got := slices.Sorted(maps.Keys(described.Paths)); !slices.Equal(got, paths()) {
		t.Errorf("it has the paths %v, want %v", got, paths())
	}
	for path, e := range endpoints {
		methods := described.Paths[Prefix+path]
		if o, ok := methods[strings.ToLower(e.method)]; !ok || len(methods) != 1 || (e.method == http.MethodPost) != (o.RequestBody != nil && o.RequestBody.Required) {
			t.Errorf("%s is described by %v, want %s", path, slices.Sorted(maps.Keys(methods)), e.method)
		}
	}
}

func TestTheDescriptionHasTheFieldsOfTheProgram(t *testing.T) {
	for path, types := range bodies {
		o := described.Paths[Prefix+path][strings.ToLower(endpoints[path].method)]
		if types[0] != nil {
			compareFields(t, path+" request", o.RequestBody.Content["application/json"].Schema, reflect.TypeOf(types[0]), false)
		}
		if types[1] != nil {
			compareFields(t, path+" answer", o.Responses["200"].Content["application/json"].Schema, reflect.TypeOf(types[1]), true)
		}
	}
	compareFields(t, "problem", described.Components.Schemas["Problem"], reflect.TypeFor[problem](), true)
}

// compareFields compares a schema with a type. Of an answer it is required what is always there.
func compareFields(t *testing.T, at string, s *schema, of reflect.Type, answer bool) {
	t.Helper()
	s = s.resolved()
	if of == reflect.TypeFor[*view.Move]() {
		if s != described.Components.Schemas["Move"] {
			t.Errorf("%s: it is a move, described as %+v", at, s)
		}
		return
	}
	if of.Kind() == reflect.Pointer || s.OneOf != nil { // what may be null
		if answer {
			if len(s.OneOf) != 2 || s.OneOf[1].Type != "null" || of.Kind() != reflect.Pointer && of.Kind() != reflect.Slice {
				t.Errorf("%s: a %s is described as %+v", at, of, s)
				return
			}
			s = s.OneOf[0].resolved()
		}
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
	}
	want := map[reflect.Kind]string{
		reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int32: "integer", reflect.Int64: "integer", reflect.Uint8: "integer",
		reflect.Uint64: "integer", reflect.Float64: "number", reflect.Slice: "array", reflect.Array: "array", reflect.Struct: "object",
	}[of.Kind()]
	if s.Type != want || want == "" {
		t.Errorf("%s: a %s is described as %q, want %q", at, of, s.Type, want)
		return
	}
	if s.Description == "" && !strings.HasSuffix(at, "[]") {
		t.Errorf("%s is not described in words", at)
	}
	switch of.Kind() {
	case reflect.Slice:
		compareFields(t, at+"[]", s.Items, of.Elem(), answer)
	case reflect.Array:
		if s.MinItems == nil || s.MaxItems == nil || *s.MinItems != of.Len() || *s.MaxItems != of.Len() {
			t.Errorf("%s: an array of %d is described otherwise", at, of.Len())
		}
		compareFields(t, at+"[]", s.Items, of.Elem(), answer)
	case reflect.Struct:
		if s.Additional == nil || *s.Additional {
			t.Errorf("%s: more fields than those that are described are allowed", at)
		}
		var names, always []string
		for _, f := range reflect.VisibleFields(of) {
			tag, ok := f.Tag.Lookup("json")
			if !ok {
				continue // what is embedded, whose fields are visible themselves
			}
			name, rest, _ := strings.Cut(tag, ",")
			names = append(names, name)
			if rest == "" {
				always = append(always, name)
			}
			if p := s.Properties[name]; p != nil {
				compareFields(t, at+"."+name, p, f.Type, answer)
			}
		}
		if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, sorted(names)) {
			t.Errorf("%s: the fields %v are described, want %v", at, got, sorted(names))
		}
		if answer && !slices.Equal(sorted(s.Required), sorted(always)) {
			t.Errorf("%s: the fields %v are required, want %v", at, sorted(s.Required), sorted(always))
		}
	}
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

func TestTheDescriptionHasTheWordsOfTheProgram(t *testing.T) {
	for _, c := range []struct {
		schema, field string
		want          []any
	}{
		{"Event", "kind", []any{sowing.Lift.String(), sowing.Drop.String(), sowing.Win.String(), sowing.Mark.String()}},
		{"State", "phase", []any{mancala.Sow.String(), mancala.Lift.String(), mancala.Place.String()}},
		{"Result", "reason", []any{mancala.Stuck.String(), mancala.Exhausted.String()}},
		{"Competition", "end", []any{riokadalis.Undecided.String(), riokadalis.Ruined.String(), riokadalis.RoundsSpent.String()}},
	} {
		if got := described.Components.Schemas[c.schema].Properties[c.field].Enum; !slices.Equal(got, c.want) {
			t.Errorf("%s.%s is described as one of %q, want %q", c.schema, c.field, got, c.want)
		}
	}
}

func TestTheDescriptionHasTheBoundsOfTheProgram(t *testing.T) {
	l := limitsOf(Options{})
	game, question, trace := described.Components.Schemas["Game"], described.Components.Schemas["Question"], described.Components.Schemas["TraceRequest"]
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"moves", *game.Properties["moves"].MaxItems, l.moves},
		{"position", *game.Properties["position"].MaxLength, view.LongestText},
		{"rules", *game.Properties["rules"].MaxLength, view.LongestText},
		{"agent", *question.Properties["agent"].MaxLength, longestAgent},
		{"limit", int(*trace.Properties["limit"].Maximum), l.trace},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d is described, want %d", c.what, c.got, c.want)
		}
	}
	if l.body != 65536 || !strings.Contains(string(description), "The body is larger than 65536 bytes.") || view.UsualTrace != 10000 {
		t.Error("the description names other sizes than the program has")
	}
}

func TestTheDescriptionHasTheProblemsOfTheProgram(t *testing.T) {
	var kinds []string
	for kind := range problemKinds {
		kinds = append(kinds, problemPrefix+kind)
	}
	var enum []string
	for _, kind := range described.Components.Schemas["Problem"].Properties["type"].Enum {
		enum = append(enum, kind.(string))
	}
	if !slices.Equal(sorted(enum), sorted(kinds)) {
		t.Errorf("the problems are %v, want %v", sorted(enum), sorted(kinds))
	}
	told := []string{"not-found", "method", "failed"} // of any path
	for path, methods := range described.Paths {
		for method, o := range methods {
			for status := range o.Responses {
				r := describedAnswer(t, method, path, statusOf(status))
				for _, kind := range r.Kinds {
					told = append(told, kind)
					if problemKinds[kind].status != statusOf(status) {
						t.Errorf("%s: %s is described with the status %s", path, kind, status)
					}
				}
			}
		}
	}
	slices.Sort(told)
	for _, kind := range kinds {
		if !slices.Contains(told, strings.TrimPrefix(kind, problemPrefix)) {
			t.Errorf("%s is of no path", kind)
		}
	}
}

func statusOf(text string) (status int) {
	for _, digit := range text {
		status = 10*status + int(digit-'0')
	}
	return status
}

// What the description gives as an example is answered as it says.
func TestTheExamplesOfTheDescriptionAreAnswered(t *testing.T) {
	c := newCaller(t)
	for path, e := range endpoints {
		if e.method == http.MethodGet {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				if a := c.ask(httptest.NewRequest(method, Prefix+path, nil)); a.status != http.StatusOK {
					t.Errorf("%s %s: %d %s", method, path, a.status, a.text)
				}
			}
			continue
		}
		body := described.Paths[Prefix+path]["post"].RequestBody.Content["application/json"]
		if a := c.post(path, string(body.Example)); a.status != http.StatusOK {
			t.Errorf("%s %s: %d %s", path, body.Example, a.status, a.text)
		}
	}
	game := described.Components.Schemas["Game"].Properties
	for _, rules := range game["rules"].Examples {
		c.get("state", `{"game":"kiothi","rules":"`+rules.(string)+`"}`, &stateBody{})
	}
	for _, position := range game["position"].Examples {
		c.get("state", `{"game":"rio-kadalis","position":"`+position.(string)+`"}`, &stateBody{})
	}
	for _, agent := range described.Components.Schemas["Question"].Properties["agent"].Examples {
		c.get("choose", `{"game":"kiothi","moves":["eh:a3c2J5","EH:A3C2j5"],"agent":"`+agent.(string)+`"}`, &view.Thought{})
	}
}
