package watch

import (
	"context"
	"embed"
	"io/fs"
	"net/http"

	"kiothi/env/webserver"
)

// This file serves the page of a run.

//go:embed page
var embedded embed.FS

// pageFiles are the handlers of the page's files by the pattern of their path.
var pageFiles = loadPage()

func loadPage() map[string]http.Handler {
	page, err := fs.Sub(embedded, "page")
	if err == nil {
		var files map[string]http.Handler
		if files, err = webserver.Files(page); err == nil {
			return files
		}
	}
	panic("watch: the page is not in the program: " + err.Error())
}

// Serve follows the run and serves its page until ctx ends.
func Serve(ctx context.Context, s *webserver.Server, w *Watcher) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go w.follow(ctx)
	// The streams of updates end with ctx, and so do not hold up the server's end.
	return s.Serve(ctx, newHandler(w, s.Host()))
}

// newHandler returns the handler of all requests. host is the one of the address that is listened at.
func newHandler(w *Watcher, host string) http.Handler {
	mux := http.NewServeMux()
	for pattern, file := range pageFiles {
		mux.Handle("GET "+pattern, file)
	}
	mux.Handle("GET /updates", &stream{watcher: w})
	mux.HandleFunc("GET /game", w.serveGame)
	return webserver.Guard(host, webserver.Own, mux)
}
