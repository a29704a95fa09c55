package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kiothi/agent/players"
	"kiothi/env/webserver"
)

// This file is what has to do with connections, with time, and with how much is asked at once.

// question is what the fakes of these tests are asked.
const fakeQuestion = `{"game":"rio-kadalis","agent":"greedy"}`

func TestSearchesWaitForTheirTurnAndNotForEver(t *testing.T) {
	began, let := make(chan struct{}, 10), make(chan struct{})
	l := testLimits()
	l.searches, l.waiting, l.wait = 1, 1, time.Minute
	h := newHandler(fakes(wait(began, let)), l)
	s := httptest.NewServer(h)
	defer s.Close()
	statuses := make(chan int)
	ask := func() {
		a, err := send(t.Context(), s.URL, "choose", fakeQuestion)
		if err != nil {
			t.Error(err)
		} else {
			checkAnswer(t, "POST", Prefix+"choose", a)
		}
		statuses <- a.status
	}
	go ask() // thinks
	<-began
	go ask() // waits
	for len(h.queue.waiting) == 0 {
		time.Sleep(time.Millisecond)
	}
	a, err := send(t.Context(), s.URL, "choose", fakeQuestion)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, "POST", Prefix+"choose", a)
	if p := a.problem(t); a.status != http.StatusServiceUnavailable || p.Type != problemPrefix+"busy" || a.header.Get("Retry-After") == "" {
		t.Errorf("one too many: %d %s", a.status, a.text)
	}
	// What needs no search is answered meanwhile.
	if a, err := send(t.Context(), s.URL, "legal", `{"game":"kiothi"}`); err != nil || a.status != http.StatusOK {
		t.Errorf("%v, %d %s", err, a.status, a.text)
	}
	close(let)
	for range 2 {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("whoever waited is answered with %d", status)
		}
	}
	// Whoever waits for too long, or does not wait any more, is told so, and the place is free again.
	began, let = make(chan struct{}, 10), make(chan struct{})
	l.wait = time.Millisecond
	h = newHandler(fakes(wait(began, let)), l)
	held := make(chan answer)
	c := caller{t, h}
	go func() { held <- c.post("choose", fakeQuestion) }()
	<-began
	if p := c.post("choose", fakeQuestion).problem(t); p.Type != problemPrefix+"busy" {
		t.Errorf("after the wait: %+v", p)
	}
	h.queue.wait = time.Minute
	gone, leave := context.WithCancel(t.Context())
	left := make(chan answer)
	go func() {
		r := httptest.NewRequestWithContext(gone, "POST", Prefix+"choose", strings.NewReader(fakeQuestion))
		r.Header.Set("Content-Type", "application/json")
		left <- c.ask(r)
	}()
	for len(h.queue.waiting) == 0 {
		time.Sleep(time.Millisecond)
	}
	leave()
	if p := (<-left).problem(t); p.Type != problemPrefix+"stopped" {
		t.Errorf("without a client: %+v", p)
	}
	close(let)
	if a := <-held; a.status != http.StatusOK || len(h.queue.waiting) != 0 || len(h.queue.running) != 0 {
		t.Errorf("%d %s; %d wait and %d think", a.status, a.text, len(h.queue.waiting), len(h.queue.running))
	}
}

func TestASearchThatTakesTooLongIsEnded(t *testing.T) {
	l := testLimits()
	l.time = 20 * time.Millisecond
	for kind, body := range map[string]string{
		"fake":      fakeQuestion,
		"uct":       `{"game":"kiothi","agent":"uct:sims=1000000"}`,
		"zero":      `{"game":"kiothi","agent":"zero:kiothi-quick,sims=20000","position":"` + afterOpening + `"}`,
		"perfect":   `{"game":"kiothi","agent":"perfect:nodes=10000000","position":"` + afterOpening + `"}`,
		"alphabeta": `{"game":"kiothi","agent":"alphabeta:depth=64","position":"` + afterOpening + `"}`,
	} {
		kinds := players.Kinds()
		if kind == "fake" {
			kinds = fakes(wait(make(chan struct{}, 2), nil))
		}
		for _, path := range []string{"choose", "analyse"} {
			a := caller{t, newHandler(kinds, l)}.post(path, body)
			if a.status != http.StatusGatewayTimeout {
				t.Errorf("%s: %s: %d %.300s", kind, path, a.status, a.text)
			}
		}
	}
}

func TestASearchEndsWithItsClient(t *testing.T) {
	began, ended := make(chan struct{}, 1), make(chan error)
	h := newHandler(fakes(func(ctx context.Context) error {
		began <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}), testLimits())
	s := httptest.NewServer(h)
	defer s.Close()
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-began
		leave()
	}()
	if a, err := send(ctx, s.URL, "choose", fakeQuestion); err == nil {
		t.Errorf("a client that left is answered: %s", a.text)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the search ends with %v", err)
	}
}

// When the server ends, searches are stopped, and whoever waits for them is told so.
func TestTheEndOfTheServerEndsSearches(t *testing.T) {
	server, err := webserver.Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{}, 1)
	h := webserver.Guard(server.Host(), webserver.Own, newHandler(fakes(wait(began, nil)), testLimits()))
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- server.Serve(ctx, h) }()
	go func() {
		<-began
		end()
	}()
	a, err := send(t.Context(), strings.TrimSuffix(server.URL(), "/"), "choose", fakeQuestion)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, "POST", Prefix+"choose", a)
	if p := a.problem(t); p.Type != problemPrefix+"stopped" {
		t.Errorf("%d %s", a.status, a.text)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestABodyThatDoesNotArriveIsNotWaitedFor(t *testing.T) {
	l := testLimits()
	l.readTime = 50 * time.Millisecond
	s := httptest.NewServer(newHandler(players.Kinds(), l))
	defer s.Close()
	connection, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	io.WriteString(connection, "POST /api/v1/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"game\"")
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	a := answer{response.StatusCode, response.Header, text}
	checkAnswer(t, "POST", "/api/v1/state", a)
	if a.status != http.StatusRequestTimeout || !response.Close {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// A server looks for the end of a connection while it answers. The time that it gives a request to arrive is none for the answer.
func TestASearchMayTakeLongerThanARequestTakesToArrive(t *testing.T) {
	const arrive = 50 * time.Millisecond
	h := newHandler(fakes(func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(4 * arrive):
			return nil
		}
	}), testLimits())
	s := httptest.NewUnstartedServer(h)
	s.Config.ReadTimeout = arrive
	s.Start()
	defer s.Close()
	for range 2 { // on the same connection, unless that was idle for too long
		a, err := send(t.Context(), s.URL, "choose", fakeQuestion)
		for tries := 1; err != nil && tries < 50; tries++ { // on a busy machine it takes longer to arrive now and then
			a, err = send(t.Context(), s.URL, "choose", fakeQuestion)
		}
		if err != nil || a.status != http.StatusOK {
			t.Errorf("%v, %d %s", err, a.status, a.text)
		}
	}
}

// An agent is kept for the next one who asks, and thinks for one at a time.
func TestAgentsAreKeptAndNotShared(t *testing.T) {
	h := newHandler(players.Kinds(), testLimits())
	c := caller{t, h}
	for range 3 {
		c.post("choose", `{"game":"rio-kadalis","agent":"zero:rio-kadalis-quick,sims=4"}`)
	}
	if n := len(h.agents.idle); n != 1 {
		t.Errorf("%d agents are kept, want one", n)
	}
	for _, spec := range []string{"random", "greedy", "uct:sims=1", "uct:sims=2", "uct:sims=3", "zero:rio-kadalis-quick,sims=5"} {
		c.post("choose", `{"game":"rio-kadalis","agent":"`+spec+`"}`)
	}
	if n := len(h.agents.idle); n != h.agents.kept {
		t.Errorf("%d agents are kept, want %d", n, h.agents.kept)
	}
}
