package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kiothi/agent/export/onnx"
	"kiothi/agent/model"
	"kiothi/env/durable"
	"kiothi/env/mancala"
)

// This file writes the files of an export, each sort by a method, in the order in which they need each other.

// A stage is an export in the making.
type stage struct {
	dir      string
	files    []string // their paths in it so far
	manifest *Manifest
}

// put writes a file.
func (s *stage) put(name string, data []byte) error {
	return s.write(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (s *stage) write(name string, write func(io.Writer) error) error {
	s.files = append(s.files, name)
	return writeFile(s.dir, name, write)
}

// writeModels writes the network as ONNX, from features and from the board.
func (s *stage) writeModels(b *Bot, d model.Description) error {
	for _, build := range []struct {
		file  string
		graph func(mancala.Game, model.Architecture, []model.Tensor) (*onnx.Graph, error)
	}{{modelFile, newFeatureModel}, {rawModelFile, newRawModel}} {
		g, err := build.graph(b.Game, d.Architecture, b.Tensors)
		if err != nil {
			return err
		}
		if err := s.put(build.file, b.model(g, d).Bytes()); err != nil {
			return err
		}
		s.manifest.Models = append(s.manifest.Models, describe(build.file, g))
	}
	return nil
}

// writeVectors writes what the bot answers in many positions.
func (s *stage) writeVectors(ctx context.Context, b *Bot) error {
	v := &s.manifest.Vectors
	*v = Vectors{File: vectorsFile, Search: b.Search, Seed: b.Seed}
	return s.write(v.File, func(w io.Writer) (err error) {
		v.Positions, err = writeVectors(ctx, w, b)
		return err
	})
}

// writeStrength writes what was measured, if anything was.
func (s *stage) writeStrength(results []Result) error {
	if results == nil {
		return nil
	}
	data, err := encodeStrength(results)
	if err != nil {
		return err
	}
	return s.put(strengthFile, data)
}

// writeTexts writes the texts, which are about the manifest as it is until here, and its schema.
func (s *stage) writeTexts(parts []Part) error {
	list, err := texts(s.manifest, parts)
	if err != nil {
		return err
	}
	for _, t := range append(list, text{schemaFile, manifestSchema}) {
		if err := s.put(t.path, t.data); err != nil {
			return err
		}
	}
	return nil
}

// writeParts writes what else the folder is to hold. A part may read what is there before it.
func (s *stage) writeParts(ctx context.Context, parts []Part) error {
	for i := range parts {
		part := &parts[i]
		paths, err := part.paths(append(s.files, ManifestFile))
		if err != nil {
			return err
		}
		for _, name := range paths {
			data, err := part.content(s.dir, name)
			if err != nil {
				return err
			}
			if err := s.put(name, data); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// seal writes the manifest, with the sums of all other files.
func (s *stage) seal() error {
	for _, name := range s.files {
		entry, err := sum(s.dir, name)
		if err != nil {
			return err
		}
		s.manifest.Files = append(s.manifest.Files, entry)
	}
	data, err := s.manifest.encode()
	if err != nil {
		return err
	}
	return s.put(ManifestFile, data)
}

// writeFile writes a file of a folder, and the folders between them.
func writeFile(dir, name string, write func(io.Writer) error) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := durable.WriteFile(path, write); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// sum returns the manifest's entry of a file.
func sum(dir, name string) (File, error) {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	return File{name, n, hex.EncodeToString(hash.Sum(nil))}, err
}
