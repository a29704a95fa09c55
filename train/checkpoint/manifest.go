package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kiothi/env/durable"
)

// This file is the manifest: what the files of a snapshot have to be.

// Format is the version of the manifest.
const Format = 1

// ManifestFile is the manifest's name in a snapshot.
const ManifestFile = "manifest.json"

// maxManifest is the largest manifest that is read, in bytes.
const maxManifest = 1 << 20

// A manifest lists the files of a snapshot.
type manifest struct {
	Format int     `json:"format"`
	Files  []entry `json:"files"` // in the order of their paths
}

// An entry is one file.
type entry struct {
	Path string `json:"path"` // with slashes, relative to the snapshot
	Size int64  `json:"size"` // bytes
	Sum  string `json:"sha256"`
}

// seal syncs all files of a snapshot, writes its manifest, and syncs its folders.
func seal(dir string) error {
	m := manifest{Format: Format, Files: []entry{}}
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			dirs = append(dirs, path)
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s: found a %s, expected files and folders only", path, d.Type())
		case path == filepath.Join(dir, ManifestFile):
			return fmt.Errorf("%s: found a file of this name, expected it to be left for the manifest", path)
		}
		if err := durable.SyncFile(path); err != nil {
			return err
		}
		size, sum, err := measure(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, entry{filepath.ToSlash(relative), size, sum})
		return nil
	})
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if len(data) > maxManifest {
		return fmt.Errorf("found %d files, whose manifest is over %d bytes; expected fewer", len(m.Files), maxManifest)
	}
	err = durable.WriteBytes(filepath.Join(dir, ManifestFile), append(data, '\n'))
	for i := len(dirs) - 1; err == nil && i >= 0; i-- { // the inner ones first
		err = durable.SyncDir(dirs[i])
	}
	return err
}

// verify compares a snapshot with its manifest.
func verify(dir string) error {
	m, err := readManifest(filepath.Join(dir, ManifestFile))
	if err != nil {
		return err
	}
	for _, file := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
			return fmt.Errorf("%s: found the path %q, expected one inside the snapshot", ManifestFile, file.Path)
		}
		size, sum, err := measure(filepath.Join(dir, filepath.FromSlash(file.Path)))
		switch {
		case errors.Is(err, os.ErrNotExist):
			return fmt.Errorf("%s: expected a file, found none", file.Path)
		case err != nil:
			return fmt.Errorf("%s: %w", file.Path, err)
		case size != file.Size:
			return fmt.Errorf("%s: expected %d bytes, found %d", file.Path, file.Size, size)
		case sum != file.Sum:
			return fmt.Errorf("%s: expected sha256 %s, found %s", file.Path, file.Sum, sum)
		}
	}
	return nil
}

// readManifest reads a manifest.
func readManifest(path string) (manifest, error) {
	data, err := durable.ReadFile(path, maxManifest)
	if errors.Is(err, os.ErrNotExist) {
		return manifest{}, fmt.Errorf("%s: expected a file, found none", ManifestFile)
	}
	if err != nil {
		return manifest{}, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return manifest{}, fmt.Errorf("%s: expected JSON: %w", ManifestFile, err)
	}
	if version.Format != Format {
		return manifest{}, fmt.Errorf("%s: expected format version %d, found %d", ManifestFile, Format, version.Format)
	}
	var m manifest
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return manifest{}, fmt.Errorf("%s: expected the fields of format %d: %w", ManifestFile, Format, err)
	}
	// A manifest without files would call any folder sound.
	if len(m.Files) == 0 {
		return manifest{}, fmt.Errorf("%s: expected files, found none listed", ManifestFile)
	}
	return m, nil
}

// measure returns the size and the checksum of a file.
func measure(path string) (int64, string, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	if err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(hash.Sum(nil)), nil
}

// temporary reports whether a name is that of something that was not completed.
func temporary(name string) bool { return strings.HasSuffix(name, durable.Temporary) }
