// Package bridge is what the WebAssembly module offers to JavaScript, in Go: one call that takes a request as JSON and gives
// an answer as JSON. Nothing in it knows WebAssembly, so that it is built, tested and vetted like any other package.
package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"kiothi/cmd/internal/view"
	"kiothi/env/choice"
)

// This file is the border: how requests come in and answers go out.

// A Bridge holds the games, thoughts and agents of one module. It is called by one goroutine at a time.
type Bridge struct {
	games  map[int]*view.Game
	jobs   map[int]*job
	last   int // the last id given
	agents agents
}

// New returns a Bridge without games.
func New() *Bridge {
	return &Bridge{games: map[int]*view.Game{}, jobs: map[int]*job{}, agents: agents{kinds: kinds()}}
}

// id returns the next unused id.
func (b *Bridge) id() int {
	b.last++
	return b.last
}

// A request is the JSON object {"do": operation, "with": its arguments}.
type request struct {
	Do   string          `json:"do"`
	With json.RawMessage `json:"with"`
}

// An answer is the JSON object {"value": ...} or {"error": ...}.
type answer struct {
	Value any      `json:"value,omitempty"`
	Error *Failure `json:"error,omitempty"`
}

// Call carries out a request and returns the answer.
func (b *Bridge) Call(request []byte) []byte {
	var a answer
	if value, err := b.do(request); err != nil {
		a.Error = failureOf(err)
	} else {
		a.Value = value
	}
	text, err := json.Marshal(a)
	if err != nil {
		panic("bridge: an answer without a JSON form: " + err.Error())
	}
	return text
}

// do carries out a request.
func (b *Bridge) do(text []byte) (any, error) {
	var r request
	if err := decode(text, &r); err != nil {
		return nil, err
	}
	carry, ok := operations[r.Do]
	if !ok {
		return nil, &view.ArgumentError{Err: choice.Unknown("operation", r.Do, operationNames())}
	}
	return carry(b, r.With)
}

// An operation is one of the things that can be asked for.
type operation func(b *Bridge, with json.RawMessage) (any, error)

// operations are the operations by their names. It is filled by init, because some of them list the others.
var operations map[string]operation

func init() {
	operations = map[string]operation{
		"version":   of(func(*Bridge, struct{}) (any, error) { return version(), nil }),
		"games":     of(func(*Bridge, struct{}) (any, error) { return view.DescribeGames(), nil }),
		"agents":    of(func(b *Bridge, _ struct{}) (any, error) { return view.DescribeKinds(b.agents.kinds), nil }),
		"newGame":   of((*Bridge).newGame),
		"state":     ofGame(func(g *view.Game, _ inGame) (any, error) { return g.State(), nil }),
		"legal":     ofGame(func(g *view.Game, _ inGame) (any, error) { return g.Legal(), nil }),
		"play":      ofGame(func(g *view.Game, with inGame) (any, error) { return g.Play(with.Move) }),
		"whyNot":    ofGame(func(g *view.Game, with inGame) (any, error) { return whyNot(g, with.Move) }),
		"undo":      ofGame(func(g *view.Game, _ inGame) (any, error) { return undo(g), nil }),
		"history":   ofGame(func(g *view.Game, _ inGame) (any, error) { return g.History(), nil }),
		"nextRound": ofGame(func(g *view.Game, _ inGame) (any, error) { return nextRound(g) }),
		"trace":     ofGame(func(g *view.Game, with inGame) (any, error) { return g.Trace(with.Move, with.Limit, longestTrace) }),
		"board":     ofGame(func(g *view.Game, _ inGame) (any, error) { return board(g), nil }),
		"closeGame": of((*Bridge).closeGame),
		"think":     of((*Bridge).think),
		"analyse":   of((*Bridge).analyse),
		"step":      of((*Bridge).step),
		"stop":      of((*Bridge).stop),
		"model":     of(func(_ *Bridge, with named) (any, error) { return describeModel(with.Name) }),
		"forgetAgents": of(func(b *Bridge, _ struct{}) (any, error) {
			b.agents.forget()
			return nil, nil
		}),
	}
}

func operationNames() []string {
	var names []string
	for name := range operations {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// of makes an operation of a function that takes its arguments as a struct.
func of[A any](do func(*Bridge, A) (any, error)) operation {
	return func(b *Bridge, with json.RawMessage) (any, error) {
		var arguments A
		if err := decode(with, &arguments); err != nil {
			return nil, err
		}
		return do(b, arguments)
	}
}

// inGame are the arguments of operations on a game, those of all of them together.
type inGame struct {
	Game  int        `json:"game"`
	Move  *view.Move `json:"move"`
	Limit *int       `json:"limit"`
}

// ofGame makes an operation of a function on a game.
func ofGame(do func(*view.Game, inGame) (any, error)) operation {
	return of(func(b *Bridge, with inGame) (any, error) {
		g, err := b.game(with.Game)
		if err != nil {
			return nil, err
		}
		return do(g, with)
	})
}

// decode reads the JSON of a request. Its errors are told in the words of whoever wrote the request.
func decode(text []byte, into any) error {
	if len(text) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		err = fmt.Errorf("%s: found a %s, expected %s", kind.Field, kind.Value, expected[kind.Type.Kind().String()])
	} else {
		err = errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return &view.ArgumentError{Err: err}
}

// expected says what a Go type is in the words of JavaScript.
var expected = map[string]string{
	"string": "a text", "int": "a whole number", "uint64": "a whole number that is not negative",
	"slice": "an array", "struct": "an object", "ptr": "an object",
}

// version returns the module's version, with the commit that it was built from where that is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return info.Main.Version
}
