package framed

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"testing"
)

var format = Format{Magic: "kiothitt", Version: 3, Name: "table of a test", Body: "numbers", Remedy: "run the test again"}

type description struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

var (
	theDescription = description{"é", 40}
	theBody        = []byte(strings.Repeat("0123", 10))
)

// written returns a file with a body.
func written(t *testing.T, body []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	err := format.Write(&file, theDescription, flate.BestCompression, func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// sealed returns a file without its checksum with the one that it has.
func sealed(whole []byte) []byte {
	return binary.LittleEndian.AppendUint32(bytes.Clone(whole), crc32.Checksum(whole, castagnoli))
}

// unsealed returns a copy of a file without its checksum.
func unsealed(data []byte) []byte { return bytes.Clone(data[:len(data)-sumSize]) }

// readAll reads a file with a body of as many bytes as theBody has.
func readAll(data []byte) (description, []byte, error) {
	var d description
	body, err := format.Read(data, &d)
	if err != nil {
		return d, nil, err
	}
	content := make([]byte, len(theBody))
	if _, err := io.ReadFull(body, content); err != nil {
		return d, nil, err
	}
	return d, content, body.End()
}

func TestAFileIsReadAsItWasWritten(t *testing.T) {
	d, body, err := readAll(written(t, theBody))
	if err != nil || d != theDescription || !bytes.Equal(body, theBody) {
		t.Errorf("%+v, %q, %v; want %+v and %q", d, body, err, theDescription, theBody)
	}
}

// What older programs wrote stays readable. The compressed body may differ from what is written today.
func TestTheLayoutIsTheDocumentedOne(t *testing.T) {
	const (
		magic       = "6b696f7468697474"
		version     = "03000000"
		length      = "17000000"
		description = "7b226e616d65223a22c3a9222c2273697a65223a34307d" // {"name":"é","size":40}
		body        = "012800d7ff"                                     // a block of 40 bytes as they are, the last
	)
	whole, err := hex.DecodeString(magic + version + length + description + body + hex.EncodeToString(theBody))
	if err != nil {
		t.Fatal(err)
	}
	d, got, err := readAll(sealed(whole))
	if err != nil || d != theDescription || !bytes.Equal(got, theBody) {
		t.Errorf("%+v, %q, %v; want %+v and %q", d, got, err, theDescription, theBody)
	}
}

func TestATornFileIsRefused(t *testing.T) {
	whole := written(t, theBody)
	for length := range whole {
		if _, _, err := readAll(whole[:length]); err == nil {
			t.Errorf("the first %d bytes of %d are read", length, len(whole))
		}
	}
}

func TestAnAlteredFileIsRefused(t *testing.T) {
	whole := written(t, theBody)
	for bit := range 8 * len(whole) {
		whole[bit/8] ^= 1 << (bit % 8)
		if _, _, err := readAll(whole); err == nil {
			t.Errorf("with bit %d of byte %d flipped it is read", bit%8, bit/8)
		}
		whole[bit/8] ^= 1 << (bit % 8)
	}
}

// Files that have the right checksum are refused as well, and the error says what is expected, what is found and what to do.
func TestErrorsSayWhatIsWrongAndWhatToDo(t *testing.T) {
	good := written(t, theBody)
	edited := func(edit func(whole []byte) []byte) []byte { return sealed(edit(unsealed(good))) }
	length := func(n uint32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[headSize-4:], n)
			return b
		}
	}
	flipped := bytes.Clone(good)
	flipped[len(good)/2] ^= 4
	for what, c := range map[string]struct {
		data  []byte
		wants []string
	}{
		"no file":               {nil, []string{"it is no table of a test", `begins with ""`, `expected "kiothitt"`}},
		"another file":          {[]byte("a diary, and a long one at that"), []string{`begins with "a diary,"`, `expected "kiothitt"`}},
		"a head alone":          {good[:17], []string{"ends after 17 bytes"}},
		"torn":                  {good[:len(good)-1], []string{"damaged or not whole", "expected"}},
		"a flipped bit":         {flipped, []string{"damaged or not whole", "expected"}},
		"a byte more":           {append(bytes.Clone(good), 0), []string{"damaged or not whole"}},
		"another version":       {edited(func(b []byte) []byte { b[8] = 9; return b }), []string{"version 9, expected 3"}},
		"a long description":    {edited(length(math.MaxUint32)), []string{"description has 4294967295 bytes"}},
		"a description cut off": {edited(length(10)), []string{"description cannot be read"}},
		"another description":   {edited(func(b []byte) []byte { return bytes.Replace(b, []byte(`:40}`), []byte(`:""}`), 1) }), []string{"description cannot be read"}},
		"a longer body":         {written(t, append(theBody, 'x')), []string{"more follows its numbers"}},
		"bytes after the body":  {edited(func(b []byte) []byte { return append(b, 1, 2, 3) }), []string{"3 bytes follow its numbers"}},
	} {
		_, _, err := readAll(c.data)
		if err == nil {
			t.Errorf("%s: it is read", what)
			continue
		}
		for _, want := range append(c.wants, "; run the test again") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %q, want one with %q", what, err, want)
			}
		}
	}
}

