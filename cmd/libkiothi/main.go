// Command libkiothi is the engine as a shared library with a C interface, on which the Python package stands:
//
//	go build -buildmode=c-shared -o libkiothi.so ./cmd/libkiothi
//
// exports.go is the interface, and needs cgo. Without cgo, or built as a program, it only says how to build it.
package main

import (
	"fmt"
	"os"
)

// main runs only where the package was built as a program; a shared library has no use for it.
func main() {
	fmt.Fprintln(os.Stderr, "libkiothi is a shared library. Build it with cgo and a C compiler: "+
		"CGO_ENABLED=1 go build -buildmode=c-shared -o libkiothi.so ./cmd/libkiothi")
	os.Exit(2)
}
