// Package bridge is what the shared library offers to other languages, in Go: handles for what lives on this side of the
// border, vectors over memory that belongs to the other side, agents that choose for them, and failures in a form that
// crosses the border. The package has no C in it, so that it can be built, tested and vetted without a C compiler.
package bridge
