package sealed

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

func TestWhatIsSealedReadsBack(t *testing.T) {
	var file bytes.Buffer
	err := Write(&file, "test 1", gzip.BestSpeed, map[string]int{"n": 3}, func(w io.Writer) error {
		_, err := w.Write([]byte("body"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var header map[string]int
	body, err := Read(file.Bytes(), "test 1", &header)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(body); err != nil || string(got) != "body" || header["n"] != 3 {
		t.Errorf("read back %q, %v (%v)", got, header, err)
	}
	header = nil
	if err := ReadHeader(file.Bytes(), "test 1", &header); err != nil || header["n"] != 3 {
		t.Errorf("the header reads back as %v, %v", header, err)
	}
	if _, err := Read(file.Bytes(), "test 2", &header); err == nil {
		t.Error("another version was read")
	}
	if err := ReadHeader(file.Bytes(), "test 2", &header); err == nil {
		t.Error("the header of another version was read")
	}
	for i := range file.Bytes() {
		bad := bytes.Clone(file.Bytes())
		bad[i] ^= 1
		if _, err := Read(bad, "test 1", &header); err == nil {
			t.Errorf("a flipped bit in byte %d was not noticed", i)
		}
		if _, err := Read(file.Bytes()[:i], "test 1", &header); err == nil {
			t.Errorf("cut after %d bytes, and nothing was said", i)
		}
	}
}
