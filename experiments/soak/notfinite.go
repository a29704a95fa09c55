//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"kiothi/agent/model"
	"kiothi/train/checkpoint"
	"kiothi/train/runfiles"
)

// This file plants numbers that are none into checkpoints. What happens when one comes up in a training step is tested in
// package train: the run ends before the weights change, keeps the batch, and the last checkpoint is good.

// notFinite plants a NaN into a file of the newest checkpoint, with checksums that fit, and goes on from there.
func (s *soak) notFinite(straight string) error {
	s.say("\n## A NaN in a checkpoint\n\nPlanted with valid checksums everywhere, so that only the number itself is wrong.\n\n")
	for _, file := range []string{model.WeightsFile, "optimizer.safetensors"} {
		run := filepath.Join(s.dir, "planted-"+strings.TrimSuffix(file, ".safetensors"))
		if err := os.CopyFS(run, os.DirFS(straight)); err != nil {
			return err
		}
		dir := filepath.Join(run, runfiles.Checkpoints, checkpoint.Name(iterations, 0))
		if err := plant(dir, file); err != nil {
			return err
		}
		cmd := s.resume(run)
		cmd.Args = append(cmd.Args, "--set", fmt.Sprint("run.iterations=", iterations+1))
		text, err := cmd.CombinedOutput()
		s.check(failed(err) && strings.Contains(lastLine(text), "NaN"), "in %s: going on ends with `%v` and says: `%s`", file, err, s.plain(lastLine(text)))
		if file == model.WeightsFile {
			cmd = s.resume(run)
			cmd.Args = append(cmd.Args[:1], "evaluate", "zero:"+run, "random", "--game", "rio-kadalis", "--games", "2", "--progress", "none")
			text, err = cmd.CombinedOutput()
			s.check(failed(err) && strings.Contains(lastLine(text), "NaN"), "a match with that network ends with `%v` and says: `%s`", err, s.plain(lastLine(text)))
		}
	}
	return nil
}

// plant makes the last number of a file of tensors a NaN, and changes the checksums of the file, and of the files with these
// checksums in them, wherever they stand in the checkpoint.
func plant(dir, file string) error {
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before := sum(data)
	binary.LittleEndian.PutUint32(data[len(data)-4:], math.Float32bits(float32(math.NaN())))
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	changed := map[string]string{before: sum(data)}
	for _, name := range []string{model.DescriptionFile, "state.json", checkpoint.ManifestFile} { // each may hold checksums of those before it
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		before := sum(text)
		for from, to := range changed {
			text = bytes.ReplaceAll(text, []byte(from), []byte(to))
		}
		changed[before] = sum(text)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}
