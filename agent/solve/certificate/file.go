package certificate

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"kiothi/agent/solve/internal/sealed"
	"kiothi/env/durable"
	"kiothi/env/games"
)

// This file is a certificate on disk. The claims are sorted and held field by field, each field of all claims as varints, in
// the order of the fields: they pack well so.

// name names the format, and format its version as well.
const (
	name   = "kiothi-certificate "
	format = name + "1"
)

// maxClaims is the largest number of claims that is read.
const maxClaims = 1 << 28

// maxFile is the largest size of a file that is read, in bytes; those of Rio Kadalis have some 20 million.
const maxFile = 4 << 30

// A Header is the line of JSON.
type Header struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Low      int    `json:"low"`
	High     int    `json:"high"`
	Claims   int    `json:"claims"` // their number
}

// ReadHeader reads what a certificate is of from the content of a file, without its claims. It does not see whether they are
// damaged, as Read does.
func ReadHeader(data []byte) (Header, error) {
	var h Header
	err := sealed.ReadHeader(data, format, &h)
	return h, err
}

// Write writes a certificate. The claims get sorted.
func (c *Certificate) Write(w io.Writer) error {
	g, err := games.Open(c.Game, c.Rules)
	if err != nil {
		return err
	}
	h := Header{c.Game, c.Rules, c.Position, c.Low, c.High, len(c.Claims)}
	return sealed.Write(w, format, gzip.BestCompression, h, func(body io.Writer) error {
		return writeClaims(body, g.Width(), c.Claims)
	})
}

// writeClaims sorts claims and writes them field by field.
func writeClaims(w io.Writer, width int, claims []Claim) error {
	var a, b []uint64
	slices.SortFunc(claims, func(x, y Claim) int {
		a, b = x.fields(width, a[:0]), y.fields(width, b[:0])
		return slices.Compare(a, b)
	})
	columns := make([][]byte, 2*width+otherFields)
	for i := range claims {
		a = claims[i].fields(width, a[:0])
		for f, v := range a {
			columns[f] = binary.AppendUvarint(columns[f], v)
		}
	}
	for _, column := range columns {
		if _, err := w.Write(column); err != nil {
			return err
		}
	}
	return nil
}

// IsFile reports whether a file is one of a certificate, whole or not, by how it begins.
func IsFile(path string) (bool, error) {
	head, err := durable.ReadHead(path, int64(len(name)))
	return string(head) == name, err
}

// Open reads a certificate from a file. A damaged one is refused; whether what it says is true is for Verify to find out.
func Open(path string) (*Certificate, error) {
	data, err := durable.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; expected a certificate that kiothi solve --out wrote", err)
	}
	if err != nil {
		return nil, err
	}
	c, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Read reads a certificate from the content of a file.
func Read(data []byte) (*Certificate, error) {
	var h Header
	body, err := sealed.Read(data, format, &h)
	if err != nil {
		return nil, err
	}
	if h.Claims < 0 || h.Claims > maxClaims {
		return nil, fmt.Errorf("it has %d claims, expected 0 to %d", h.Claims, maxClaims)
	}
	g, err := games.Open(h.Game, h.Rules)
	if err != nil {
		return nil, err
	}
	claims, err := readClaims(bufio.NewReader(body), g.Width(), h.Claims)
	if err != nil {
		return nil, fmt.Errorf("its claims: %w", err)
	}
	return &Certificate{h.Game, h.Rules, h.Position, h.Low, h.High, claims}, nil
}

// readClaims reads what writeClaims wrote, and nothing after it.
func readClaims(r *bufio.Reader, width, n int) ([]Claim, error) {
	columns := make([][]uint64, 2*width+otherFields)
	for f := range columns {
		for range n {
			v, err := binary.ReadUvarint(r)
			if err != nil {
				return nil, fmt.Errorf("expected %d claims, found fewer: %w", n, err)
			}
			columns[f] = append(columns[f], v)
		}
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, errors.New("expected nothing after the last one")
	}
	claims := make([]Claim, n)
	fields := make([]uint64, len(columns))
	for i := range claims {
		for f := range columns {
			fields[f] = columns[f][i]
		}
		if !claims[i].setFields(width, fields) {
			return nil, fmt.Errorf("number %d of %d holds a value that no claim can have", i+1, n)
		}
	}
	return claims, nil
}
