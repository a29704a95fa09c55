// Package parts is what an exported bot comes with for JavaScript and for people: the npm package that plays it, and the page to
// play against it. Both are made of what the program carries.
package parts

import (
	"fmt"
	"slices"

	"kiothi/agent/export"
	"kiothi/agent/model"
	"kiothi/env/choice"
)

// The names of the parts, which are those of their folders.
const (
	npmFolder = "npm"
	webFolder = "web"
)

// Names returns the names of the parts.
func Names() []string { return []string{npmFolder, webFolder} }

// For returns the parts of an export of a network, but for those that are named.
func For(d *model.Description, without []string) ([]export.Part, error) {
	makers := map[string]func(*model.Description) (export.Part, error){npmFolder: newPackage, webFolder: newPage}
	if err := Check(without); err != nil {
		return nil, err
	}
	var list []export.Part
	for _, name := range Names() {
		if slices.Contains(without, name) {
			continue
		}
		part, err := makers[name](d)
		if err != nil {
			return nil, fmt.Errorf("making the part %s: %w", name, err)
		}
		list = append(list, part)
	}
	return list, nil
}

// Check returns an error when a name is that of no part.
func Check(names []string) error {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return choice.Unknown("part", name, Names())
		}
	}
	return nil
}
