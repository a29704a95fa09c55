package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
)

// This file is what is answered when something is wrong (RFC 9457).

// A problem is an error in the form of an answer.
type problem struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Field    string `json:"field,omitempty"` // of the request, such as "moves[3]"
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Hint     string `json:"hint"`             // what to do
	Reason   string `json:"reason,omitempty"` // of an illegal move: the rule that forbids it

	allow string // the methods that there are
	retry int    // seconds after which to try again, if not 0
}

// Error implements error.
func (p *problem) Error() string { return p.Detail }

// headers are the headers of the answer.
func (p *problem) headers() map[string]string {
	headers := map[string]string{}
	if p.allow != "" {
		headers["Allow"] = p.allow
	}
	if p.retry != 0 {
		headers["Retry-After"] = strconv.Itoa(p.retry)
	}
	return headers
}

// problemPrefix begins the types of problems.
const problemPrefix = "urn:kiothi:problem:"

// kinds of problems: their titles and statuses.
var problemKinds = map[string]struct {
	title  string
	status int
}{
	"malformed":    {"The body is not the JSON that is expected", http.StatusBadRequest},
	"cross-origin": {"Pages of other servers may not ask", http.StatusForbidden},
	"not-found":    {"There is nothing at this path", http.StatusNotFound},
	"method":       {"The path is not asked by this method", http.StatusMethodNotAllowed},
	"slow-body":    {"The body did not arrive in time", http.StatusRequestTimeout},
	"too-large":    {"The body is too large", http.StatusRequestEntityTooLarge},
	"media-type":   {"The body is of another type", http.StatusUnsupportedMediaType},
	"argument":     {"A field does not have a value that can be used", http.StatusUnprocessableEntity},
	"illegal-move": {"A move is against the rules", http.StatusUnprocessableEntity},
	"failed":       {"The program failed", http.StatusInternalServerError},
	"busy":         {"Too much is being asked at once", http.StatusServiceUnavailable},
	"stopped":      {"The search was stopped", http.StatusServiceUnavailable},
	"too-long":     {"The search took too long", http.StatusGatewayTimeout},
}

// newProblem returns a problem of a kind.
func newProblem(kind, field, found, expected, hint string) *problem {
	k := problemKinds[kind]
	p := &problem{Type: problemPrefix + kind, Title: k.title, Status: k.status, Field: field, Expected: expected, Found: shortened(found), Hint: hint}
	p.Detail = fmt.Sprintf("found %s, expected %s", p.Found, expected)
	if field != "" {
		p.Detail = field + ": " + p.Detail
	}
	return p
}

// longestFound is how much of a request is repeated in an answer, in bytes.
const longestFound = 200

// shortened returns the beginning of a text.
func shortened(text string) string {
	if len(text) <= longestFound {
		return strings.ToValidUTF8(text, "�")
	}
	return strings.ToValidUTF8(text[:longestFound], "") + "…"
}

func notFound(path string) *problem {
	return newProblem("not-found", "", fmt.Sprintf("the path %q", shortened(path)), "one of "+strings.Join(paths(), ", "), "Ask for one of these; "+Prefix+"openapi.json describes them.")
}

func wrongMethod(found, expected string) *problem {
	allow := expected
	if expected == http.MethodGet {
		allow = http.MethodGet + ", " + http.MethodHead
	}
	p := newProblem("method", "", found, allow, "Ask by "+expected+".")
	p.allow = allow
	return p
}

func crossOrigin(r *http.Request) *problem {
	return newProblem("cross-origin", "", fmt.Sprintf("a request of a page from %q", shortened(r.Header.Get("Origin"))), "one of a page of this server, or of a program",
		"Let a program of your own ask on behalf of the page.")
}

func wrongMedia(header, found, expected string) *problem {
	return newProblem("media-type", "", fmt.Sprintf("%s %q", header, shortened(found)), expected, "Send the body as plain JSON in UTF-8, with Content-Type: application/json.")
}

func tooLarge(found string, most int64) *problem {
	return newProblem("too-large", "", found, fmt.Sprintf("at most %d bytes", most), "Give the position that is reached in place of all the moves that led there.")
}

