package replay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"kiothi/env/durable"
	"kiothi/env/mancala"
)

// This file is the file of records: eight bytes of magic, the format version (4 bytes), and chunks. A chunk is the length
// of its content (4 bytes), the CRC-32C of length and content (4 bytes), and the content, whose first byte is its kind.
// The first chunk says which game and rules were played (JSON), each further one holds a game, and the last the number of
// games, so that a file that was cut between two games is known to be cut. All numbers are little-endian.

// Format is the version of the file.
const Format = 1

// Extension ends the names of files of records.
const Extension = ".kgr"

// FileName returns the name of the file with the games of an iteration, such as "000012.kgr".
func FileName(iteration int) string { return fmt.Sprintf("%06d", iteration) + Extension }

// magic begins every file. Like PNG's, it shows a file that was carried as text or as seven bits.
const magic = "\x89KGR\r\n\x1a\n"

// The kinds of chunks.
const (
	kindHeader = 'H'
	kindGame   = 'G'
	kindEnd    = 'E'
)

// maxChunk is the largest content of a chunk, in bytes; a game has some kilobytes.
const maxChunk = 1 << 24

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Header says which game the records are of.
type Header struct {
	Game  string `json:"game"`
	Rules string `json:"rules"` // canonical text
}

// HeaderOf returns the header for records of a game.
func HeaderOf(rules mancala.Game) Header { return Header{rules.Name(), rules.Rules()} }

// A Writer writes records.
type Writer struct {
	out   io.Writer
	chunk []byte
	games uint64
}

// NewWriter begins a file of records.
func NewWriter(out io.Writer, header Header) (*Writer, error) {
	w := &Writer{out: out}
	if _, err := out.Write(binary.LittleEndian.AppendUint32([]byte(magic), Format)); err != nil {
		return nil, err
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	w.begin(kindHeader)
	w.chunk = append(w.chunk, text...)
	return w, w.end()
}

// Write writes a game, finished or not.
func (w *Writer) Write(g *Game) error {
	w.begin(kindGame)
	var err error
	if w.chunk, err = appendGame(w.chunk, g); err != nil {
		return err
	}
	w.games++
	return w.end()
}

// Close ends the file of records. It does not close what it was written to.
func (w *Writer) Close() error {
	w.begin(kindEnd)
	w.chunk = binary.AppendUvarint(w.chunk, w.games)
	return w.end()
}

// begin starts a chunk, with room for its length and checksum.
func (w *Writer) begin(kind byte) {
	w.chunk = append(w.chunk[:0], 0, 0, 0, 0, 0, 0, 0, 0, kind)
}

// end writes the chunk.
func (w *Writer) end() error {
	content := w.chunk[8:]
	if len(content) > maxChunk {
		return fmt.Errorf("found a record of %d bytes, expected at most %d", len(content), maxChunk)
	}
	binary.LittleEndian.PutUint32(w.chunk, uint32(len(content)))
	binary.LittleEndian.PutUint32(w.chunk[4:], chunkSum(w.chunk[:4], content))
	_, err := w.out.Write(w.chunk)
	return err
}

// chunkSum returns the checksum of a chunk.
func chunkSum(length, content []byte) uint32 {
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, content)
}

// A DamageError says that a file of records is cut or altered. The games before that place are sound.
type DamageError struct {
	Path   string
	Offset int64 // where the chunk begins that is not sound, in bytes
	Games  int   // sound games before it
	Torn   bool  // the file ends too soon; otherwise its bytes are not those that were written
	Reason string
}

// Error names the file, the place, what is wrong, what can still be read, and what to do.
func (e *DamageError) Error() string {
	what, rest := "altered", "what follows cannot be read"
	if e.Torn {
		what, rest = "cut off", "the rest is missing"
	}
	return fmt.Sprintf("%s: %s at byte %d: %s; the %d games before it are sound, %s: put a copy of the file back", e.Path, what, e.Offset, e.Reason, e.Games, rest)
}

// A Reader reads records.
type Reader struct {
	in      *bufio.Reader
	path    string
	header  Header
	content bytes.Buffer
	offset  int64 // of the chunk to be read
	games   int
}

