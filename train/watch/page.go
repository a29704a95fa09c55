package watch

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"
)

// This file answers for the page's files and for games. No path of a request is one of the file system: the files are those in
// the program, by a list, and of a game only a number is asked.

//go:embed page
var embedded embed.FS

// contentTypes are the types of the page's files, by the ends of their names.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// pageFiles are the page's files by the pattern of their path.
var pageFiles = loadPage()

func loadPage() map[string]*pageFile {
	entries, err := fs.ReadDir(embedded, "page")
	if err != nil {
		panic("watch: the page is not in the program: " + err.Error())
	}
	files := map[string]*pageFile{}
	for _, e := range entries {
		data, err := fs.ReadFile(embedded, "page/"+e.Name())
		if err != nil {
			panic("watch: a file of the page is not in the program: " + err.Error())
		}
		pattern := "/" + e.Name()
		if e.Name() == "index.html" {
			pattern = "/{$}"
		}
		files[pattern] = &pageFile{
			kind: contentTypes[path.Ext(e.Name())],
			tag:  fmt.Sprintf("%q", fmt.Sprintf("%x", sha256.Sum256(data))[:16]),
			data: data,
		}
	}
	return files
}

// A pageFile is a file of the page.
type pageFile struct {
	kind string
	tag  string // ETag: what the browser has is asked for again, and seldom sent again
	data []byte
}

// ServeHTTP implements http.Handler.
func (f *pageFile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
}

// serveGame answers with a game of the newest iteration.
func (w *Watcher) serveGame(rw http.ResponseWriter, r *http.Request) {
	which := 0
	if text := r.URL.Query().Get("number"); text != "" {
		var err error
		if which, err = number(text); err != nil {
			http.Error(rw, fmt.Sprintf("number: found %q, expected a whole number from 1", text), http.StatusBadRequest)
			return
		}
	}
	newest := w.newest()
	if newest == 0 {
		http.Error(rw, "no game is finished yet", http.StatusNotFound)
		return
	}
	w.reading.Lock() // one file in memory at a time
	g, err := readGame(gamesPath(w.dir, newest), newest, which)
	w.reading.Unlock()
	switch {
	case errors.Is(err, errNoGame), errors.Is(err, fs.ErrNotExist):
		http.Error(rw, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(g) // a client that has left needs no answer
}
