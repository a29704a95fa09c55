package export

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"text/template"

	"kiothi/env/games"
	"kiothi/env/kiothi"
	"kiothi/env/riokadalis"
)

// This file is the files of an export that people read: its README, and the programs that use it.

//go:embed examples
var examples embed.FS

//go:embed README.md.tmpl
var readmeText string

var readme = template.Must(template.New(readmeFile).Parse(readmeText))

// A text is a file that is known before it is written.
type text struct {
	path string
	data []byte
}

// titles are the names of the games for people.
var titles = map[string]string{kiothi.Name: "Kiothi", riokadalis.Name: "Rio Kadalis"}

// texts returns the examples and the README, whose examples they are.
func texts(m *Manifest, parts []Part) ([]text, error) {
	var list []text
	err := fs.WalkDir(examples, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := examples.ReadFile(path)
		list = append(list, text{path, data})
		return err
	})
	if err != nil {
		return nil, err
	}
	content := map[string]string{}
	for _, t := range list {
		content[t.path] = string(t.data)
	}
	gameFlag := ""
	if m.Game != games.Names()[0] {
		gameFlag = " --game " + m.Game
	}
	var page bytes.Buffer
	if err := readme.Execute(&page, struct {
		*Manifest
		Title, GameFlag, Python, JavaScript, Engine string
		LastPit                                     int
		Parts                                       []Part
	}{m, titles[m.Game], gameFlag, content["examples/example.py"], content["examples/example.mjs"], content["examples/example-engine.py"], m.Width - 1, parts}); err != nil {
		return nil, fmt.Errorf("writing %s: %w", readmeFile, err)
	}
	return append(list, text{readmeFile, page.Bytes()}), nil
}