// NewReader begins to read a file of records; path is its name in errors.
func NewReader(in io.Reader, path string) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, 1<<16), path: path}
	var start [len(magic) + 4]byte
	if n, err := io.ReadFull(r.in, start[:]); err != nil {
		if short(err) {
			return nil, r.damage(true, "found %d bytes, expected at least %d", n, len(start))
		}
		return nil, err
	}
	if string(start[:len(magic)]) != magic {
		return nil, fmt.Errorf("%s: found %q at its beginning, expected a file of game records, which begins with %q", path, start[:len(magic)], magic)
	}
	if version := binary.LittleEndian.Uint32(start[len(magic):]); version != Format {
		return nil, fmt.Errorf("%s: found format version %d, expected %d; use the kiothi that wrote it", path, version, Format)
	}
	r.offset = int64(len(start))
	content, err := r.chunk()
	if err != nil {
		return nil, err
	}
	if content[0] != kindHeader {
		return nil, r.damage(false, "found a chunk of kind %q, expected %q", content[0], kindHeader)
	}
	if err := json.Unmarshal(content[1:], &r.header); err != nil {
		return nil, r.damage(false, "header: %v", err)
	}
	r.advance(content)
	return r, nil
}

// Header returns which game the records are of.
func (r *Reader) Header() Header { return r.header }

// Next returns the next game, and io.EOF after the last. The error is a *DamageError where the file is not sound. What
// comes back has the right form; whether it is a game by the rules is for Game.Check to say.
func (r *Reader) Next() (*Game, error) {
	content, err := r.chunk()
	if err != nil {
		return nil, err
	}
	switch kind, content := content[0], content[1:]; kind {
	case kindGame:
		g, err := decodeGame(content)
		if err != nil {
			return nil, r.damage(false, "game: %v", err)
		}
		r.games++
		r.advance(r.content.Bytes())
		return g, nil
	case kindEnd:
		if n, size := binary.Uvarint(content); size != len(content) || n != uint64(r.games) {
			return nil, r.damage(false, "found %d games, expected %d", r.games, n)
		}
		if _, err := r.in.ReadByte(); err == nil {
			return nil, r.damage(false, "found bytes after the last chunk, expected none")
		} else if err != io.EOF {
			return nil, err
		}
		return nil, io.EOF
	default:
		return nil, r.damage(false, "found a chunk of kind %q, expected %q or %q", kind, kindGame, kindEnd)
	}
}

// chunk reads a chunk and returns its content, which has a byte or more and is valid until the next call.
func (r *Reader) chunk() ([]byte, error) {
	var head [8]byte
	if n, err := io.ReadFull(r.in, head[:]); err != nil {
		if short(err) {
			return nil, r.damage(true, "found %d bytes of a chunk, and no last chunk before it", n)
		}
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size < 1 || size > maxChunk {
		return nil, r.damage(false, "found a chunk of %d bytes, expected 1 to %d", size, maxChunk)
	}
	// The buffer grows with what is read, not with what the length claims.
	r.content.Reset()
	if n, err := io.CopyN(&r.content, r.in, int64(size)); err != nil {
		if short(err) {
			return nil, r.damage(true, "found %d bytes of a chunk of %d", n, size)
		}
		return nil, err
	}
	content := r.content.Bytes()
	if want, got := binary.LittleEndian.Uint32(head[4:]), chunkSum(head[:4], content); got != want {
		return nil, r.damage(false, "found the checksum %08x, expected %08x", got, want)
	}
	return content, nil
}

// advance notes that a chunk was sound.
func (r *Reader) advance(content []byte) { r.offset += 8 + int64(len(content)) }

// damage returns the error for the chunk at hand.
func (r *Reader) damage(torn bool, format string, args ...any) error {
	return &DamageError{Path: r.path, Offset: r.offset, Games: r.games, Torn: torn, Reason: fmt.Sprintf(format, args...)}
}

// short reports whether an error says that the file ended.
func short(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// WriteFile writes a file of records, which appears under its name when it is complete.
func WriteFile(path string, header Header, games []*Game) error {
	err := durable.WriteFile(path, func(out io.Writer) error {
		w, err := NewWriter(out, header)
		if err != nil {
			return err
		}
		for _, g := range games {
			if err := w.Write(g); err != nil {
				return err
			}
		}
		return w.Close()
	})
	if err != nil {
		return fmt.Errorf("writing game records: %w", err)
	}
	return nil
}

// ReadFile reads a file of records. With a *DamageError it returns the games that are sound as well.
func ReadFile(path string) (Header, []*Game, error) {
	file, err := durable.Open(path)
	if err != nil {
		return Header{}, nil, fmt.Errorf("reading game records: %w", err)
	}
	defer file.Close()
	r, err := NewReader(file, path)
	if err != nil {
		return Header{}, nil, err
	}
	var games []*Game
	for {
		g, err := r.Next()
		if err == io.EOF {
			return r.header, games, nil
		}
		if err != nil {
			return r.header, games, err
		}
		games = append(games, g)
	}
}
