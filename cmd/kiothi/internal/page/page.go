// Package page is a page to play on: a board for both games in a browser, with the rules engine and the players in a
// WebAssembly module that the page brings along. It is a set of static files, which the program serves, or writes into a folder
// for any web host; nothing of it asks another server for anything.
//
// The module is static/kiothi.wasm.gz, made out of the source by
//
//	go generate ./cmd/kiothi/internal/page
package page

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"

	"kiothi/agent/release"
	npm "kiothi/cmd/kiothi-wasm/npm"
	"kiothi/env/webserver"
)

//go:generate go run ./module static/kiothi.wasm.gz

// moduleFile is the WebAssembly module. It travels compressed, whatever the host, and the page unpacks it.
const moduleFile = "kiothi.wasm.gz"

//go:embed static
var static embed.FS

// Files are the files of a page, by their paths with slashes, such as engine/kiothi.mjs.
type Files map[string][]byte

// Read returns the files of the page: index.html and what it needs, in engine the modules of the npm package, and in models the
// released bots that the program carries, which models.json lists.
func Read() (Files, error) {
	files := Files{}
	own, err := fs.Sub(static, "static")
	if err != nil {
		return nil, err
	}
	if err := files.add(own, "."); err != nil {
		return nil, err
	}
	if files[moduleFile] == nil {
		return nil, fmt.Errorf("the program was built without %s: run go generate ./cmd/kiothi/internal/page, and build it again", moduleFile)
	}
	if err := files.add(npm.Modules, "engine"); err != nil {
		return nil, err
	}
	if err := files.addModels(release.Carried, release.Files()); err != nil {
		return nil, err
	}
	return files, nil
}

// add adds the files of a file system, below a folder.
func (f Files) add(files fs.FS, folder string) error {
	return fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		f[path.Join(folder, name)] = data
		return err
	})
}

// A listedModel is what models.json says of a released bot. Its files are models/NAME/FILE.
type listedModel struct {
	Name   string   `json:"name"`
	Game   string   `json:"game"`
	Rules  string   `json:"rules"`
	Agent  string   `json:"agent"`
	Rating float64  `json:"rating"`
	Files  []string `json:"files"`
}

// addModels adds released bots, and the list of them.
func (f Files) addModels(releases func() ([]release.Release, error), carried fs.FS) error {
	all, err := releases()
	if err != nil {
		return err
	}
	list := []listedModel{}
	for _, r := range all {
		folder, err := fs.Sub(carried, r.Name)
		if err != nil {
			return err
		}
		if err := f.add(folder, path.Join("models", r.Name)); err != nil {
			return err
		}
		m := listedModel{Name: r.Name, Game: r.Game, Rules: r.Rules, Agent: r.Agent, Rating: r.Rating, Files: []string{}}
		entries, err := fs.ReadDir(folder, ".")
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() {
				m.Files = append(m.Files, e.Name())
			}
		}
		list = append(list, m)
	}
	f["models.json"], err = json.Marshal(list)
	return err
}

// Handlers returns a handler for each file by the pattern of its path, for an http.ServeMux.
func (f Files) Handlers() (map[string]http.Handler, error) {
	handlers := map[string]http.Handler{}
	for name, data := range f {
		handler, err := webserver.File(name, data)
		if err != nil {
			return nil, err
		}
		pattern := "GET /" + name
		if name == "index.html" {
			handlers["GET /{$}"] = handler
		}
		handlers[pattern] = handler
	}
	return handlers, nil
}
