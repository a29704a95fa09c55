package zero

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"kiothi/agent/features"
	"kiothi/agent/model"
	"kiothi/agent/network/weights"
	"kiothi/agent/release"
	"kiothi/env/mancala"
)

// Load reads the network of a checkpoint, of a run's newest one, or of a release by its name. It refuses a network for another
// game, rule set or encoding with one line that says what to do.
func Load(path string, g mancala.Game) (*weights.Weights, model.Description, error) {
	return load(path, g, g.Rules())
}

// LoadForGame is Load for a network of any rule set of the game: to begin learning with, not to play.
func LoadForGame(path string, g mancala.Game) (*weights.Weights, model.Description, error) {
	return load(path, g, "")
}

// load reads a network for a rule set, or for any if that is empty.
func load(path string, g mancala.Game, rules string) (*weights.Weights, model.Description, error) {
	dir, d, tensors, err := Read(path)
	if err != nil {
		return nil, d, err
	}
	w, err := weightsFor(dir, d, tensors, g, rules)
	return w, d, err
}

// Weights makes the network out of what Read returned. It refuses one for another game, rule set or encoding, as Load does, and
// copies the tensors.
func Weights(dir string, d model.Description, tensors []model.Tensor, g mancala.Game) (*weights.Weights, error) {
	return weightsFor(dir, d, tensors, g, g.Rules())
}

// weightsFor makes a network for a rule set, or for any if that is empty.
func weightsFor(dir string, d model.Description, tensors []model.Tensor, g mancala.Game, rules string) (*weights.Weights, error) {
	want := model.Want{Game: g.Name(), Rules: rules, ActionEncoding: mancala.ActionEncoding, FeatureEncoding: features.Version}
	if err := want.Check(dir, d, tensors); err != nil {
		return nil, err
	}
	// What only the game and the description's own sizes together can tell: inputs, outputs, and the shape of each tensor.
	config, err := ConfigOf(g, d.Architecture.Width, d.Architecture.Blocks, d.Architecture.ValueWidth)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	want.Architecture = model.Architecture(config)
	if err := want.Check(dir, d, tensors); err != nil {
		return nil, err
	}
	// Sizes that a damaged description makes huge must not be allocated.
	if n := config.Parameters(); n != d.Parameters {
		return nil, &model.MismatchError{Path: dir, What: "weights", Expected: fmt.Sprintf("%d for an architecture of %v", n, d.Architecture),
			Found: strconv.Itoa(d.Parameters), Hint: "the description and the weights do not belong together: use another checkpoint, or copy this one again"}
	}
	w, err := weights.FromTensors(config, ToNetwork(tensors))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return w, nil
}

// Read reads the model that a path means, whatever game it is for: on the disk or, where there is nothing of that name, carried
// by the program. It returns the path of its folder, too, which Load takes.
func Read(path string) (dir string, d model.Description, tensors []model.Tensor, err error) {
	if files, name := release.Find(path); files != nil {
		if err = release.Policy.Lacking(name); err != nil {
			return path, d, nil, err
		}
		if d, tensors, err = model.ReadFS(files, name); err != nil {
			err = fmt.Errorf("%w%s", err, release.Policy.Hint())
		}
		return path, d, tensors, err
	}
	if dir, err = model.Find(path); err == nil {
		d, tensors, err = model.Read(dir)
	} else if _, missing := os.Stat(path); errors.Is(missing, fs.ErrNotExist) {
		err = fmt.Errorf("%w%s", err, release.Policy.Hint())
	}
	return dir, d, tensors, err
}

// Save writes a network into a folder. What follows from the game and the network is filled into the description.
func Save(dir string, g mancala.Game, w *weights.Weights, d model.Description) error {
	d.Game, d.Rules = g.Name(), g.Rules()
	d.ActionEncoding, d.FeatureEncoding = mancala.ActionEncoding, features.Version
	d.Architecture = model.Architecture(w.Config())
	return model.Write(dir, d, ToModel(w.Tensors()))
}

// ToModel and ToNetwork change tensors from the words of one package to those of the other; the data is shared.
func ToModel(tensors []weights.Tensor) []model.Tensor {
	out := make([]model.Tensor, len(tensors))
	for i, t := range tensors {
		out[i] = model.Tensor(t)
	}
	return out
}

// ToNetwork is ToModel's inverse.
func ToNetwork(tensors []model.Tensor) []weights.Tensor {
	out := make([]weights.Tensor, len(tensors))
	for i, t := range tensors {
		out[i] = weights.Tensor(t)
	}
	return out
}
