package watch

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// This file is the watcher: it reads a run again and again, and tells those who look at it.

// A Status says what a run is doing.
type Status string

// The statuses.
const (
	Waiting  Status = "waiting"  // there is no run yet
	Training Status = "training" // it is being trained
	Stopped  Status = "stopped"  // it is not complete, and no process of this machine trains it
	Finished Status = "finished" // it is complete
	Failed   Status = "failed"   // training ended with an error
	Gone     Status = "gone"     // there was a run, and now there is none
)

// An Update is what a page is told: the run as it is, and the lines of metrics.jsonl that it does not know yet.
type Update struct {
	Status Status `json:"status"`
	About  *About `json:"about"` // null while there is no run
	// Reset says that Lines are all lines, from the first; otherwise they follow those of the update before.
	Reset  bool              `json:"reset"`
	Lines  []json.RawMessage `json:"lines"`
	Newest int               `json:"newest"` // iteration whose games are on disk, 0 for none
	Last   bool              `json:"last"`   // nothing comes after this update, for the program ends
}

// The times of watching.
const (
	pollEvery = 500 * time.Millisecond
	// A run that nobody has open is called stopped only after so long without news: a program may just be opening it, and one
	// on another machine that shares the folder cannot be seen.
	stoppedAfter = 3 * time.Second
)

// A Watcher follows a run. It is safe for concurrent use.
type Watcher struct {
	dir string
	own bool // this process trains the run, and says how it ends

	reading sync.Mutex // held while a file of games is read

	mu      sync.Mutex
	run     folder
	status  Status
	last    bool
	epoch   int           // grows when lines that were told are void
	news    time.Time     // when something last changed
	changed chan struct{} // closed at the next change
}

// New returns a watcher of the run in a folder, which need not be there yet. own says that this process trains the run, and
// will call End.
func New(dir string, own bool) *Watcher {
	w := &Watcher{dir: dir, own: own, run: folder{dir: dir}, changed: make(chan struct{}), status: Waiting}
	w.poll(time.Now())
	return w
}

// follow reads the run every now and then, until ctx ends.
func (w *Watcher) follow(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			w.poll(now)
		}
	}
}

// End reads the run for the last time and tells, with what is new in it, how its training ended.
func (w *Watcher) End(s Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read()
	w.status, w.last = s, true
	w.tell()
}

// Status returns what the run is doing.
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// poll reads the run.
func (w *Watcher) poll(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last {
		return
	}
	// First whether somebody has the run, and then what is in it: whoever has left it has written everything, so that a run
	// that is complete is never told to have stopped before.
	owned := !w.own && w.run.owned()
	changed := w.read()
	if changed {
		w.news = now
	}
	if status := w.statusAt(now, owned); status != w.status {
		w.status = status
		changed = true
	}
	if changed {
		w.tell()
	}
}

// read reads what is new in the run, and says whether anything is.
func (w *Watcher) read() bool {
	changed, rewritten := w.run.read()
	if rewritten {
		w.epoch++
	}
	return changed
}

// statusAt says what the run is doing. owned says that somebody had it open before it was read.
func (w *Watcher) statusAt(now time.Time, owned bool) Status {
	switch {
	case w.own:
		return Training
	case w.run.about == nil && (w.status == Waiting || w.status == ""):
		return Waiting
	case w.run.about == nil:
		return Gone
	case w.run.complete(): // whoever may have the number of the process that had it
		return Finished
	case owned:
		return Training
	case w.status == Training && now.Sub(w.news) < stoppedAfter:
		return Training
	}
	return Stopped
}

// tell wakes those who wait for a change.
func (w *Watcher) tell() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// A reader is a page that is told of updates, one after the other.
type reader struct {
	watcher *Watcher
	epoch   int
	known   int // lines told
	begun   bool
}

// next returns what the page does not know, and a channel that is closed when there is more.
func (r *reader) next() (Update, <-chan struct{}) {
	w := r.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	u := Update{Status: w.status, About: w.run.about, Newest: w.run.newest, Last: w.last}
	if !r.begun || r.epoch != w.epoch {
		u.Reset = true
		r.known = 0
	}
	u.Lines = append([]json.RawMessage{}, w.run.lines[r.known:]...)
	r.begun, r.epoch, r.known = true, w.epoch, len(w.run.lines)
	return u, w.changed
}

// newest returns the newest iteration whose games are on disk, 0 for none.
func (w *Watcher) newest() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.run.newest
}
