package events

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// This file is the writer, and what it does with the files of those before it.

// The name of a file is prefix, a number of ten digits, and suffix. TensorBoard reads a folder's files in the order of their
// names, and takes all that hold "tfevents". The suffix tells the files of this package from others in the folder.
const (
	prefix = "events.out.tfevents."
	suffix = ".kiothi"
)

// A Writer appends events to a file of its own. It is not safe for concurrent use.
type Writer struct {
	file   *os.File
	last   map[string]int64 // the newest step of each tag
	buffer []byte
}

// Open begins a new file in a folder, for a run whose state is that after a step. What earlier files of this package say of
// later steps is cut off, as is a record that a crash has torn; a TensorBoard that has read it already is told to forget it.
// So a run that was killed, and does some steps again, writes none of them twice. No other process may write there.
func Open(dir string, step int64, now time.Time) (*Writer, error) {
	names, err := fileNames(dir)
	if err != nil {
		return nil, fmt.Errorf("TensorBoard's files: %w", err)
	}
	w := &Writer{last: map[string]int64{}}
	number := now.Unix()
	for _, name := range names {
		if err := w.cut(filepath.Join(dir, name), step); err != nil {
			return nil, fmt.Errorf("cutting TensorBoard's file: %w", err)
		}
		// The new file comes after all others, whatever the clock says.
		if n, err := numberOf(name); err == nil {
			number = max(number, n+1)
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("%s%010d%s", prefix, number, suffix))
	if w.file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
		return nil, fmt.Errorf("TensorBoard's file: %w", err)
	}
	first := appendVersion(appendEvent(nil, 0, now))
	start := appendSessionStart(appendEvent(nil, step+1, now))
	if err := w.write(first, start); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// fileNames returns the names of the files of this package in a folder, sorted.
func fileNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// numberOf returns the number in a file's name.
func numberOf(name string) (int64, error) {
	return strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(name, prefix), suffix), 10, 64)
}

// cut cuts a file at the first record of a step after the one given, or that is none, and notes what stays.
func (w *Writer) cut(path string, step int64) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	sound, err := w.read(file, step)
	if err == nil {
		err = truncate(file, sound)
	}
	return errors.Join(err, file.Close())
}

// truncate shortens a file, if it is longer than that.
func truncate(file *os.File, size int64) error {
	info, err := file.Stat()
	if err != nil || info.Size() == size {
		return err
	}
	return file.Truncate(size)
}

// read notes the newest step of each tag up to the step given, and returns the number of bytes that hold them.
func (w *Writer) read(file io.Reader, step int64) (sound int64, err error) {
	r := bufio.NewReaderSize(file, 1<<16)
	for {
		message, err := readRecord(r)
		if errors.Is(err, errTorn) || err == io.EOF {
			return sound, nil
		}
		if err != nil {
			return 0, err
		}
		at, tags, err := inspect(message)
		// The session's start has no value, and the step that is to come.
		if err != nil || at > step && len(tags) > 0 {
			return sound, nil
		}
		for _, tag := range tags {
			w.last[tag] = max(w.last[tag], at)
		}
		sound += int64(headSize + len(message) + tailSize)
	}
}

// Add appends the values at a step, 1 or more, as one record, which TensorBoard sees at once. A value whose tag has one at this
// step or a later one is left out. After an error no more can be added.
func (w *Writer) Add(step int64, now time.Time, values ...Value) error {
	var fresh []Value
	for _, v := range values {
		if w.last[v.Tag] < step {
			w.last[v.Tag] = step
			fresh = append(fresh, v)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return w.write(appendSummary(appendEvent(nil, step, now), fresh))
}

// write appends records.
func (w *Writer) write(messages ...[]byte) error {
	w.buffer = w.buffer[:0]
	for _, message := range messages {
		w.buffer = appendRecord(w.buffer, message)
	}
	if _, err := w.file.Write(w.buffer); err != nil {
		return fmt.Errorf("TensorBoard's file: %w", err)
	}
	return nil
}

// Close closes the file.
func (w *Writer) Close() error { return w.file.Close() }
