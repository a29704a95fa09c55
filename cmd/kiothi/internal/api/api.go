package api

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"kiothi/agent"
)

// This file is the handler: the paths, and how an answer goes out.

// Prefix begins the paths of the interface.
const Prefix = "/api/v1/"

// Options say how much the interface takes on. The zero value is sensible.
type Options struct {
	Searches int           // that think at once; 0: one for each processor, up to 8
	Time     time.Duration // that a request may take, once its turn has come; 0: DefaultTime
}

// DefaultTime is the time that a request may take. With waiting and reading it is less than package webserver gives an answer.
const DefaultTime = 10 * time.Second

// mostSearches is how many agents think at once where nothing is said. One takes 100 MiB at most, and as many are kept idle.
const mostSearches = 8

// limits are all the bounds of a handler.
type limits struct {
	body      int64         // bytes
	moves     int           // in a request
	laps      int           // of a relay: a rule set's limit may not be larger
	trace     int           // events in an answer
	searches  int           // that think at once
	waiting   int           // requests that wait for one of these to end
	wait      time.Duration // how long they do
	time      time.Duration // that a request may take, without the time that it waits
	readTime  time.Duration // for the body to arrive
	writeTime time.Duration // for the answer to be taken
}

// limitsOf returns the bounds that options ask for.
func limitsOf(o Options) limits {
	l := limits{
		body: 64 << 10, moves: 2000, laps: 10_000, trace: 20_000,
		searches: cmp.Or(o.Searches, min(runtime.GOMAXPROCS(0), mostSearches)), wait: 5 * time.Second, time: cmp.Or(o.Time, DefaultTime),
		readTime: 5 * time.Second, writeTime: 10 * time.Second,
	}
	l.waiting = 8 * l.searches
	return l
}

// New returns the interface, for the paths that begin with Prefix. Of the kinds it offers those that need no files and no programs
// of this machine, and of their options those that are sure to end.
func New(kinds agent.Kinds, o Options) http.Handler { return newHandler(kinds, limitsOf(o)) }

// A handler answers requests.
type handler struct {
	limits limits
	kinds  agent.Kinds
	agents shelf
	queue  *queue
	origin *http.CrossOriginProtection
}

func newHandler(kinds agent.Kinds, l limits) *handler {
	return &handler{
		limits: l, kinds: offered(kinds, l), agents: shelf{kept: l.searches},
		queue: newQueue(l.searches, l.waiting, l.wait), origin: http.NewCrossOriginProtection(),
	}
}

// An endpoint is what can be asked for at a path.
type endpoint struct {
	method string // GET, which includes HEAD, or POST
	answer func(h *handler, r *http.Request, body []byte) (any, error)
}

// endpoints are all of them, by the rest of their paths.
var endpoints = map[string]endpoint{
	"openapi.json": {http.MethodGet, func(*handler, *http.Request, []byte) (any, error) { return json.RawMessage(description), nil }},
	"games":        {http.MethodGet, func(*handler, *http.Request, []byte) (any, error) { return gamesAnswer(), nil }},
	"agents":       {http.MethodGet, func(h *handler, _ *http.Request, _ []byte) (any, error) { return h.agentsAnswer() }},
	"state":        post((*handler).state),
	"legal":        post((*handler).legal),
	"play":         post((*handler).play),
	"trace":        post((*handler).trace),
	"choose":       post((*handler).choose),
	"analyse":      post((*handler).analyse),
}

// description is the description of the interface.
//
//go:embed openapi.json
var description []byte

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := h.answer(w, r)
	kind, status := "application/json", http.StatusOK
	if err != nil {
		p := problemOf(err, h.limits)
		for name, value := range p.headers() {
			w.Header().Set(name, value)
		}
		kind, status, answer = "application/problem+json", p.Status, p
	}
	text, err := json.Marshal(answer)
	if err != nil {
		panic("api: an answer without a JSON form: " + err.Error())
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	// Where the connection knows no deadlines, the server's own have to do.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(h.limits.writeTime))
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // a client that has left misses it
}

// answer returns the answer to a request.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) (any, error) {
	path, ok := strings.CutPrefix(r.URL.Path, Prefix)
	e, known := endpoints[path]
	if !ok || !known {
		return nil, notFound(r.URL.Path)
	}
	if r.Method != e.method && (r.Method != http.MethodHead || e.method != http.MethodGet) {
		return nil, wrongMethod(r.Method, e.method)
	}
	if err := h.origin.Check(r); err != nil {
		return nil, crossOrigin(r)
	}
	var body []byte
	if e.method == http.MethodPost {
		var err error
		if body, err = h.read(w, r); err != nil {
			return nil, err
		}
	}
	return e.answer(h, r, body)
}

// paths returns the paths of the interface in order.
func paths() []string {
	var all []string
	for path := range endpoints {
		all = append(all, Prefix+path)
	}
	slices.Sort(all)
	return all
}
