// Package npm holds the npm package of this folder: its ES modules for programs that serve them, and the whole of it for
// programs that give it away.
package npm

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

// Modules are the ES modules that a browser needs, kiothi.mjs first among them. The WebAssembly module that they load is not
// among them.
//
//go:embed client.mjs error.mjs files.mjs kiothi.mjs module.mjs wasi.mjs worker.mjs
var Modules embed.FS

// rest are the other files of the package.
//
//go:embed README.md bot.mjs bot.d.ts example kiothi.d.ts package.json
var rest embed.FS

// manifestFile is the file that makes a folder a package.
const manifestFile = "package.json"

// Package returns the files of the npm package by their paths with slashes: what npm pack takes in the source, around a module.
// A bot that it is to carry goes into bot/model.json and bot/model.safetensors, which are not among them.
func Package(module []byte) (map[string][]byte, error) {
	files := map[string][]byte{"kiothi.wasm": module}
	for _, part := range []embed.FS{Modules, rest} {
		err := fs.WalkDir(part, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			files[name], err = part.ReadFile(name)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var err error
	if files[manifestFile], err = published(files[manifestFile]); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	return files, nil
}

// published returns a package.json without the scripts, which need the source. The order in its exports has a meaning and is kept.
func published(text []byte) ([]byte, error) {
	var fields struct {
		Name        string          `json:"name"`
		Version     string          `json:"version"`
		Description string          `json:"description"`
		Keywords    []string        `json:"keywords"`
		Type        string          `json:"type"`
		Types       string          `json:"types"`
		Exports     json.RawMessage `json:"exports"`
		Files       []string        `json:"files"`
		SideEffects bool            `json:"sideEffects"`
		Engines     json.RawMessage `json:"engines"`
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(fields, "", "  ")
	return append(text, '\n'), err
}
