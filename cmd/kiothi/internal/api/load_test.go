package api

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kiothi/agent/players"
	"kiothi/env/webserver"
)

// This file is a server under load: many who ask, while others are slow, send rubbish, or leave in the middle.

var load = flag.Duration("load", 2*time.Second, "how long the test of a server under load takes; a quarter of it with -short")

// goodQuestions are asked by clients that behave, and have to be answered. Where there are searches, they may have to come back.
var goodQuestions = []struct{ path, body string }{
	{"state", `{"game":"kiothi","moves":["eh:a3c2J5","EH:A3C2j5"]}`},
	{"legal", `{"game":"kiothi","position":"` + afterOpening + `"}`},
	{"play", `{"game":"rio-kadalis","moves":["c"],"move":"C"}`},
	{"trace", `{"game":"rio-kadalis","move":"c"}`},
	{"choose", `{"game":"rio-kadalis","agent":"zero:rio-kadalis-quick,sims=8"}`},
	{"choose", `{"game":"kiothi","agent":"alphabeta:nodes=500,hash=1","position":"` + afterOpening + `"}`},
	{"analyse", `{"game":"kiothi","agent":"policy:kiothi-quick"}`},
}

func TestAServerUnderLoadAnswersAndEndsAsItBegan(t *testing.T) {
	duration := *load
	if testing.Short() {
		duration /= 4
	}
	goroutines, heap := runtime.NumGoroutine(), heapInUse()
	func() {
		server, err := webserver.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l := limitsOf(Options{})
		l.readTime, l.time, l.wait = 200*time.Millisecond, time.Minute, time.Minute // no machine is too slow for those who behave
		ctx, end := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() {
			served <- server.Serve(ctx, webserver.Guard("", webserver.Own, newHandler(players.Kinds(), l)))
		}()

		w := &crowd{t: t, url: strings.TrimSuffix(server.URL(), "/"), until: time.Now().Add(duration)}
		w.address = strings.TrimPrefix(w.url, "http://")
		w.clients(12, w.good)
		w.clients(8, w.dribble)
		w.clients(4, w.broken)
		w.clients(4, w.halfClosed)
		w.clients(4, w.vanishing)
		w.clients(4, w.deaf)
		w.Wait()
		// Whoever comes now is served as before.
		for _, q := range goodQuestions {
			a, err := send(t.Context(), w.url, q.path, q.body)
			for (err != nil || a.status == http.StatusServiceUnavailable) && time.Now().Before(w.until.Add(time.Minute)) { // searches of those who left
				time.Sleep(10 * time.Millisecond)
				a, err = send(t.Context(), w.url, q.path, q.body)
			}
			if err != nil || a.status != http.StatusOK {
				t.Errorf("after the load: %s: %v, %d %s", q.path, err, a.status, a.text)
			}
		}
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
		t.Logf("%d answers, %d told to come back, %d of %d slow bodies cut", w.answered.Load(), w.busy.Load(), w.cut.Load(), w.dribbled.Load())
		if !w.loaded() {
			t.Error("there was no load")
		}
	}()
	http.DefaultClient.CloseIdleConnections()
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > goroutines && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines are left, there were %d:\n%s", n, goroutines, stacks[:runtime.Stack(stacks, true)])
	}
	const room = 32 << 20
	if now := heapInUse(); now > heap+room {
		t.Errorf("%d MiB of memory are left, there were %d", now>>20, heap>>20)
	}
}

// heapInUse returns the bytes of what is still needed.
func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep what they have for one more collection
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A crowd is all the clients.
type crowd struct {
	sync.WaitGroup
	t            *testing.T
	url, address string
	until        time.Time

	answered, busy, dribbled, cut atomic.Int64
}

// clients lets a number of clients do something again and again.
func (w *crowd) clients(n int, do func(rng *rand.Rand)) {
	for i := range n {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		w.Go(func() {
			for time.Now().Before(w.until) || !w.loaded() && time.Now().Before(w.until.Add(time.Minute)) {
				do(rng)
			}
		})
	}
}

// loaded reports whether the server has had something to do: questions were answered, and slow bodies cut.
func (w *crowd) loaded() bool { return w.answered.Load() > 0 && w.cut.Load() > 0 }

