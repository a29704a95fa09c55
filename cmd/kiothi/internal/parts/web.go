package parts

import (
	"path"

	"kiothi/agent/export"
	"kiothi/agent/model"
	"kiothi/cmd/kiothi/internal/page"
)

// This file is the page that begins with a game against the bot.

// newPage returns the page.
func newPage(d *model.Description) (export.Part, error) {
	files, err := page.Read()
	if err != nil {
		return export.Part{}, err
	}
	models, err := files.Feature(d)
	if err != nil {
		return export.Part{}, err
	}
	part := export.Part{
		Name:   webFolder,
		Doc:    "a page to play against this bot and others, for any web host",
		Files:  map[string][]byte{},
		Copies: map[string]string{},
		Section: `## A page

` + "`web/`" + ` is a page of static files that begins with a game against this bot. Copy it to any web host, as it is; to see it here, run
` + "`python -m http.server --directory web`" + ` and open http://localhost:8000. It plays in the browser and asks no other server for anything.
`,
	}
	for name, data := range files {
		part.Files[path.Join(webFolder, name)] = data
	}
	if models != "" {
		for _, name := range []string{model.DescriptionFile, model.WeightsFile} {
			part.Copies[path.Join(webFolder, models, name)] = name
		}
	}
	return part, nil
}
