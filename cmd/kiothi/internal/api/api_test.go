package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent/players"
	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
)

const afterOpening = "3,0,2,0,0,5,5,0,5,10/3,0,2,0,0,5,5,0,5,10 acfgijACFGIJ 0-0 S sow 0"

func TestARequestCarriesTheGame(t *testing.T) {
	c := newCaller(t)
	for _, g := range []struct{ body, position string }{
		{`{"game":"kiothi"}`, "0,0,0,0,5,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift 0"},
		{`{"game":"kiothi","moves":["eh:a3c2J5","EH:A3C2j5"]}`, afterOpening},
		{`{"game":"kiothi","moves":["+e","+h",">a",">a >a >c >c",">J >J >J >J >J","EH:A3C2j5"]}`, afterOpening},
		{`{"game":"kiothi","moves":[604,607,">a >a >a >c >c >J >J >J >J >J","EH:A3C2j5"]}`, afterOpening},
		{`{"game":"kiothi","position":"` + afterOpening + `"}`, afterOpening},
		{`{"game":"rio-kadalis","rules":"five-holes","moves":[]}`, "4,4,4,4,4/4,4,4,4,4 - 0-0 S sow 0"},
		{`{"game":"rio-kadalis","rounds":3}`, "1/3 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"},
		{`{"game":"rio-kadalis","position":"2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"}`, "2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"},
	} {
		var s stateBody
		if c.get("state", g.body, &s); s.State.Position != g.position {
			t.Errorf("%s leads to %s, want %s", g.body, s.State.Position, g.position)
		}
	}
	var s stateBody
	c.get("state", `{"game":"kiothi","moves":["eh:a3c2J5","EH:A3C2j5"]}`, &s)
	want := view.Info{Game: "kiothi", Rules: "mancala-world", Width: 10, Seeds: 60, Actions: 631, PartialPickup: true}
	if s.Info != want || s.State.Played != 2 || len(s.History) != 2 || s.History[1].Player != mancala.North || s.History[1].Text != "EH:A3C2j5" {
		t.Errorf("the answer is %+v", s)
	}
}

func TestEveryMoveThatIsListedCanBePlayedAndTold(t *testing.T) {
	c := newCaller(t)
	for _, game := range []string{`"game":"kiothi"`, `"game":"kiothi","position":"` + afterOpening + `"`, `"game":"rio-kadalis"`} {
		var legal legalBody
		c.get("legal", "{"+game+"}", &legal)
		if len(legal.Moves) == 0 {
			t.Fatalf("%s: nothing can be played", game)
		}
		for _, m := range legal.Moves {
			var byText, byNumber playBody
			c.get("play", fmt.Sprintf(`{%s,"move":%q}`, game, m.Text), &byText)
			c.get("play", fmt.Sprintf(`{%s,"move":%d}`, game, m.Action), &byNumber)
			if diff := cmp.Diff(byText, byNumber); diff != "" || byText.Played.Text != m.Text || byText.State.Played != 1 {
				t.Errorf("%s %+v is played as %+v (-text +number):\n%s", game, m, byText.Played, diff)
			}
			var told view.Trace
			c.get("trace", fmt.Sprintf(`{%s,"move":%q,"limit":1}`, game, m.Text), &told)
			if len(told.Events) != 1 || told.Events[0].Pit != *m.Pit {
				t.Errorf("%s %+v is told as %+v", game, m, told)
			}
		}
	}
	var told view.Trace
	if c.get("trace", `{"game":"rio-kadalis","move":"c","limit":0}`, &told); !told.Truncated || len(told.Events) != 0 {
		t.Errorf("no events are %+v", told)
	}
}

