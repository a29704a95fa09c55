package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"kiothi/cmd/internal/view"
	"kiothi/env/choice"
)

// This file reads requests.

// read reads the body of a request.
func (h *handler) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := parameters["charset"]
	if err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, wrongMedia("Content-Type", r.Header.Get("Content-Type"), "application/json")
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, wrongMedia("Content-Encoding", encoding, "none")
	}
	if r.ContentLength > h.limits.body {
		return nil, tooLarge(fmt.Sprintf("%d bytes", r.ContentLength), h.limits.body)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(h.limits.readTime)) // where that cannot be, the server's own has to do
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.limits.body))
	if err != nil {
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			return nil, tooLarge("more", h.limits.body)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, tooSlow(h.limits.readTime)
		}
		return nil, malformed("", fmt.Sprintf("%d bytes, and then an end (%v)", len(body), err), "a whole body")
	}
	// From now on the server looks whether the client is there. A deadline in the past would look as if it was not.
	_ = control.SetReadDeadline(time.Time{})
	return body, nil
}

// decode reads the JSON object of a body, whose fields have the given names.
func decode(body []byte, names []string, into any) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil {
		return wrongJSON(err)
	}
	for name := range given { // package json would take "GAME" for "game"
		if !slices.Contains(names, name) {
			p := malformed("", fmt.Sprintf("a field %q", shortened(name)), "the fields "+strings.Join(names, ", "))
			p.Detail = choice.Unknown("field", shortened(name), names).Error()
			return p
		}
	}
	if err := json.Unmarshal(body, into); err != nil {
		return wrongJSON(err)
	}
	return nil
}

// wrongJSON makes the problem of an error of package json.
func wrongJSON(err error) error {
	var (
		kind   *json.UnmarshalTypeError
		syntax *json.SyntaxError
		move   *view.ArgumentError
	)
	switch {
	case errors.As(err, &kind):
		return malformed(strings.TrimPrefix(kind.Field, "Setup."), kind.Value, expectedTypes[kind.Type.Kind()])
	case errors.As(err, &move):
		return malformed("moves", move.Error(), `texts such as "e3", or numbers of actions`)
	case errors.As(err, &syntax):
		return malformed("", fmt.Sprintf("%s (at byte %d)", syntax, syntax.Offset), "one JSON object")
	}
	return malformed("", err.Error(), "one JSON object")
}

// expectedTypes says what a Go type is in the words of JSON.
var expectedTypes = map[reflect.Kind]string{
	reflect.String: "a text", reflect.Int: "a whole number", reflect.Uint64: "a whole number that is not negative",
	reflect.Slice: "an array", reflect.Map: "an object", reflect.Struct: "an object", reflect.Pointer: "an object",
}

// post makes an endpoint of a function that takes the fields of a request as a struct.
func post[A any](do func(h *handler, ctx context.Context, asked A) (any, error)) endpoint {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[A]()) {
		if name := f.Tag.Get("json"); name != "" {
			names = append(names, name)
		}
	}
	return endpoint{http.MethodPost, func(h *handler, r *http.Request, body []byte) (any, error) {
		var asked A
		if err := decode(body, names, &asked); err != nil {
			return nil, err
		}
		return do(h, r.Context(), asked)
	}}
}

// begin goes to where the game of a request stands.
func (h *handler) begin(ctx context.Context, with *view.Setup) (*view.Game, error) {
	if n := len(with.Moves); n > h.limits.moves {
		return nil, argument("moves", fmt.Sprintf("%d moves", n), fmt.Sprintf("at most %d moves", h.limits.moves), "Give the position that is reached, and only the moves after it.")
	}
	start := *with
	start.Moves = nil
	g, err := start.Begin(ctx)
	if err != nil {
		return nil, problemIn(err, with, nil)
	}
	if laps := g.Record.Game().LapLimit(); laps > h.limits.laps {
		return nil, argument("rules", fmt.Sprintf("lap_limit=%d", laps), fmt.Sprintf("a lap_limit of at most %d", h.limits.laps), "Leave lap_limit out, or lower it.")
	}
	if g, err = with.Begin(ctx); err != nil {
		return nil, problemIn(err, with, nil)
	}
	return g, nil
}
