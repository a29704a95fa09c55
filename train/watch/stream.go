package watch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// This file is the stream of updates, as server-sent events. A browser that loses it asks again by itself, and is told all.

// The bounds of streams.
const (
	maxStreams = 64
	// A stream that has nothing to say says so, that a client which has left without a word is found out.
	beatEvery = 15 * time.Second
	// How long a client may take for an update.
	sendTimeout = 10 * time.Second
)

// A stream sends updates to any number of clients.
type stream struct {
	watcher *Watcher
	open    atomic.Int32
}

// ServeHTTP implements http.Handler.
func (s *stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.open.Add(1) > maxStreams {
		s.open.Add(-1)
		http.Error(w, fmt.Sprintf("%d pages are open already: close some", maxStreams), http.StatusServiceUnavailable)
		return
	}
	defer s.open.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	send := func(format string, args ...any) bool {
		if control.SetWriteDeadline(time.Now().Add(sendTimeout)) != nil {
			return false
		}
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && control.Flush() == nil
	}
	// The whole request has been read; that no more comes is no reason to end.
	if control.SetReadDeadline(time.Time{}) != nil || !send("retry: 1000\n\n") {
		return
	}
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	reader := reader{watcher: s.watcher}
	for {
		update, changed := reader.next()
		data, err := json.Marshal(update)
		if err != nil {
			panic("watch: an update that is no JSON: " + err.Error()) // each line of it was checked
		}
		if !send("data: %s\n\n", data) || update.Last {
			return
		}
		for waiting := true; waiting; {
			select {
			case <-changed:
				waiting = false
			case <-beat.C:
				if !send(": nothing new\n\n") {
					return
				}
			case <-r.Context().Done():
				// The server ends, or the client has left. What was told last is told here, too.
				if update, _ := reader.next(); update.Last {
					data, err := json.Marshal(update)
					if err == nil {
						send("data: %s\n\n", data)
					}
				}
				return
			}
		}
	}
}