func TestAnAnalysisTellsWhatIsBehindTheChoice(t *testing.T) {
	c := newCaller(t)
	question := `{"game":"kiothi","position":"` + afterOpening + `","agent":"zero:kiothi-quick,sims=50","seed":18446744073709551615}`
	var legal legalBody
	var chosen view.Thought
	var found view.Analysis
	c.get("legal", `{"game":"kiothi","position":"`+afterOpening+`"}`, &legal)
	c.get("choose", question, &chosen)
	c.get("analyse", question, &found)
	chosen.Milliseconds, found.Milliseconds = 0, 0
	if diff := cmp.Diff(chosen, found.Thought); diff != "" {
		t.Errorf("what is chosen is not what the analysis chooses (-chosen +analysed):\n%s", diff)
	}
	if found.Simulations != 50 || found.Chances == nil || len(found.Line) < 2 || found.Line[0] != found.Text || len(found.Policy) != len(legal.Moves) {
		t.Fatalf("the analysis is %+v", found)
	}
	sum := 0.0
	for i, share := range found.Policy {
		sum += share.Probability
		if share.Action != legal.Moves[i].Action || share.Text != legal.Moves[i].Text {
			t.Errorf("the policy has %+v, want %+v", share, legal.Moves[i])
		}
	}
	win := 0.0
	for _, m := range found.Margins {
		if m.Margin > 0 {
			win += m.Probability
		}
	}
	if sum < 0.999 || sum > 1.001 || win < found.Chances.Win-0.001 || win > found.Chances.Win+0.001 {
		t.Errorf("the policy adds up to %v, the margins come to a win of %v, which is told to be %v", sum, win, found.Chances.Win)
	}
	// In an opening the policy is that of the next step, and the turn is whole; also by the clock.
	c.get("analyse", `{"game":"kiothi","agent":"best:movetime=20ms"}`, &found)
	if len(found.Policy) != 5 || !strings.Contains(found.Text, ":") || found.Margins == nil {
		t.Errorf("of the start it tells %+v", found)
	}
	// Who weighs nothing says so.
	c.get("analyse", `{"game":"rio-kadalis","agent":"random"}`, &found)
	var raw map[string]any
	c.get("analyse", `{"game":"rio-kadalis","agent":"random"}`, &raw)
	for _, name := range []string{"policy", "margins", "chances", "value", "margin"} {
		if value, ok := raw[name]; !ok || value != nil {
			t.Errorf("random has %s %v, want null", name, value)
		}
	}
}

func TestTheAgentsThatCanBeAskedAreListed(t *testing.T) {
	c := newCaller(t)
	a := c.ask(httptest.NewRequest(http.MethodGet, Prefix+"agents", nil))
	for _, want := range []string{`"name":"best"`, `"name":"mixed"`, `"name":"kiothi-quick"`, `"seconds":60`, "here at most 64", `"body":65536`} {
		if !strings.Contains(string(a.text), want) {
			t.Errorf("the agents do not tell %s: %s", want, a.text)
		}
	}
	for _, unwanted := range []string{"engine", `"table"`, "COMMAND", "PATH", "FILE", "checkpoint"} {
		if strings.Contains(string(a.text), unwanted) {
			t.Errorf("the agents tell of %s: %s", unwanted, a.text)
		}
	}
}

