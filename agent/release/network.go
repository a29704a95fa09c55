package release

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// This file is which networks the releases hold: not each serves each player.

// A Network is a sort of network. It is the name of the file that each release with one of this sort has.
type Network string

// The sorts of network.
const (
	Policy     Network = "model.json" // beside its weights: for the agents zero and policy
	Evaluation Network = "eval.nnue"  // for the option net of alphabeta
)

// String returns the sort in words, with how it is named in an agent's text.
func (n Network) String() string {
	if n == Policy {
		return "a policy network (zero:)"
	}
	return "an evaluation network (net=)"
}

// in reports whether a release has a network of the sort.
func (n Network) in(files fs.FS, name string) bool {
	_, err := fs.Stat(files, path.Join(name, string(n)))
	return err == nil
}

// Names returns the names of the releases that have such a network, sorted.
func (n Network) Names() ([]string, error) { return n.names(carried) }

func (n Network) names(files fs.FS) ([]string, error) {
	all, err := list(files)
	var names []string
	for i := range all {
		if n.in(files, all[i].Name) {
			names = append(names, all[i].Name)
		}
	}
	return names, err
}

// Hint says, for errors about a path that does not exist, which releases with such a network there are to name instead; it is
// empty in a program that carries none.
func (n Network) Hint() string { return n.hint(carried) }

func (n Network) hint(files fs.FS) string {
	names, err := n.names(files)
	if err != nil || len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; with %v, this program carries %s", n, strings.Join(names, ", "))
}

// Lacking returns an error for the name of a release that has no such network, which says what it has. For all other names it
// returns nil.
func (n Network) Lacking(name string) error { return n.lacking(carried, name) }

func (n Network) lacking(files fs.FS, name string) error {
	if files == nil || !fs.ValidPath(name) || n.in(files, name) {
		return nil
	}
	if _, err := fs.Stat(files, path.Join(name, File)); err != nil {
		return nil
	}
	for _, other := range []Network{Policy, Evaluation} {
		if other.in(files, name) {
			return fmt.Errorf("%s holds only %v, expected %v%s", name, other, n, n.hint(files))
		}
	}
	return fmt.Errorf("%s holds no network, expected %v%s", name, n, n.hint(files))
}
