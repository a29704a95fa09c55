package train

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"kiothi/train/config"
)

// need returns the bytes that a configuration is estimated to need.
func need(t *testing.T, c config.Config) float64 {
	t.Helper()
	parts, err := estimate(&c)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, p := range parts {
		sum += p.bytes
	}
	return sum
}

func TestPresetsFitIntoSensibleMachines(t *testing.T) {
	for name, most := range map[string]float64{"quick": 1e9, "small": 2e9, "strong": 8e9} {
		c, err := config.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c.Game = range []string{"kiothi", "rio-kadalis"} {
			if got := need(t, c); got > most || got < most/40 {
				t.Errorf("%s of %s needs %.2f GB, want up to %.1f", name, c.Game, got/1e9, most/1e9)
			}
		}
	}
}

// Everything here is arithmetic: nothing of such a run is made.
func TestARunThatNeedsMoreMemoryThanThereIsIsRefused(t *testing.T) {
	const gigabyte = 1 << 30
	for key, change := range map[string]func(*config.Config){
		"network.width, network.blocks": func(c *config.Config) { c.Network.Width, c.Network.Blocks = 4096, 64 },
		"training.batch":                func(c *config.Config) { c.Network.Width, c.Network.Blocks, c.Training.Batch = 1024, 8, 65536 },
		"selfplay.games_per_stream":     func(c *config.Config) { c.SelfPlay.Streams, c.SelfPlay.GamesPerStream = 1024, 65536 },
		"selfplay.simulations":          func(c *config.Config) { c.SelfPlay.Simulations = 100_000 },
		"selfplay.games)":               func(c *config.Config) { c.SelfPlay.Games = 100_000_000 },
		"training.window":               func(c *config.Config) { c.Training.Window, c.Run.Iterations = 1_000_000_000, 999_999 },
	} {
		c := config.Default()
		change(&c)
		err := checkMemory(&c, 16*gigabyte)
		var short *MemoryError
		if !errors.As(err, &short) || short.Need <= short.Have || short.Have != 16*gigabyte || !strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "this program can use 17.2 GB") {
			t.Errorf("for a large %s the error is %v", key, err)
		}
		// The part that the key lowers is the largest.
		if short == nil {
			continue
		}
		for _, p := range short.parts {
			if p.bytes > 8*gigabyte && strings.Contains(p.keys+")", key) {
				key = ""
			}
		}
		if key != "" {
			t.Errorf("no part of some gigabytes is lowered by %s: %v", key, err)
		}
	}
	c := config.Default()
	c.SelfPlay.Simulations = 100_000
	c.SelfPlay.GamesPerStream = 1024
	if err := checkMemory(&c, 0); err == nil || !strings.Contains(err.Error(), "not known, and a run may take 68.7 GB") {
		t.Errorf("where the memory is not known, the error is %v", err)
	}
	c = config.Default()
	for _, have := range []int64{0, 2 * gigabyte} {
		if err := checkMemory(&c, have); err != nil {
			t.Errorf("the default with %d bytes: %v", have, err)
		}
	}
}

func TestARunThatIsRefusedWritesNothing(t *testing.T) {
	dir := folder(t)
	o := options(dir, tiny("kiothi"))
	o.memory = 1000
	var short *MemoryError
	if err := Begin(t.Context(), o); !errors.As(err, &short) {
		t.Errorf("the error is %v, want a *MemoryError", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}

func TestTheMemoryOfTheMachineIsKnown(t *testing.T) {
	got := machineMemory()
	if runtime.GOOS == "linux" && got < 1<<26 || got < 0 {
		t.Errorf("this machine has %d bytes of memory", got)
	}
}