// wrongRequests are requests that cannot be answered, and what is said of them.
var wrongRequests = []struct{ path, body, kind, field, want string }{
	{"state", ``, "malformed", "", "unexpected end of JSON"},
	{"state", `{"game":`, "malformed", "", "unexpected end of JSON"},
	{"state", `{"game":"kiothi"`, "malformed", "", "unexpected end of JSON"},
	{"state", `{game}`, "malformed", "", "at byte 2"},
	{"state", `{"GAME":"kiothi"}`, "malformed", "", `unknown field "GAME", did you mean "game"`},
	{"state", `[]`, "malformed", "", "found array, expected an object"},
	{"state", `{"game":"kiothi"} {}`, "malformed", "", "after top-level value"},
	{"state", `{"game":"kiothi","move":"a"}`, "malformed", "", `unknown field "move"`},
	{"state", `{"game":1}`, "malformed", "game", "found number, expected a text"},
	{"play", `{"game":1}`, "malformed", "game", "found number, expected a text"},
	{"choose", `{"seed":-1}`, "malformed", "seed", "a whole number that is not negative"},
	{"state", `{"moves":["a",{}]}`, "malformed", "moves", "texts such as"},
	{"state", `{"moves":[1e99]}`, "malformed", "moves", "texts such as"},
	{"state", `{"rounds":1.5}`, "malformed", "rounds", "a whole number"},
	{"state", strings.Repeat("[", 60000), "malformed", "", "expected"},
	{"state", `null`, "argument", "game", "Valid games: kiothi, rio-kadalis"},
	{"state", `{"game":"kiotih"}`, "argument", "game", `did you mean "kiothi"`},
	{"state", `{"game":"kiothi","rules":"mancala"}`, "argument", "rules", "mancala-world"},
	{"state", `{"game":"kiothi","rules":"mancala-world,lap_limit=1000000"}`, "argument", "rules", "lap_limit of at most 10000"},
	{"state", `{"game":"rio-kadalis","rules":"standard,lap_limit=20000"}`, "argument", "rules", "lap_limit of at most 10000"},
	{"state", `{"game":"kiothi","rules":"` + strings.Repeat("x", 1001) + `"}`, "argument", "rules", "1001 bytes"},
	{"state", `{"game":"kiothi","position":"nowhere"}`, "argument", "position", "nowhere"},
	{"state", `{"game":"kiothi","rounds":3}`, "argument", "rounds", "only rio-kadalis has"},
	{"state", `{"game":"rio-kadalis","rounds":-1}`, "argument", "rounds", "-1"},
	{"state", `{"game":"kiothi","moves":["a"]}`, "argument", "moves[0]", "moves[0]"},
	{"state", `{"game":"rio-kadalis","moves":["a",null]}`, "argument", "moves[1]", "expected a move"},
	{"state", `{"game":"rio-kadalis","moves":["a",77]}`, "illegal-move", "moves[1]", "illegal action 77"},
	{"state", `{"game":"rio-kadalis","moves":[` + strings.Repeat("0,", 2000) + `0]}`, "argument", "moves", "2001 moves"},
	{"play", `{"game":"rio-kadalis"}`, "argument", "move", "expected a move"},
	{"play", `{"game":"rio-kadalis","move":"` + strings.Repeat("a ", 1000) + `"}`, "argument", "move", "2000 bytes"},
	{"play", `{"game":"rio-kadalis","moves":["a"],"move":"a"}`, "argument", "move", "North"},
	{"play", `{"game":"rio-kadalis","position":"0,4,4,4,4,4/4,4,4,4,4,4 - 2-2 S sow 0","move":"a"}`, "illegal-move", "move", "empty"},
	{"play", `{"game":"rio-kadalis","position":"0,0,0,0,0,0/4,4,4,4,4,4 - 12-12 S sow 0","move":0}`, "illegal-move", "move", "over"},
	{"trace", `{"game":"rio-kadalis","move":-1}`, "illegal-move", "move", "-1"},
	{"trace", `{"game":"rio-kadalis","move":"a","limit":20001}`, "argument", "limit", "from 0 to 20000"},
	{"trace", `{"game":"rio-kadalis","move":"a","limit":-1}`, "argument", "limit", "from 0 to 20000"},
	{"choose", `{"game":"rio-kadalis","position":"0,0,0,0,0,0/4,4,4,4,4,4 - 12-12 S sow 0","agent":"best"}`, "argument", "position", "somebody is to move"},
	{"choose", `{"game":"kiothi"}`, "argument", "agent", "found no name"},
	{"choose", `{"game":"kiothi","rules":"mancala-world,crossing=on","agent":"best"}`, "argument", "agent", "no released bot"},
	{"analyse", `{"game":"kiothi","agent":"` + strings.Repeat("x", 1001) + `"}`, "argument", "agent", "1001 bytes"},
}

func TestWhatCannotBeAnsweredIsRefusedInWords(t *testing.T) {
	c := newCaller(t)
	for _, r := range wrongRequests {
		a := c.post(r.path, r.body)
		p := a.problem(t)
		if p.Type != problemPrefix+r.kind || p.Field != r.field || !strings.Contains(p.Detail, r.want) {
			t.Errorf("%s %.100s: got %d %s in %q: %s; want %s in %q: %s", r.path, r.body, a.status, p.Type, p.Field, p.Detail, r.kind, r.field, r.want)
		}
		if strings.Contains(p.Found, "nothing") != (r.want == "expected a move") || strings.Contains(p.Found, `"nothing"`) {
			t.Errorf("%s %.100s: found %s", r.path, r.body, p.Found)
		}
		if (p.Reason != "") != (r.kind == "illegal-move") {
			t.Errorf("%s %.100s: the reason is %q", r.path, r.body, p.Reason)
		}
	}
}

