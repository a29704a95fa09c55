// Command module builds the WebAssembly module of this repository and writes it, compressed, to a file: module FILE. With -check
// it writes nothing, and says whether the file is the module that the source gives. The same source gives the same module
// everywhere with one version of Go, whose name is therefore in the file; a file that another version made is not judged.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"kiothi/env/durable"
)

func main() {
	check := flag.Bool("check", false, "compare the file with the source, and write nothing")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: module [-check] FILE")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "module:", err)
		os.Exit(1)
	}
}

func run(file string, check bool) error {
	if !check {
		module, err := build()
		if err != nil {
			return err
		}
		return durable.WriteFile(file, func(w io.Writer) error { return pack(w, module) })
	}
	packed, err := os.Open(file)
	if err != nil {
		return err
	}
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if reader.Comment != runtime.Version() {
		fmt.Printf("skipped: %s was made by %s, and this is %s\n", file, reader.Comment, runtime.Version())
		return nil
	}
	have, err := io.ReadAll(reader)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	want, err := build()
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return errors.New(file + " is not what the source gives: run go generate ./cmd/kiothi/internal/page, and commit it")
	}
	fmt.Printf("%s is what the source gives\n", file)
	return nil
}

// build returns the module.
func build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "kiothi-wasm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "kiothi.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", out, "kiothi/cmd/kiothi-wasm")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("building the module: %w", err)
	}
	return os.ReadFile(out)
}

// pack writes a module, compressed.
func pack(w io.Writer, module []byte) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	z.Name, z.Comment = "kiothi.wasm", runtime.Version()
	if _, err := z.Write(module); err != nil {
		return err
	}
	return z.Close()
}
