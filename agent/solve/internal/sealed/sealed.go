// Package sealed is the form of the solver's files: a line that names the format, a line of JSON, a body as gzip, and the
// SHA-256 of all that.
package sealed

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
)

// Write writes a file. format is the name of the format and its version, and level that of gzip's compression.
func Write(w io.Writer, format string, level int, header any, body func(io.Writer) error) error {
	sum := sha256.New()
	out := io.MultiWriter(w, sum)
	line, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%s\n%s\n", format, line); err != nil {
		return err
	}
	packed, err := gzip.NewWriterLevel(out, level)
	if err != nil {
		return err
	}
	if err := body(packed); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// remedy is what to do where a file is not sound.
const remedy = "put a copy of it back, or make it again with kiothi solve"

// Read reads the content of a file of a format: its line of JSON into header, and the rest to be read.
func Read(data []byte, format string, header any) (io.Reader, error) {
	rest, err := after(data, format)
	if err != nil {
		return nil, err
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, fmt.Errorf("it is damaged or not whole: its checksum is %x, expected %x; %s", sum[:4], data[end:][:4], remedy)
	}
	body, err := readHeader(rest, header)
	if err != nil {
		return nil, err
	}
	return gzip.NewReader(bytes.NewReader(body))
}

// ReadHeader reads the line of JSON alone, in no time. Whether the file is sound it does not look.
func ReadHeader(data []byte, format string, header any) error {
	rest, err := after(data, format)
	if err != nil {
		return err
	}
	_, err = readHeader(rest, header)
	return err
}

// after returns what stands between a file's first line, which has to name the format, and its checksum.
func after(data []byte, format string) ([]byte, error) {
	rest, ok := bytes.CutPrefix(data, []byte(format+"\n"))
	if !ok {
		return nil, fmt.Errorf("it does not begin with %q: expected a file written by kiothi solve, of this version", format)
	}
	if len(rest) < sha256.Size {
		return nil, fmt.Errorf("it is cut off: %d bytes follow its first line, expected %d or more; %s", len(rest), sha256.Size, remedy)
	}
	return rest[:len(rest)-sha256.Size], nil
}

// readHeader reads the line of JSON and returns what follows it.
func readHeader(rest []byte, header any) (body []byte, err error) {
	line, body, _ := bytes.Cut(rest, []byte("\n"))
	if err := json.Unmarshal(line, header); err != nil {
		return nil, fmt.Errorf("its second line: %w", err)
	}
	return body, nil
}