func TestNoAgentReachesFilesOrProgramsOrGoesBeyondTheBounds(t *testing.T) {
	c := newCaller(t)
	for _, a := range []struct{ agent, want string }{
		{"engine:sh", `unknown agent`},
		{"mixed:engine:sh", `unknown agent`},
		{"zero:/etc", `no model "/etc"`},
		{"zero:../api", "no model"},
		{"zero:.", "no model"},
		{`zero:C:\\models`, "no model"},
		{"zero:kiothi-quick/../../x", "no such file"},
		{"zero:kiothi-quick/model.json", ""},
		{"zero:rio-kadalis-standard", "holds only an evaluation network"},
		{"zero:rio-kadalis-standard/eval.nnue", "holds only an evaluation network"},
		{"alphabeta:depth=2,net=kiothi-quick", "holds only a policy network"},
		{"alphabeta:depth=2,net=nope", "expected one of kiothi-mancala-world, "},
		{"policy:/etc", "no model"},
		{"mixed:policy:/etc", "no model"},
		{"zero:kiothi-quick,table=x", `unknown option`},
		{"alphabeta:depth=2,table=x", `unknown option`},
		{"mixed:uct:sims=5,,table=x", `unknown option`},
		{"alphabeta:depth=2,net=/etc/passwd", "no model"},
		{"alphabeta:depth=2,net=api.go", "no model"},
		{"alphabeta:depth=2,hash=65", "65 is more than 64"},
		{"zero:kiothi-quick,sims=0", "0 is not from 1 to"},
		{"uct:sims=99999999999999999999", "99999999999999999999 is not from 1 to"},
		{"alphabeta:movetime=1h", "30s"},
		{"best:movetime=31s", "30s"},
		{"zero:kiothi-quick,movetime=-1s", "positive"},
		{"zero:kiothi-quick,sims=20001", "20000"},
		{"zero:rio-kadalis-quick", "expected kiothi"},
		{"uct:sims=1000001", "1000000"},
		{"perfect:nodes=10000001", "10000000"},
		{"mixed:mixed:random", "cannot be mixed"},
	} {
		answer := c.post("choose", `{"game":"kiothi","position":"`+afterOpening+`","agent":"`+a.agent+`"}`)
		if p := answer.problem(t); answer.status != http.StatusUnprocessableEntity || p.Field != "agent" || !strings.Contains(p.Detail, a.want) {
			t.Errorf("%s: %d %s, want %q", a.agent, answer.status, answer.text, a.want)
		}
	}
	// What is remembered for each rule set is asked for by the named ones only.
	c.get("choose", `{"game":"rio-kadalis","agent":"perfect:nodes=1000"}`, &view.Thought{})
	if a := c.post("choose", `{"game":"rio-kadalis","rules":"standard,no_capture_limit=77","agent":"perfect"}`); a.status != http.StatusUnprocessableEntity {
		t.Errorf("perfect by rules of one's own: %d %s", a.status, a.text)
	}
}

// Whoever adds a kind or an option decides whether strangers may use it.
func TestEveryKindAndOptionIsOfferedOrRefused(t *testing.T) {
	refused := []string{"engine", "alphabeta table", "uct table", "zero table"}
	var missing []string
	for _, kind := range players.Kinds() {
		options, ok := bounds[kind.Name]
		if !ok && kind.Name != mixedName {
			missing = append(missing, kind.Name)
		}
		for _, o := range kind.Options {
			if _, offered := options[o.Name]; ok && !offered {
				missing = append(missing, kind.Name+" "+o.Name)
			}
		}
	}
	if !slices.Equal(sorted(missing), sorted(refused)) {
		t.Errorf("not offered are %v, want %v", sorted(missing), sorted(refused))
	}
}

