package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"kiothi/train/runfiles"
)

// This file answers for games. No path of a request is one of the file system: of a game only a number is asked.

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
	g, err := readGame(runfiles.GamesOf(w.dir, newest), newest, which)
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
