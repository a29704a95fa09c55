package durable

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// This file reads files whose names a person gives: nothing that has no end, and nothing that may never begin.

// Open opens a regular file to read. A directory, a device and a named pipe are refused before they are opened, because to
// open a pipe may wait for ever.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is %s, expected a regular file", kindOf(mode))}
	}
	return os.Open(path)
}

// kindOf says what is no regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// ReadHead reads the first n bytes of a regular file, or all of a shorter one.
func ReadHead(path string, n int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, n))
}

// ReadFile reads a regular file of at most limit bytes whole.
func ReadFile(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	tooLarge := func(size string) error {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has %s bytes, expected a file of at most %d", size, limit)}
	}
	if info.Size() > limit {
		return nil, tooLarge(fmt.Sprint(info.Size()))
	}
	// Of a file that grows meanwhile no more is read than fits.
	data := make([]byte, 0, info.Size()+1)
	for {
		n, err := file.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, tooLarge("more")
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