// A folder that happens to have the name of a model, where the server runs, is none.
func TestNoFolderIsTakenForAModel(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{writeFile("kiothi-quick/model.json", "{}")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a := newCaller(t).post("choose", `{"game":"kiothi","agent":"zero:kiothi-quick"}`)
	if p := a.problem(t); a.status != http.StatusUnprocessableEntity || !strings.Contains(p.Detail, "something else is in its place") {
		t.Errorf("%d %s", a.status, a.text)
	}
}

func TestPathsMethodsAndTypesAreThoseOfTheDescription(t *testing.T) {
	c := newCaller(t)
	request := func(method, path, kind, encoding, body string) *http.Request {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		if kind != "" {
			r.Header.Set("Content-Type", kind)
		}
		if encoding != "" {
			r.Header.Set("Content-Encoding", encoding)
		}
		return r
	}
	const body = `{"game":"kiothi"}`
	for _, q := range []struct {
		request *http.Request
		status  int
		allow   string
	}{
		{request("POST", "/api/v1/state", "application/json", "", body), 200, ""},
		{request("POST", "/api/v1/state", `Application/JSON; charset="UTF-8"`, "identity", body), 200, ""},
		{request("POST", "/api/v1/state", "", "", body), 415, ""},
		{request("POST", "/api/v1/state", "text/plain", "", body), 415, ""},
		{request("POST", "/api/v1/state", "application/x-www-form-urlencoded", "", body), 415, ""},
		{request("POST", "/api/v1/state", "application/json; charset=latin1", "", body), 415, ""},
		{request("POST", "/api/v1/state", "application/json", "gzip", body), 415, ""},
		{request("GET", "/api/v1/state", "", "", ""), 405, "POST"},
		{request("DELETE", "/api/v1/state", "", "", ""), 405, "POST"},
		{request("OPTIONS", "/api/v1/choose", "", "", ""), 405, "POST"},
		{request("POST", "/api/v1/games", "application/json", "", body), 405, "GET, HEAD"},
		{request("GET", "/api/v1/", "", "", ""), 404, ""},
		{request("GET", "/api/v1/games/", "", "", ""), 404, ""},
		{request("GET", "/api/v1/../v1/games", "", "", ""), 404, ""},
		{request("GET", "/api/v2/games", "", "", ""), 404, ""},
		{request("GET", "/", "", "", ""), 404, ""},
		{request("POST", "/api/v1/state", "application/json", "", `{"game":"kiothi"`+strings.Repeat(" ", 65536)+"}"), 413, ""},
	} {
		a := c.ask(q.request)
		if a.status != q.status || a.header.Get("Allow") != q.allow {
			t.Errorf("%s %s: %d, Allow %q, want %d, %q: %s", q.request.Method, q.request.URL, a.status, a.header.Get("Allow"), q.status, q.allow, a.text)
		}
	}
	// A body that does not say how long it is, and one that ends too soon.
	r := request("POST", "/api/v1/state", "application/json", "", "")
	r.Body, r.ContentLength = io.NopCloser(io.LimitReader(endless{}, 1<<20)), -1
	if a := c.ask(r); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long body: %d %s", a.status, a.text)
	}
	r = request("POST", "/api/v1/state", "application/json", "", "")
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"ga`), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if a := c.ask(r); a.status != http.StatusBadRequest {
		t.Errorf("half a body: %d %s", a.status, a.text)
	}
}

// endless is a body of spaces.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestPagesOfOtherServersMayNotAsk(t *testing.T) {
	c := newCaller(t)
	for _, q := range []struct {
		name, value string
		status      int
	}{
		{"Sec-Fetch-Site", "same-origin", 200}, {"Sec-Fetch-Site", "none", 200},
		{"Origin", "http://example.com", 200}, // the name by which the test asks
		{"Sec-Fetch-Site", "cross-site", 403}, {"Sec-Fetch-Site", "same-site", 403},
		{"Origin", "https://evil.example", 403}, {"Origin", "null", 403},
	} {
		r := httptest.NewRequest("POST", Prefix+"state", strings.NewReader(`{"game":"kiothi"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(q.name, q.value)
		if a := c.ask(r); a.status != q.status {
			t.Errorf("%s %s: %d %s, want %d", q.name, q.value, a.status, a.text, q.status)
		}
	}
}

// An agent that fails is a fault of the program, and told as one.
func TestAnAgentThatFailsIsToldAsAFault(t *testing.T) {
	c := caller{t, newHandler(fakes(func(context.Context) error { return errors.New("broken") }), testLimits())}
	r := httptest.NewRequest("POST", Prefix+"choose", strings.NewReader(`{"game":"rio-kadalis","agent":"greedy"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "broken") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Each kind of problem of each path can be met, but for those of connections and of time, which have tests of their own.
func TestEveryProblemOfEveryPathCanBeMet(t *testing.T) {
	met := map[string]bool{}
	for _, r := range wrongRequests {
		met[r.kind] = true
	}
	for _, kind := range []string{"malformed", "argument", "illegal-move"} {
		if !met[kind] {
			t.Errorf("no request meets %s", kind)
		}
	}
	c := newCaller(t)
	for path, e := range endpoints {
		if e.method != http.MethodPost {
			continue
		}
		for _, body := range []string{`{"game":"kiothi","moves":["+a"]}`, `{"game":"x"}`, `{`} {
			a := c.post(path, body)
			if want := map[string]int{"{": 400}[body]; a.status != want && (want != 0 || a.status != 422) {
				t.Errorf("%s %s: %d %s", path, body, a.status, a.text)
			}
		}
		for _, kind := range []string{"illegal-move", "argument"} {
			if r := describedAnswer(t, "POST", Prefix+path, 422); !slices.Contains(r.Kinds, kind) {
				t.Errorf("%s is not described to answer %s", path, kind)
			}
		}
	}
}
