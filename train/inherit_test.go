package train

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/model"
	"kiothi/train/checkpoint"
	"kiothi/train/config"
	"kiothi/train/runfiles"
)

// latest returns the folder of a run's checkpoint after some iterations.
func latest(dir string, iterations int) string {
	return filepath.Join(dir, runfiles.Checkpoints, checkpoint.Name(iterations, 0))
}

func TestARunBeginsWithTheNetworkOfAnother(t *testing.T) {
	first, second, again := folder(t), folder(t), folder(t)
	mustBegin(t, first, tiny("kiothi"))
	before, err := model.ReadDescription(latest(first, 3))
	if err != nil {
		t.Fatal(err)
	}

	c := tiny("kiothi") // another rule set of the game learns on
	c.Rules, c.Network.InitFrom, c.Seed = "wikipedia-it", first, 12
	o := options(second, c)
	var said bytes.Buffer
	o.Messages = &said
	if err := Begin(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "beginning with the network of "+first) {
		t.Errorf("the run does not say what it begins with: %s", said.String())
	}
	weights := func(dir string) string { return files(t, dir)[model.WeightsFile] }
	if weights(latest(second, 0)) != weights(latest(first, 3)) {
		t.Error("the run does not begin with the weights of the other one")
	}
	after, err := model.ReadDescription(latest(second, 3))
	if err != nil {
		t.Fatal(err)
	}
	if after.Steps != before.Steps+15 || after.Games != before.Games+18 || after.Positions <= before.Positions {
		t.Errorf("after 15 steps and 18 games more than %+v the model says %+v", before, after)
	}

	// Killed before its first checkpoint, it begins there once more.
	mustBegin(t, again, c)
	for _, dir := range []string{runfiles.Checkpoints, runfiles.Games} {
		if err := os.RemoveAll(filepath.Join(again, dir)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Resume(context.Background(), options(again, c)); err != nil {
		t.Fatal(err)
	}
	wantSameRun(t, "after a kill before the first checkpoint", again, second, 3)
}

func TestANetworkThatDoesNotFitIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	first, second := folder(t), folder(t)
	mustBegin(t, first, tiny("kiothi"))
	for word, change := range map[string]func(*config.Config){
		"--set network.width=16":               func(c *config.Config) { c.Network.Width = 32 },
		"expected rio-kadalis, found kiothi":   func(c *config.Config) { c.Game = "rio-kadalis" },
		filepath.Join(second, "no such thing"): func(c *config.Config) { c.Network.InitFrom = filepath.Join(second, "no such thing") },
	} {
		c := tiny("kiothi")
		c.Network.InitFrom = first
		change(&c)
		err := Begin(context.Background(), options(second, c))
		if err == nil || !strings.Contains(err.Error(), "key network.init_from") || !strings.Contains(err.Error(), word) {
			t.Errorf("got %v, want an error with the key and %q", err, word)
		}
		if _, err := os.Stat(second); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a folder was made for a run that cannot begin (%v)", err)
		}
	}
}