// good asks what can be answered.
func (w *crowd) good(rng *rand.Rand) {
	q := goodQuestions[rng.IntN(len(goodQuestions))]
	a, err := send(w.t.Context(), w.url, q.path, q.body)
	for tries := 1; err != nil && tries < 10; tries++ { // the server has had enough of a client that got no time to speak
		a, err = send(w.t.Context(), w.url, q.path, q.body)
	}
	searches := q.path == "choose" || q.path == "analyse"
	switch {
	case err != nil:
		w.t.Errorf("%s: %v", q.path, err)
	case a.status == http.StatusOK:
		w.answered.Add(1)
	case a.status == http.StatusServiceUnavailable && searches:
		w.busy.Add(1)
	default:
		w.t.Errorf("%s %s: %d %s", q.path, q.body, a.status, a.text)
	}
	if err == nil {
		checkAnswer(w.t, "POST", Prefix+q.path, a)
	}
}

// talk opens a connection and says something on it.
func (w *crowd) talk(text string) (net.Conn, bool) {
	connection, err := net.Dial("tcp", w.address)
	if err != nil {
		w.t.Error(err)
		return nil, false
	}
	// An error is the server's good right: it may have had enough.
	_, err = io.WriteString(connection, text)
	return connection, err == nil
}

// head is the beginning of a request whose body has a length.
func head(path string, length int) string {
	return fmt.Sprintf("POST %s%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", Prefix, path, length)
}

// dribble sends a body byte by byte, and far too slowly.
func (w *crowd) dribble(*rand.Rand) {
	body := `{"game":"kiothi"` + strings.Repeat(" ", 500) + `}`
	c, ok := w.talk(head("state", len(body)))
	if !ok {
		return
	}
	defer c.Close()
	w.dribbled.Add(1)
	for i := range len(body) {
		if _, err := io.WriteString(c, body[i:i+1]); err != nil {
			break
		}
		c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if ne, late := err.(net.Error); late && ne.Timeout() {
			continue
		}
		if err != nil {
			break // cut without a word, when it wrote in the moment in which it was cut
		}
		if response.StatusCode != http.StatusRequestTimeout || !response.Close {
			w.t.Errorf("a slow body is answered with %s", response.Status)
		}
		w.cut.Add(1)
		return
	}
}

// broken sends what is no request, or no body.
func (w *crowd) broken(rng *rand.Rand) {
	rubbish := make([]byte, rng.IntN(3000))
	for i := range rubbish {
		rubbish[i] = byte(rng.Uint32())
	}
	texts := []string{
		string(rubbish),
		head("state", len(rubbish)) + string(rubbish),
		head("choose", 5000) + string(rubbish[:len(rubbish)/2]),
		head("state", 1<<40) + "{",
		head("legal", -1),
		"POST /api/v1/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{",
		"GET /api/v1/games HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		head("state", 4) + "[[[[" + "GET",
	}
	c, ok := w.talk(texts[rng.IntN(len(texts))])
	if c == nil {
		return
	}
	defer c.Close()
	if !ok || rng.IntN(2) == 0 {
		return
	}
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	text, _ := io.ReadAll(io.LimitReader(c, 1<<16))
	if bytes.HasPrefix(text, []byte("HTTP/1.1 2")) || bytes.HasPrefix(text, []byte("HTTP/1.1 5")) {
		w.t.Errorf("rubbish is answered with %.200s", text)
	}
}

// halfClosed closes its side of the connection behind the question. It is answered, or told that the search was stopped.
func (w *crowd) halfClosed(rng *rand.Rand) {
	q := goodQuestions[rng.IntN(len(goodQuestions))]
	c, ok := w.talk(head(q.path, len(q.body)) + q.body)
	if !ok {
		return
	}
	defer c.Close()
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		return
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return // the server takes it for a client that has left
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusServiceUnavailable {
		w.t.Errorf("%s on a connection that is half closed: %s", q.path, response.Status)
	}
}

// vanishing leaves in the middle of a long search.
func (w *crowd) vanishing(rng *rand.Rand) {
	body := `{"game":"kiothi","agent":"uct:sims=1000000","position":"` + afterOpening + `"}`
	if c, _ := w.talk(head("choose", len(body)) + body); c != nil {
		time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
		c.Close()
	}
}

// deaf asks for long answers, again and again on one connection, and takes none.
func (w *crowd) deaf(*rand.Rand) {
	body := `{"game":"kiothi","position":"` + afterOpening + `"}`
	c, ok := w.talk("")
	if !ok {
		return
	}
	defer c.Close()
	c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	for range 2000 {
		if _, err := io.WriteString(c, head("legal", len(body))+body); err != nil {
			return
		}
	}
}
