package main

import (
	"go/format"
	"os"
	"path/filepath"
	"testing"
)

func TestCommittedFilesAreWhatTheGeneratorWrites(t *testing.T) {
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what this generator writes; run: go generate ./agent/blas", name)
		}
	}
}

func TestGeneratedGoIsFormatted(t *testing.T) {
	for name, text := range files() {
		if filepath.Ext(name) != ".go" {
			continue
		}
		formatted, err := format.Source([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if string(formatted) != text {
			t.Errorf("%s is not in the form of gofmt", name)
		}
	}
}

// A processor has 16 vector registers with AVX2 and 32 with AVX-512; a tile that needs more assembles into nonsense.
func TestTilesFitTheRegisters(t *testing.T) {
	for _, family := range families {
		for rows := 1; rows <= family.rows; rows++ {
			tile := tile{family, rows}
			if got, have := tile.registers(), family.isa.registers; got > have {
				t.Errorf("%s needs %d vector registers, %s has %d", tile.name(), got, family.isa.name, have)
			}
		}
	}
	for _, span := range spans {
		if got, have := span.registers(), span.isa.registers; got > have {
			t.Errorf("%s needs %d vector registers, %s has %d", span.name(), got, span.isa.name, have)
		}
	}
}
