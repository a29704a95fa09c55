package protocol

import (
	"bufio"
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
}

// NewReader returns a Reader of in.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, 16<<10)} }

// Next returns the next line without its end and without white space around it; a last line may lack its end. A line that
// is too long is skipped as a whole and answered by ErrTooLong, after which reading can go on. Other errors are of the
// input; io.EOF is its end.
func (r *Reader) Next() (string, error) {
	r.line = r.line[:0]
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if !long && len(r.line)+len(part) > LongestLine+len("\r\n") {
			long, r.line = true, nil
		}
		if !long {
			r.line = append(r.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return "", ErrTooLong
		case err == nil, errors.Is(err, io.EOF) && len(r.line) > 0:
			line := strings.TrimSuffix(strings.TrimSuffix(string(r.line), "\n"), "\r")
			if len(line) > LongestLine {
				return "", ErrTooLong
			}
			return strings.TrimSpace(line), nil
		}
		return "", err
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
