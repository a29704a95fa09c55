// This file describes a network by its sizes, and lays its layers out.

package weights

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
			return fmt.Errorf("network: %s is %d, expected %d to %d", s.name, s.value, s.min, maxSize)
		}
	}
	return nil
}

// Parameters is the number of weights and biases, padding not counted. It can be
// far more than memory holds; nothing is allocated for them here.
func (c Config) Parameters() int {
	count := 0
	for _, l := range c.layers() {
		count += (l.in.Size + 1) * l.out.Size
	}
	return count
}

// InputStride is the distance between two rows of an input tensor: Inputs
// rounded up to a multiple of 16. The values between stay zero.
func (c Config) InputStride() int { return roundUp(c.Inputs, inputTile) }

// PolicyStride is the distance between two rows of policy logits: Actions rounded
// up to a multiple of 64.
func (c Config) PolicyStride() int { return roundUp(c.Actions, policyTile) }

// MarginStride is the distance between two rows of margin logits: Bins rounded up
// to a multiple of 16.
func (c Config) MarginStride() int { return roundUp(c.Bins, marginTile) }

// Products lists the matrix products of a forward pass as they are computed,
// padding included: a [batch, In] matrix times an [In, Out] one. It is what the
// speed of a network is to be compared with.
func (c Config) Products() []Product {
	var products []Product
	for _, l := range c.layers() {
		products = append(products, Product{In: l.in.Padded, Out: l.out.Padded})
	}
	return products
}

// Product is one matrix product of a forward pass; see [Config.Products].
type Product struct{ In, Out int }

// Side is the length of one side of a weight matrix, and the length stored.
type Side struct{ Size, Padded int }

// layer is one dense layer. The order of layers is that of the tensors in a
// checkpoint, and that of the random numbers of an initialisation.
type layer struct {
	name    string
	in, out Side
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

// InputLayer is the index of the layer that reads the features. Layer i has the
// parameters 2i (its weights) and 2i+1 (its bias) of a [Layout].
const InputLayer = 0

// FirstLayer, SecondLayer, PolicyLayer, ValueLayer and MarginLayer are the indices
// of the other layers: the two of a block, counted from 0, the policy's, and the
// two of the value head.
func (c Config) FirstLayer(block int) int  { return 1 + 2*block }
func (c Config) SecondLayer(block int) int { return 2 + 2*block }
func (c Config) PolicyLayer() int          { return 1 + 2*c.Blocks }
func (c Config) ValueLayer() int           { return 2 + 2*c.Blocks }
func (c Config) MarginLayer() int          { return 3 + 2*c.Blocks }

func (c Config) layers() []layer {
	width := Side{c.Width, c.Width}
	hidden := Side{c.ValueWidth, c.ValueWidth}
	layers := []layer{{"input", Side{c.Inputs, c.InputStride()}, width, heGain}}
	for i := range c.Blocks {
		layers = append(layers,
			layer{fmt.Sprintf("blocks.%d.first", i), width, width, heGain},
			layer{fmt.Sprintf("blocks.%d.second", i), width, width, blockGain})
	}
	return append(layers,
		layer{"policy", width, Side{c.Actions, c.PolicyStride()}, headGain},
		layer{"value.hidden", width, hidden, heGain},
		layer{"value.margin", hidden, Side{c.Bins, c.MarginStride()}, headGain})
}

func roundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }
