package api

import (
	"context"
	"fmt"

	"kiothi/agent/release"
	"kiothi/cmd/internal/view"
)

// This file is what can be asked: the fields of requests and answers, and how one leads to the other.

type gamesBody struct {
	Games []view.GameInfo `json:"games"`
}

func gamesAnswer() gamesBody { return gamesBody{view.DescribeGames()} }

// agentsBody is who can be asked, and how much.
type agentsBody struct {
	Agents []view.KindInfo `json:"agents"`
	Models []modelInfo     `json:"models"` // that agents can play with
	Limits limitsInfo      `json:"limits"`
}

type modelInfo struct {
	Name   string  `json:"name"`
	Game   string  `json:"game"`
	Rules  string  `json:"rules"`
	Rating float64 `json:"rating"`
}

type limitsInfo struct {
	Body     int64   `json:"body"`
	Moves    int     `json:"moves"`
	Events   int     `json:"events"`
	Searches int     `json:"searches"`
	Seconds  float64 `json:"seconds"`
}

func (h *handler) agentsAnswer() (agentsBody, error) {
	l := h.limits
	answer := agentsBody{
		Agents: view.DescribeKinds(h.kinds), Models: []modelInfo{},
		Limits: limitsInfo{Body: l.body, Moves: l.moves, Events: l.trace, Searches: l.searches, Seconds: l.time.Seconds()},
	}
	carried, err := release.Carried()
	for _, r := range carried {
		answer.Models = append(answer.Models, modelInfo{r.Name, r.Game, r.Rules, r.Rating})
	}
	return answer, err
}

type stateBody struct {
	Info    view.Info     `json:"info"`
	State   view.State    `json:"state"`
	History []view.Played `json:"history"` // what the moves of the request did
}

func (h *handler) state(ctx context.Context, asked view.Setup) (any, error) {
	g, err := h.begin(ctx, &asked)
	if err != nil {
		return nil, err
	}
	return stateBody{g.Info(), g.State(), g.History()}, nil
}

type legalBody struct {
	State view.State       `json:"state"`
	Moves []view.LegalMove `json:"moves"`
}

func (h *handler) legal(ctx context.Context, asked view.Setup) (any, error) {
	g, err := h.begin(ctx, &asked)
	if err != nil {
		return nil, err
	}
	return legalBody{g.State(), g.Legal()}, nil
}

// withMove is a game and a move in it.
type withMove struct {
	view.Setup
	Move *view.Move `json:"move"`
}

type playBody struct {
	Played view.Played `json:"played"`
	State  view.State  `json:"state"`
}

func (h *handler) play(ctx context.Context, asked withMove) (any, error) {
	g, err := h.begin(ctx, &asked.Setup)
	if err != nil {
		return nil, err
	}
	played, err := g.Play(asked.Move)
	if err != nil {
		return nil, problemIn(err, &asked.Setup, asked.Move)
	}
	return playBody{played, g.State()}, nil
}

// traced is a move to be told.
type traced struct {
	view.Setup
	Move  *view.Move `json:"move"`
	Limit *int       `json:"limit"`
}

func (h *handler) trace(ctx context.Context, asked traced) (any, error) {
	g, err := h.begin(ctx, &asked.Setup)
	if err != nil {
		return nil, err
	}
	if n := asked.Limit; n != nil && (*n < 0 || *n > h.limits.trace) {
		return nil, argument("limit", fmt.Sprint(*n), fmt.Sprintf("a number of events from 0 to %d", h.limits.trace), "Ask for fewer events, or leave the limit out.")
	}
	told, err := g.Trace(asked.Move, asked.Limit, h.limits.trace)
	if err != nil {
		return nil, problemIn(err, &asked.Setup, asked.Move)
	}
	return told, nil
}

// question is a game, and who is asked what to play in it.
type question struct {
	view.Setup
	Agent string `json:"agent"`
	Seed  uint64 `json:"seed"`
}

func (h *handler) choose(ctx context.Context, asked question) (any, error) {
	return think(ctx, h, &asked, (*view.Thinker).Think)
}

func (h *handler) analyse(ctx context.Context, asked question) (any, error) {
	return think(ctx, h, &asked, (*view.Thinker).Analyse)
}

// think asks an agent, when its turn has come.
func think[A any](ctx context.Context, h *handler, asked *question, ask func(*view.Thinker, context.Context) (A, error)) (any, error) {
	game, err := h.begin(ctx, &asked.Setup)
	if err != nil {
		return nil, err
	}
	g, s := game.Record.Game(), game.Record.State()
	if s.Over() {
		return nil, argument("position", "the end of the game: "+g.Format(&s), "a position in which somebody is to move", "Nothing is left to play here.")
	}
	if err := h.acceptable(g, asked.Agent); err != nil {
		return nil, err
	}
	if err := h.queue.enter(ctx); err != nil {
		return nil, err
	}
	defer h.queue.leave()
	a, err := h.agents.take(h.kinds, g, asked.Agent)
	if err != nil {
		return nil, wrongAgent(asked.Agent, err)
	}
	defer h.agents.give(a)
	limited, cancel := context.WithTimeoutCause(ctx, h.limits.time, errTime)
	defer cancel()
	answer, err := ask(&view.Thinker{Game: g, Agent: a.agent, Spec: asked.Agent, State: s, Seed: asked.Seed}, limited)
	if err != nil && limited.Err() != nil {
		return nil, context.Cause(limited)
	}
	return answer, err
}
