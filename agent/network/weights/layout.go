// This file places the parameters of a network in one padded array.

package weights

import (
	"fmt"
	"math"
	"slices"
)

// Layout says where each parameter lies in an array that holds them all:
// weights, and the two moments of the optimizer. Padding is zero and stays so:
// its gradient is zero because padded inputs and padded logits' gradients are.
type Layout struct {
	Parameters []Parameter // .weight and .bias of each layer, in their order
	Size       int         // length of the array
}

// Parameter is one weight matrix, or one bias as a matrix of one row.
type Parameter struct {
	Name          string
	Rows, Columns Side
	Bias          bool
	offset        int
	gain          float64 // of a new weight matrix; see layer
}

// NewLayout places the parameters of a network.
func NewLayout(c Config) Layout {
	var l Layout
	add := func(p Parameter) {
		p.offset = l.Size
		l.Size += p.Rows.Padded * p.Columns.Padded
		l.Parameters = append(l.Parameters, p)
	}
	for _, layer := range c.layers() {
		add(Parameter{Name: layer.name + ".weight", Rows: layer.in, Columns: layer.out, gain: layer.gain})
		add(Parameter{Name: layer.name + ".bias", Rows: Side{1, 1}, Columns: layer.out, Bias: true})
	}
	return l
}

// shape is the parameter's shape in a file.
func (p Parameter) shape() []int {
	if p.Bias {
		return []int{p.Columns.Size}
	}
	return []int{p.Rows.Size, p.Columns.Size}
}

// Part is the parameter's part of flat, padding included.
func Part[T float32 | float64](p Parameter, flat []T) []T {
	end := p.offset + p.Rows.Padded*p.Columns.Padded
	return flat[p.offset:end:end]
}

// EachRow calls f with each row of the parameter, padding left out.
func (p Parameter) EachRow(flat []float32, f func(row []float32)) {
	data := Part(p, flat)
	for i := range p.Rows.Size {
		start := i * p.Columns.Padded
		f(data[start : start+p.Columns.Size])
	}
}

// Tensors copies every parameter out of flat.
func (l Layout) Tensors(flat []float32) []Tensor {
	tensors := make([]Tensor, len(l.Parameters))
	for i, p := range l.Parameters {
		data := make([]float32, 0, p.Rows.Size*p.Columns.Size)
		p.EachRow(flat, func(row []float32) { data = append(data, row...) })
		tensors[i] = Tensor{Name: p.Name, Shape: p.shape(), Data: data}
	}
	return tensors
}

// SetTensors copies every parameter into flat, or none; see [Weights.SetTensors].
func (l Layout) SetTensors(flat []float32, tensors []Tensor) error {
	byName := make(map[string]Tensor, len(tensors))
	for _, t := range tensors {
		if _, twice := byName[t.Name]; twice {
			return fmt.Errorf("network: tensor %s is given twice", t.Name)
		}
		byName[t.Name] = t
	}
	for _, p := range l.Parameters {
		t, found := byName[p.Name]
		if !found {
			return fmt.Errorf("network: tensor %s %v is missing", p.Name, p.shape())
		}
		if err := p.check(t); err != nil {
			return err
		}
		delete(byName, p.Name)
	}
	for _, t := range tensors {
		if _, left := byName[t.Name]; left {
			return fmt.Errorf("network: tensor %s %v is not part of this network", t.Name, t.Shape)
		}
	}
	for _, t := range tensors {
		byName[t.Name] = t
	}
	for _, p := range l.Parameters {
		data := byName[p.Name].Data
		p.EachRow(flat, func(row []float32) { data = data[copy(row, data):] })
	}
	return nil
}

func (p Parameter) check(t Tensor) error {
	if !slices.Equal(t.Shape, p.shape()) {
		return fmt.Errorf("network: tensor %s has shape %v, expected %v", t.Name, t.Shape, p.shape())
	}
	if want := p.Rows.Size * p.Columns.Size; len(t.Data) != want {
		return fmt.Errorf("network: tensor %s of shape %v holds %d numbers, expected %d", t.Name, t.Shape, len(t.Data), want)
	}
	for i, v := range t.Data {
		if !Finite(float64(v)) {
			return fmt.Errorf("network: tensor %s holds %v at index %d, expected finite numbers", t.Name, v, i)
		}
	}
	return nil
}

// Finite reports whether v is neither NaN nor an infinity.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