func TestABodyThatEndsEarlyIsRefused(t *testing.T) {
	if _, _, err := readAll(written(t, theBody[:39])); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("of a shorter body: %v", err)
	}
	whole := unsealed(written(t, theBody))
	start := headSize + int(binary.LittleEndian.Uint32(whole[headSize-4:]))
	for length := start; length < len(whole); length++ {
		if _, _, err := readAll(sealed(whole[:length])); err == nil {
			t.Errorf("the first %d bytes of a body of %d are read", length-start, len(whole)-start)
		}
	}
}

// A small file that expands to a large body costs no more than what is read of it.
func TestABodyIsExpandedOnlyAsFarAsItIsRead(t *testing.T) {
	const size = 64 << 20
	data := written(t, make([]byte, size))
	var d description
	body, err := format.Read(data, &d)
	if err != nil {
		t.Fatal(err)
	}
	if err := body.Holds(size); err != nil {
		t.Errorf("a body of %d bytes in %d: %v", size, body.size, err)
	}
	if err := body.Holds(mostPacked*uint64(body.size) + 1); err == nil || !strings.Contains(err.Error(), "cannot hold") {
		t.Errorf("of a size that cannot be the error is %v", err)
	}
	if err := body.Holds(math.MaxUint64); err == nil {
		t.Error("the body is said to hold any size")
	}
	if _, err := io.ReadFull(body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	if err := body.End(); err == nil {
		t.Error("of a body that is not read to its end End says nothing")
	}
	if left := body.packed.Len(); left < body.size/2 {
		t.Errorf("of %d bytes only %d are left, though little was read", body.size, left)
	}
}

func TestWriteReturnsWhatFails(t *testing.T) {
	broken := errors.New("no more space")
	body := func(io.Writer) error { return broken }
	if err := format.Write(io.Discard, theDescription, flate.BestSpeed, body); !errors.Is(err, broken) {
		t.Errorf("where the body fails: %v", err)
	}
	body = func(w io.Writer) error {
		_, err := w.Write(theBody)
		return err
	}
	for room := range len(written(t, theBody)) {
		if err := format.Write(&full{room: room, err: broken}, theDescription, flate.BestSpeed, body); !errors.Is(err, broken) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
	if err := format.Write(io.Discard, func() {}, flate.BestSpeed, body); err == nil {
		t.Error("a description that JSON cannot hold is written")
	}
	if err := format.Write(io.Discard, theDescription, 99, body); err == nil {
		t.Error("there is no level 99, and it is taken")
	}
}

// full is a writer with room for some bytes.
type full struct {
	room int
	err  error
}

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, f.err
	}
	f.room -= len(p)
	return len(p), nil
}

func TestAMagicWordOfAnotherLengthIsABug(t *testing.T) {
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "expected 8") {
			t.Errorf("the panic says %s", said)
		}
	}()
	short := Format{Magic: "short"}
	short.Write(io.Discard, theDescription, flate.BestSpeed, func(io.Writer) error { return nil })
}
