package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// This file reads lines from a peer that may send anything.

// LongestLine is the longest line in bytes that either side reads, its end not counted. A position with all moves of a long
// game takes some thousands.
const LongestLine = 1 << 20

// ErrTooLong is the error of a line that is longer than LongestLine.
var ErrTooLong = fmt.Errorf("a line is longer than %d bytes", LongestLine)

// A Reader reads lines in bounded memory.
type Reader struct {
	in   *bufio.Reader
	line []byte
	skip bool // the rest of a line that is too long
}

// NewReader returns a Reader of in.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, 16<<10)} }

// Next returns the next line without its end and without white space around it; a last line may lack its end. A line that
// is too long is answered by ErrTooLong as soon as that is known, after which reading can go on with the next line. Other
// errors are of the input; io.EOF is its end.
func (r *Reader) Next() (string, error) {
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		end := err == nil || errors.Is(err, io.EOF)
		if r.skip {
			if err == nil {
				r.skip = false
			} else if !errors.Is(err, bufio.ErrBufferFull) {
				return "", err
			}
			continue
		}
		r.line = append(r.line, part...)
		line := r.line
		if end {
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		}
		switch {
		case len(line) > LongestLine:
			r.skip = err != nil
			return "", ErrTooLong
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, end && len(line) > 0:
			return string(bytes.TrimSpace(line)), nil
		default:
			return "", err
		}
	}
}

// Shown writes what a peer said so that it can stand in one line of text: quoted, and cut where it is long.
func Shown(text string) string {
	const most = 200
	if len(text) > most {
		return fmt.Sprintf("%q... (%d bytes)", text[:most], len(text))
	}
	return fmt.Sprintf("%q", text)
}

// OneLine puts an error's text into one line of bounded length.
func OneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	const most = 1000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
