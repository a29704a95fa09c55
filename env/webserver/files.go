package webserver

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"
)

// This file serves files that are in the program. No path of a request is one of the file system.

// contentTypes are the types of files, by the ends of their names.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
	".gz":   "application/gzip", // as it is, not as an encoding of something else

	".safetensors": "application/octet-stream",
	".nnue":        "application/octet-stream",
}

// Files returns a handler for each file of a file system, by the pattern of its path for an http.ServeMux: "/page/main.js" of the
// file page/main.js, and "/page/{$}" of page/index.html. Of a file whose type is not known it returns an error.
func Files(files fs.FS) (map[string]http.Handler, error) {
	handlers := map[string]http.Handler{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		handler, err := File(name, data)
		if err != nil {
			return err
		}
		pattern := "/" + name
		if dir, base := path.Split(pattern); base == "index.html" {
			pattern = dir + "{$}"
		}
		handlers[pattern] = handler
		return nil
	})
	return handlers, err
}

// File returns a handler that serves the bytes of a file. Its type follows from the end of its name; it is an error when that is
// not known.
func File(name string, data []byte) (http.Handler, error) {
	kind, ok := contentTypes[path.Ext(name)]
	if !ok {
		return nil, fmt.Errorf("file %s: there is no content type for %q", name, path.Ext(name))
	}
	return &file{kind: kind, tag: fmt.Sprintf("\"%.16x\"", sha256.Sum256(data)), data: data}, nil
}

// A file is served from memory.
type file struct {
	kind string
	tag  string // ETag: what the browser has is asked for again, and seldom sent again
	data []byte
}

// ServeHTTP implements http.Handler.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
}
