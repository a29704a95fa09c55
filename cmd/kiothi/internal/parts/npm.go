package parts

import (
	"embed"
	"path"
	"strings"

	"kiothi/agent/export"
	"kiothi/agent/model"
	"kiothi/cmd/kiothi-wasm/npm"
	"kiothi/cmd/kiothi/internal/page"
)

// This file is the npm package with the bot in it.

//go:embed examples
var examples embed.FS

// newPackage returns the npm package.
func newPackage(*model.Description) (export.Part, error) {
	module, err := page.Module()
	if err != nil {
		return export.Part{}, err
	}
	files, err := npm.Package(module)
	if err != nil {
		return export.Part{}, err
	}
	part := export.Part{
		Name:   npmFolder,
		Doc:    "an npm package with rules, search and this bot in one WebAssembly module",
		Files:  map[string][]byte{},
		Copies: map[string]string{},
	}
	for name, data := range files {
		part.Files[path.Join(npmFolder, name)] = data
	}
	for _, name := range []string{model.DescriptionFile, model.WeightsFile} {
		part.Copies[path.Join(npmFolder, "bot", name)] = name
	}
	for _, name := range []string{"examples/example-npm.mjs", "examples/check-npm.mjs"} {
		if part.Files[name], err = examples.ReadFile(name); err != nil {
			return export.Part{}, err
		}
	}
	part.Section = `## JavaScript, with rules and search

` + "`npm install ./npm`, then `node examples/example-npm.mjs`" + `:

` + "```js\n" + string(part.Files["examples/example-npm.mjs"]) + "```" + `

` + strings.TrimSpace(`
`+"`npm/README.md`"+` tells all that the package can do, in browsers, too. `+"`node examples/check-npm.mjs`"+` compares its legal actions,
the network and the moves with all the vectors; the largest networks take a minute.
`) + "\n"
	return part, nil
}
