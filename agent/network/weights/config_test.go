// This file checks the sizes of networks.

package weights

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValidateNamesTheSize(t *testing.T) {
	if err := full.Validate(); err != nil {
		t.Errorf("a good configuration: %v", err)
	}
	for want, spoil := range map[string]func(*Config){
		"inputs is 0":      func(c *Config) { c.Inputs = 0 },
		"width is -1":      func(c *Config) { c.Width = -1 },
		"blocks is -1":     func(c *Config) { c.Blocks = -1 },
		"actions is 0":     func(c *Config) { c.Actions = 0 },
		"bins is 1":        func(c *Config) { c.Bins = 1 },
		"value width is 0": func(c *Config) { c.ValueWidth = 0 },
		"width is 100000":  func(c *Config) { c.Width = 100000 },
	} {
		c := full
		spoil(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
		if _, err := New(c, newRand(1)); err == nil {
			t.Errorf("%s: weights are made", want)
		}
		if _, err := FromTensors(c, nil); err == nil {
			t.Errorf("%s: weights are read", want)
		}
	}
}

// Products are what a forward pass multiplies, with the padding it multiplies.
func TestProducts(t *testing.T) {
	want := []Product{{32, 28}, {28, 28}, {28, 28}, {28, 28}, {28, 28}, {28, 128}, {28, 12}, {12, 16}}
	if diff := cmp.Diff(want, small.Products()); diff != "" {
		t.Errorf("products differ:\n%s", diff)
	}
	if got := small.InputStride(); got != 32 {
		t.Errorf("input stride is %d, want 32", got)
	}
}
