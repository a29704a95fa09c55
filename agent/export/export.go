package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"kiothi/agent"
	"kiothi/agent/export/onnx"
	"kiothi/agent/model"
	"kiothi/env/durable"
	"kiothi/env/mancala"
)

// This file puts the folder together.

// The files of an export, beside those of package model and the examples.
const (
	ManifestFile = "manifest.json"
	schemaFile   = "manifest.schema.json"
	modelFile    = "bot.onnx"
	rawModelFile = "bot-raw.onnx"
	vectorsFile  = "vectors.jsonl"
	readmeFile   = "README.md"
)

// A Judge judges positions with the network, in batches. It is used by one goroutine.
type Judge interface {
	// Batch returns the number of positions that one Evaluate can judge.
	Batch() int
	// Put writes a position into row i of the next batch.
	Put(i int, s *mancala.State)
	// Evaluate judges the first n rows.
	Evaluate(n int) error
	// Policy returns the logits of row i over all actions of the game, until the next Evaluate.
	Policy(i int) []float32
	// Margin returns the logits of the distribution over the final margin in row i.
	Margin(i int) []float32
}

// A Bot is a trained network and what its export needs to know of it.
type Bot struct {
	Game        mancala.Game
	Description model.Description
	Tensors     []model.Tensor
	Strength    []Result // nil: not known
	Parts       []Part   // what else the folder is to hold

	Judge  Judge       // the network itself, on which the vectors are made
	Player agent.Agent // chooses the vectors' moves, one at a time as in a game
	Search Search      // what the player is
	Seed   uint64      // of the vectors' positions, and of what chance the player takes

	CreatedWith string // the program's version
}

// Write exports a bot into a folder, which is new, or empty; with force, an export that is there is replaced. The folder
// appears complete or not at all: an error leaves what was there, except for one in the last step of a replacement, after
// which the folder has no manifest, and force completes it. A folder that another export works in is refused.
func Write(ctx context.Context, dir string, force bool, b *Bot) error {
	return publish(dir, force, func(stage string) ([]string, error) { return b.write(ctx, stage) })
}

// write writes all files into an empty folder, and returns their paths in it, the manifest's last.
func (b *Bot) write(ctx context.Context, dir string) ([]string, error) {
	if err := model.Write(dir, b.Description, b.Tensors); err != nil {
		return nil, err
	}
	d, err := model.ReadDescription(dir) // with the number of weights, and their checksum
	if err != nil {
		return nil, err
	}
	m, err := newManifest(b, d)
	if err != nil {
		return nil, err
	}
	s := &stage{dir: dir, files: []string{model.DescriptionFile, model.WeightsFile}, manifest: m}
	for _, write := range []func() error{
		func() error { return s.writeModels(b, d) },
		func() error { return s.writeVectors(ctx, b) },
		func() error { return s.writeStrength(b.Strength) },
		func() error { return s.writeTexts(b.Parts) },
		func() error { return s.writeParts(ctx, b.Parts) },
		s.seal,
	} {
		if err := write(); err != nil {
			return nil, err
		}
	}
	return s.files, nil
}

// model wraps a graph with what a runtime shows of a model.
func (b *Bot) model(g *onnx.Graph, d model.Description) *onnx.Model {
	text := func(v any) string { return fmt.Sprint(v) }
	return &onnx.Model{
		Producer: "kiothi", ProducerVersion: b.CreatedWith,
		Doc: fmt.Sprintf("Policy and distribution over final margins of %s under the rules %s; manifest.json explains the tensors.", d.Game, d.Rules),
		Metadata: []onnx.Property{
			{Key: "game", Value: d.Game},
			{Key: "rules", Value: d.Rules},
			{Key: "action_encoding", Value: text(d.ActionEncoding)},
			{Key: "feature_encoding", Value: text(d.FeatureEncoding)},
			{Key: "format", Value: text(Format)},
			{Key: "architecture", Value: d.Architecture.String()},
			{Key: "steps", Value: text(d.Steps)},
			{Key: "games", Value: text(d.Games)},
			{Key: "commit", Value: d.Commit},
			{Key: "weights_sha256", Value: d.Checksum},
		},
		Graph: g,
	}
}

// maxText is the largest size, in bytes, of a manifest or a strength that is read; ours have some thousands.
const maxText = 1 << 20

// readManifest reads a folder's manifest.
func readManifest(dir string) (*Manifest, error) {
	data, err := durable.ReadFile(filepath.Join(dir, ManifestFile), maxText)
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&m); err != nil {
		return nil, err
	}
	if m.Format != Format || m.Schema != schemaFile {
		return nil, fmt.Errorf("expected the manifest of an export of format %d, found format %d", Format, m.Format)
	}
	return &m, nil
}
