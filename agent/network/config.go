// This file describes a network by its sizes, and lays its layers out.

package network

import "fmt"

// Config is the shape of a network. Layers x·W+b follow each other so:
//
//	input    Inputs → Width, ReLU
//	blocks   Blocks times: h ← ReLU(h + second(ReLU(first(h)))), both Width → Width
//	policy   Width → Actions, logits
//	value    Width → ValueWidth, ReLU, → Bins, logits
//
// Every size may be any number. Widths that are multiples of 64 are the
// fastest; the network pads its outer sides (Inputs, Actions, Bins) by itself.
type Config struct {
	Inputs     int `json:"inputs"`      // features of a row
	Width      int `json:"width"`       // units of the trunk
	Blocks     int `json:"blocks"`      // residual blocks of two dense layers, 0 or more
	Actions    int `json:"actions"`     // policy logits
	Bins       int `json:"bins"`        // logits of the distribution over the final margin, 2 or more
	ValueWidth int `json:"value_width"` // units of the value head's hidden layer
}

// Sides that a caller sees are padded to what the kernels do in whole tiles.
const (
	inputTile  = 16
	policyTile = 64
	marginTile = 16
)

// maxSize bounds each size, so that sums of products of two sizes cannot overflow
// and a damaged description is an error rather than an attempt to allocate.
const maxSize = 1 << 16

// Validate reports the first size that no network can have.
func (c Config) Validate() error {
	for _, s := range []struct {
		name       string
		value, min int
	}{
		{"inputs", c.Inputs, 1},
		{"width", c.Width, 1},
		{"blocks", c.Blocks, 0},
		{"actions", c.Actions, 1},
		{"bins", c.Bins, 2},
		{"value width", c.ValueWidth, 1},
	} {
		if s.value < s.min || s.value > maxSize {
			return fmt.Errorf("network: %s is %d, want %d to %d", s.name, s.value, s.min, maxSize)
		}
	}
	return nil
}

// Parameters is the number of weights and biases, padding not counted. It can be
// far more than memory holds; nothing is allocated for them here.
func (c Config) Parameters() int {
	count := 0
	for _, l := range c.layers() {
		count += (l.in.size + 1) * l.out.size
	}
	return count
}

// InputStride is the distance between two rows of an input tensor: Inputs
// rounded up to a multiple of 16. The values between stay zero.
func (c Config) InputStride() int { return roundUp(c.Inputs, inputTile) }

func (c Config) policyStride() int { return roundUp(c.Actions, policyTile) }
func (c Config) marginStride() int { return roundUp(c.Bins, marginTile) }

// Products lists the matrix products of a forward pass as they are computed,
// padding included: a [batch, In] matrix times an [In, Out] one. It is what the
// speed of a network is to be compared with.
func (c Config) Products() []Product {
	var products []Product
	for _, l := range c.layers() {
		products = append(products, Product{In: l.in.padded, Out: l.out.padded})
	}
	return products
}

// Product is one matrix product of a forward pass; see [Config.Products].
type Product struct{ In, Out int }

// side is the length of one side of a weight matrix, and the length stored.
type side struct{ size, padded int }

// layer is one dense layer. The order of layers is that of the tensors in a
// checkpoint, and that of the random numbers of an initialisation.
type layer struct {
	name    string
	in, out side
	gain    float64 // standard deviation of a new weight, times √in
}

// Gains of new weights. heGain keeps the variance through ReLU (He et al.,
// ICCV 2015, equation 10). The second layer of a block and both heads start
// small: blocks begin near the identity, policies and margins near uniform.
const (
	heGain    = 1.4142135623730951
	blockGain = 0.1
	headGain  = 0.1
)

// Indices into layers; the two layers of block i follow the input layer.
const inputLayer = 0

func (c Config) firstLayer(block int) int  { return 1 + 2*block }
func (c Config) secondLayer(block int) int { return 2 + 2*block }
func (c Config) policyLayer() int          { return 1 + 2*c.Blocks }
func (c Config) valueLayer() int           { return 2 + 2*c.Blocks }
func (c Config) marginLayer() int          { return 3 + 2*c.Blocks }

func (c Config) layers() []layer {
	width := side{c.Width, c.Width}
	hidden := side{c.ValueWidth, c.ValueWidth}
	layers := []layer{{"input", side{c.Inputs, c.InputStride()}, width, heGain}}
	for i := range c.Blocks {
		layers = append(layers,
			layer{fmt.Sprintf("blocks.%d.first", i), width, width, heGain},
			layer{fmt.Sprintf("blocks.%d.second", i), width, width, blockGain})
	}
	return append(layers,
		layer{"policy", width, side{c.Actions, c.policyStride()}, headGain},
		layer{"value.hidden", width, hidden, heGain},
		layer{"value.margin", hidden, side{c.Bins, c.marginStride()}, headGain})
}

func roundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }
