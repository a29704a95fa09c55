package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"kiothi/env/webserver"
	"kiothi/env/webserver/webservertest"
	"kiothi/train/runfiles"
)

// serve returns a server of a run with two games, and its watcher, which reads when it is told to.
func serve(t *testing.T, own bool) (*httptest.Server, *Watcher, string) {
	t.Helper()
	dir := runFolder(t, "kiothi")
	write(t, filepath.Join(dir, runfiles.Metrics), line(1))
	writeGames(t, dir, "kiothi", 1, 2)
	w := New(dir, own)
	s := httptest.NewServer(newHandler(w, "localhost"))
	t.Cleanup(s.Close)
	return s, w, dir
}

func TestThePageNeedsNothingFromOutside(t *testing.T) {
	s, _, _ := serve(t, true)
	response, page := webservertest.Ask(t, "GET", s.URL+"/", "", nil)
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("the page: %s, %s", response.Status, response.Header.Get("Content-Type"))
	}
	policy := response.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "*") {
		t.Errorf("the policy is %q", policy)
	}
	if response.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Error("browsers may guess types")
	}
	// What the page and its scripts name is served; nothing of it is elsewhere.
	names := regexp.MustCompile(`(?:src|href)="([^"]*)"|from '\./([^']*)'`)
	seen := map[string]bool{}
	for todo := []string{page}; len(todo) > 0; todo = todo[1:] {
		for _, found := range names.FindAllStringSubmatch(todo[0], -1) {
			name := found[1] + found[2]
			if seen[name] {
				continue
			}
			seen[name] = true
			response, text := webservertest.Ask(t, "GET", s.URL+"/"+name, "", nil)
			if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") == "" {
				t.Errorf("%s: %s, %q", name, response.Status, response.Header.Get("Content-Type"))
			}
			todo = append(todo, text)
		}
	}
	if len(seen) != len(pageFiles)-1 {
		t.Errorf("the page names %d files, want all %d", len(seen), len(pageFiles)-1)
	}
	response, _ = webservertest.Ask(t, "GET", s.URL+"/main.js", "", nil)
	again, _ := webservertest.Ask(t, "GET", s.URL+"/main.js", "", http.Header{"If-None-Match": {response.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("what the browser has is sent again: %s", again.Status)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	s, _, _ := serve(t, true)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/index.html", 404},
		{"GET", "/page/main.js", 404},
		{"GET", "/..%2fmetrics.jsonl", 404},
		{"GET", "/config.toml", 404},
		{"GET", "/games/000001.kgr", 404},
		{"POST", "/", 405},
		{"PUT", "/game", 405},
		{"DELETE", "/updates", 405},
		{"GET", "/game?number=0", 400},
		{"GET", "/game?number=-1", 400},
		{"GET", "/game?number=..", 400},
		{"GET", "/game?number=99999999999999999999", 400},
		{"GET", "/game?number=3", 404},
		{"GET", "/game?number=2", 200},
		{"HEAD", "/game", 200},
		{"HEAD", "/updates", 200},
		{"HEAD", "/", 200},
	} {
		if response, _ := webservertest.Ask(t, c.method, s.URL+c.path, "", nil); response.StatusCode != c.status {
			t.Errorf("%s %s: %s, want %d", c.method, c.path, response.Status, c.status)
		}
	}
}

func TestAGameIsServedAsJSON(t *testing.T) {
	s, w, dir := serve(t, true)
	response, body := webservertest.Ask(t, "GET", s.URL+"/game", "", nil)
	var g Game
	if err := json.Unmarshal([]byte(body), &g); err != nil || response.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%v: %s", err, body[:min(len(body), 100)])
	}
	if g.Iteration != 1 || g.Number != 2 || len(g.Turns) < 5 {
		t.Errorf("got game %d of iteration %d with %d turns, want the last", g.Number, g.Iteration, len(g.Turns))
	}
	writeGames(t, dir, "kiothi", 2, 1)
	w.poll(time.Now())
	if _, body := webservertest.Ask(t, "GET", s.URL+"/game", "", nil); !strings.HasPrefix(body, `{"iteration":2,"number":1,"games":1,`) {
		t.Errorf("got %s, want the new iteration's", body[:min(len(body), 100)])
	}
	write(t, runfiles.GamesOf(dir, 2), "no games")
	if response, body := webservertest.Ask(t, "GET", s.URL+"/game", "", nil); response.StatusCode != 500 || !strings.Contains(body, "000002.kgr") {
		t.Errorf("a file of something else: %s, %s", response.Status, body)
	}
}

// A stream reads updates.
type updates struct {
	body io.ReadCloser
	in   *bufio.Scanner
}

func follow(t *testing.T, url string) *updates {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", url+"/updates", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s, %s", response.Status, response.Header.Get("Content-Type"))
	}
	return &updates{response.Body, bufio.NewScanner(response.Body)}
}

// next returns the next update, or false at the stream's end.
func (u *updates) next(t *testing.T) (Update, bool) {
	t.Helper()
	for u.in.Scan() {
		if data, ok := strings.CutPrefix(u.in.Text(), "data: "); ok {
			var update Update
			if err := json.Unmarshal([]byte(data), &update); err != nil {
				t.Fatal(err)
			}
			return update, true
		}
	}
	return Update{}, false
}

func TestUpdatesComeAsTheyHappenAndEndWithTheTraining(t *testing.T) {
	s, w, dir := serve(t, true)
	stream := follow(t, s.URL)
	if u, ok := stream.next(t); !ok || !u.Reset || texts(u.Lines) != line(1) || u.Newest != 1 || u.Status != Training {
		t.Fatalf("told %+v", u)
	}
	write(t, filepath.Join(dir, runfiles.Metrics), line(1)+line(2))
	w.poll(time.Now())
	if u, ok := stream.next(t); !ok || u.Reset || texts(u.Lines) != line(2) {
		t.Fatalf("told %+v, want the second line", u)
	}
	write(t, filepath.Join(dir, runfiles.Metrics), line(1)+line(2)+evaluated(2, "random", 10))
	w.End(Finished)
	if u, ok := stream.next(t); !ok || !u.Last || u.Status != Finished || texts(u.Lines) != evaluated(2, "random", 10) {
		t.Fatalf("told %+v, want the end with its evaluation", u)
	}
	if u, ok := stream.next(t); ok {
		t.Errorf("after the end comes %+v", u)
	}
}

// What is new when a training ends is told together with the end, however the reader is scheduled.
func TestTheEndIsOneUpdate(t *testing.T) {
	for range 100 {
		dir := runFolder(t, "kiothi")
		w := New(dir, true)
		r := reader{watcher: w}
		_, changed := r.next()
		told := make(chan Update)
		go func() {
			for {
				select {
				case <-changed:
					u, _ := r.next()
					told <- u
					return
				default:
					runtime.Gosched()
				}
			}
		}()
		write(t, filepath.Join(dir, runfiles.Metrics), line(1))
		w.End(Finished)
		if u := <-told; !u.Last || u.Status != Finished || texts(u.Lines) != line(1) {
			t.Fatalf("told %+v, want the line and the end", u)
		}
	}
}

func TestTooManyStreamsAreRefused(t *testing.T) {
	s, _, _ := serve(t, true)
	var open []*updates
	for range maxStreams {
		u := follow(t, s.URL)
		u.next(t)
		open = append(open, u)
	}
	if response, _ := webservertest.Ask(t, "GET", s.URL+"/updates", "", nil); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one more: %s", response.Status)
	}
	open[0].body.Close()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if response, _ := webservertest.Ask(t, "HEAD", s.URL+"/updates", "", nil); response.StatusCode == 200 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the place of a client that has left is not free again")
		}
	}
}

// A server ends in good order while streams are open, and tells them how the training ended.
func TestAServerEndsWithOpenStreams(t *testing.T) {
	dir := runFolder(t, "kiothi")
	w := New(dir, true)
	s, err := webserver.Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, s, w) }()
	first, second := follow(t, strings.TrimSuffix(s.URL(), "/")), follow(t, strings.TrimSuffix(s.URL(), "/"))
	first.next(t)
	second.next(t)
	w.End(Stopped)
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, u := range []*updates{first, second} {
		if u, ok := u.next(t); !ok || !u.Last || u.Status != Stopped {
			t.Errorf("told %+v, want the end", u)
		}
	}
}

func TestServingFollowsTheRun(t *testing.T) {
	dir := runFolder(t, "kiothi")
	s, err := webserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, s, New(dir, true)) }()
	stream := follow(t, strings.TrimSuffix(s.URL(), "/"))
	stream.next(t)
	write(t, filepath.Join(dir, runfiles.Metrics), line(1))
	if u, ok := stream.next(t); !ok || texts(u.Lines) != line(1) {
		t.Errorf("told %+v, want the line", u)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
