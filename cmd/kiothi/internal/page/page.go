// Package page is a page to play on: a board for both games in a browser, with the rules engine and the players in a
// WebAssembly module that the page brings along. It is a set of static files, which the program serves, or writes into a folder
// for any web host; nothing of it asks another server for anything.
//
// The module is static/kiothi.wasm.gz, made out of the source by
//
//	go generate ./cmd/kiothi/internal/page
package page

import (
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"

	"kiothi/agent/model"
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
		return nil, errNoModule
	}
	if err := files.add(npm.Modules, "engine"); err != nil {
		return nil, err
	}
	if err := files.addModels(release.Carried, release.Files()); err != nil {
		return nil, err
	}
	return files, nil
}

// Module returns the WebAssembly module, unpacked.
func Module() ([]byte, error) {
	packed, err := static.Open("static/" + moduleFile)
	if err != nil {
		return nil, errNoModule
	}
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", moduleFile, err)
	}
	return io.ReadAll(reader)
}

// errNoModule says that the module was not made before the program was.
var errNoModule = fmt.Errorf("the program was built without %s: run go generate ./cmd/kiothi/internal/page, and build it again", moduleFile)

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

// listOfModels is the file that lists the bots of the page.
const listOfModels = "models.json"

// A listedModel is what models.json says of a bot. Its files are models/NAME/FILE.
type listedModel struct {
	Name   string   `json:"name"`
	Game   string   `json:"game"`
	Rules  string   `json:"rules"`
	Agent  string   `json:"agent"`
	Rating float64  `json:"rating"`
	Files  []string `json:"files"`
	// Featured says that the page is made for this bot: it begins with a game against it.
	Featured bool `json:"featured,omitempty"`
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
	f[listOfModels], err = json.Marshal(list)
	return err
}

// featured is the name of a bot that the page is made for, when it is none of the released ones.
const featured = "bot"

// Feature makes the page one for a network: it begins with a game against it. Where a released bot of the page has the same
// weights, it is that one; otherwise the network's two files are to be added to the page, in the folder that is returned.
func (f Files) Feature(d *model.Description) (folder string, err error) {
	var list []listedModel
	if err := json.Unmarshal(f[listOfModels], &list); err != nil {
		return "", err
	}
	at := slices.IndexFunc(list, func(m listedModel) bool { return f.checksum(m.Name) == d.Checksum })
	if at < 0 {
		at, folder = len(list), path.Join("models", featured)
		list = append(list, listedModel{Name: featured, Game: d.Game, Rules: d.Rules, Agent: "zero:" + featured + ",movetime=100ms",
			Files: []string{model.DescriptionFile, model.WeightsFile}})
	}
	list[at].Featured = true
	f[listOfModels], err = json.Marshal(list)
	return folder, err
}

// checksum returns the checksum of a bot's weights, and "" where it has none.
func (f Files) checksum(name string) string {
	var d model.Description
	if json.Unmarshal(f[path.Join("models", name, model.DescriptionFile)], &d) != nil {
		return ""
	}
	return d.Checksum
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