func tooSlow(most time.Duration) *problem {
	return newProblem("slow-body", "", "a part of it", "the whole body within "+most.String(), "Send the body at once.")
}

func malformed(field, found, expected string) *problem {
	return newProblem("malformed", field, found, expected, "Compare the body with the description at "+Prefix+"openapi.json.")
}

// argument is a field with a value that cannot be used.
func argument(field, found, expected, hint string) *problem {
	return newProblem("argument", field, found, expected, hint)
}

// wrongAgent is an agent that cannot be had.
func wrongAgent(agent string, err error) *problem {
	p := argument("agent", fmt.Sprintf("%q", shortened(agent)), "an agent that is offered here, such as best, zero:kiothi-quick,sims=200 or alphabeta:depth=6",
		"Choose from what "+Prefix+"agents lists, within its limits.")
	p.Detail = shortenedDetail(err.Error())
	return p
}

// fields says what is expected in the fields of a game, and what to do when that is not found.
var fields = map[string]struct{ expected, hint string }{
	"game":     {"the name of a game", "Choose from what " + Prefix + "games lists."},
	"rules":    {`a rule set, or one with options that differ, such as "mancala-world,bonus=run"`, "Choose from what " + Prefix + "games lists."},
	"position": {`the text of a position, such as "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"`, "Take the position of an answer, or leave it out for the start."},
	"rounds":   {"the number of rounds of a competition of rio-kadalis", "Leave it out for a single game, or where the position says it."},
	"move":     {`a legal move: a text such as "e3", or the number of an action`, "Choose from the moves that " + Prefix + "legal lists."},
}

// problemIn makes the problem of an error in a game that a request tells of, or in a move that it asks about.
func problemIn(err error, with *view.Setup, move *view.Move) error {
	var (
		said    *view.ArgumentError
		illegal *mancala.IllegalError
		name    = "move"
		field   = "move"
	)
	if errors.As(err, &said) {
		name, field = said.Field, said.Where()
	}
	if name == "moves" {
		name, move = "move", with.Moves[said.Index]
	}
	found := ""
	switch name {
	case "game":
		found = with.Game
	case "rules":
		found = with.Rules
	case "position":
		found = with.Position
	case "move":
		found = move.String()
	}
	found = strconv.Quote(shortened(found))
	if name == "move" && move == nil {
		found = "nothing"
	}
	if with.Rounds != nil && name == "rounds" {
		found = strconv.Itoa(*with.Rounds)
	}
	f := fields[name]
	var p *problem
	switch {
	case errors.As(err, &illegal):
		p = newProblem("illegal-move", field, found, f.expected, f.hint)
		p.Reason = illegal.Reason
	case said != nil:
		p = argument(field, found, f.expected, f.hint)
	default:
		return err
	}
	p.Detail = shortenedDetail(err.Error())
	return p
}

// problemOf makes the problem of any error.
func problemOf(err error, l limits) *problem {
	var p *problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, errBusy):
		p = newProblem("busy", "", "more than is let in", fmt.Sprintf("at most %d searches at once, and %d that wait up to %s", l.searches, l.waiting, l.wait), "Ask again in a few seconds.")
		p.retry = 1 + int(l.time.Seconds())/4
	case errors.Is(err, errTime), errors.Is(err, context.DeadlineExceeded):
		p = newProblem("too-long", "", "no answer by then", "one within "+l.time.String(), "Ask for less: a smaller depth, fewer simulations or nodes, a shorter movetime.")
	case errors.Is(err, context.Canceled):
		p = newProblem("stopped", "", "an end of the connection or of the server", "a client and a server that wait for the answer", "Ask again, and keep the connection open until the answer is there.")
		p.retry = 1
	default:
		p = newProblem("failed", "", "an error", "none", "Report it, with the request that led to it.")
		p.Detail = shortenedDetail(err.Error())
	}
	return p
}

// longestDetail is how long an error is told, in bytes: some list what there is.
const longestDetail = 2000

func shortenedDetail(text string) string {
	if len(text) <= longestDetail {
		return text
	}
	return strings.ToValidUTF8(text[:longestDetail], "") + "…"
}
