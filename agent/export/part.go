package export

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// This file is what a folder holds beside the network: parts that other packages make.

// A Part is something more that a folder holds, for programs of some kind.
type Part struct {
	Name    string // of its folder
	Doc     string // what it is, in a line of the README's table
	Section string // of the README, in Markdown, how it is used

	Files map[string][]byte // content by path in the export, with slashes
	// Copies are files that have the content of other ones of the export, such as model.json: the path of the other by their
	// own.
	Copies map[string]string
}

// paths returns the paths of the part's files in their order. A path that is wrong, or one of taken, is an error.
func (p *Part) paths(taken []string) ([]string, error) {
	list := slices.Sorted(maps.Keys(p.Files))
	list = slices.AppendSeq(list, maps.Keys(p.Copies))
	slices.Sort(list)
	for i, name := range list {
		if !filepath.IsLocal(filepath.FromSlash(name)) || slices.Contains(taken, name) || i > 0 && name == list[i-1] {
			return nil, fmt.Errorf("the part %s has a file %q, expected a path inside the folder that nothing else has", p.Name, name)
		}
	}
	return list, nil
}

// content returns the content of a file of the part, the others of which are in dir.
func (p *Part) content(dir, name string) ([]byte, error) {
	if of, ok := p.Copies[name]; ok {
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(of)))
	}
	return p.Files[name], nil
}
