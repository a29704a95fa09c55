package solve

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"kiothi/agent/solve/internal/sealed"
	"kiothi/env/durable"
)

// This file keeps what a solver has proved, so that it can go on later.

// format names the format of the file and its version.
const format = "kiothi-claims 1"

// maxFile is the largest size of a file that is read, in bytes.
const maxFile = 16 << 30

// A header is the line of JSON in the file.
type header struct {
	Game   string `json:"game"`
	Rules  string `json:"rules"`
	Claims int    `json:"claims"`
	Hints  int    `json:"hints"`
	Nodes  uint64 `json:"nodes"` // positions searched for them
}

// A record is a claim in the file.
type record struct {
	Own, Enemy uint64
	Rest       uint32
	Bound      int8
	AtMost     bool
	From, To   uint16
	Action     int16
}

// A hintRecord is a hint in the file.
type hintRecord struct {
	Key    uint64
	Bound  int8
	Depth  uint16
	Action int16
}

// errOutside is why the claims of some solvers are not taken out of them.
var errOutside = errors.New("what was proved with a table or a book rests on that; solve without them to save or certify it")

// Write writes all claims as a file, in the order in which they were proved, and the hints, with which a search comes back
// quickly to where it was.
func (s *Solver) Write(w io.Writer) error {
	if s.table != nil || len(s.sources) > 1 {
		return errOutside
	}
	h := header{s.game.Name(), s.game.Rules(), len(s.claims.list), s.hints.count(), s.nodes}
	return sealed.Write(w, format, gzip.BestSpeed, h, s.write)
}

func (s *Solver) write(w io.Writer) error {
	buffer := bufio.NewWriter(w)
	for i := range s.claims.list {
		c := &s.claims.list[i]
		r := record{c.board.own, c.board.enemy, c.board.rest, c.bound, c.atMost, c.clocks.from, c.clocks.to, c.action}
		if err := binary.Write(buffer, binary.LittleEndian, &r); err != nil {
			return err
		}
	}
	for i := range s.hints {
		e := &s.hints[i]
		if e.key == 0 {
			continue
		}
		if err := binary.Write(buffer, binary.LittleEndian, &hintRecord{e.key, e.bound, e.depth, e.action}); err != nil {
			return err
		}
	}
	return buffer.Flush()
}

// Load reads the claims of a file that Write wrote, in place of those that the solver has.
func (s *Solver) Load(path string) error {
	data, err := durable.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; expected a file that kiothi solve --save wrote", err)
	}
	if err != nil {
		return err
	}
	if err := s.read(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (s *Solver) read(data []byte) error {
	var h header
	body, err := sealed.Read(data, format, &h)
	if err != nil {
		return err
	}
	if h.Game != s.game.Name() || h.Rules != s.game.Rules() {
		return fmt.Errorf("it is of %s %s, expected %s %s", h.Game, h.Rules, s.game.Name(), s.game.Rules())
	}
	if h.Claims > s.claims.limit {
		return fmt.Errorf("%d claims: %w", h.Claims, ErrMemory)
	}
	s.Reset()
	buffer := bufio.NewReader(body)
	for range h.Claims {
		var r record
		if err := binary.Read(buffer, binary.LittleEndian, &r); err != nil {
			return fmt.Errorf("expected %d claims, found %d: %w", h.Claims, len(s.claims.list), err)
		}
		s.claims.add(claim{
			board: Board{r.Own, r.Enemy, r.Rest}, bound: r.Bound, atMost: r.AtMost, clocks: clocks{r.From, r.To}, action: r.Action,
		})
	}
	if h.Hints > 0 {
		s.makeHints()
	}
	for range h.Hints {
		var r hintRecord
		if err := binary.Read(buffer, binary.LittleEndian, &r); err != nil {
			return fmt.Errorf("expected %d hints, found fewer: %w", h.Hints, err)
		}
		s.hints.put(r.Key, hint{r.Bound, r.Depth, r.Action})
	}
	s.nodes = h.Nodes
	return nil
}
