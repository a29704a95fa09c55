// Command kiothi-wasm is the games and their players as a WebAssembly module, on which the npm package stands:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o kiothi.wasm ./cmd/kiothi-wasm
//
// exports.go is the interface of the module. Built for another system, the program only says how to build it.
package main

import (
	"fmt"
	"os"
)

// main runs only where the package was built as a program; a module has no use for it.
func main() {
	fmt.Fprintln(os.Stderr, "kiothi-wasm is a WebAssembly module. Build it with "+
		"GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o kiothi.wasm ./cmd/kiothi-wasm")
	os.Exit(2)
}
