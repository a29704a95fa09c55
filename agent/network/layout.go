// This file places the parameters of a network in one padded array.

package network

import (
	"fmt"
	"math"
	"slices"
)

// layout says where each parameter lies in an array that holds them all:
// weights, and the two moments of the optimizer. Padding is zero and stays so:
// its gradient is zero because padded inputs and padded logits' gradients are.
type layout struct {
	parameters []parameter // .weight and .bias of each layer, in their order
	size       int         // length of the array
}

// parameter is one weight matrix, or one bias as a matrix of one row.
type parameter struct {
	name          string
	rows, columns side
	offset        int
	bias          bool
	gain          float64 // of a new weight matrix; see layer
}

func newLayout(c Config) layout {
	var l layout
	add := func(p parameter) {
		p.offset = l.size
		l.size += p.rows.padded * p.columns.padded
		l.parameters = append(l.parameters, p)
	}
	for _, layer := range c.layers() {
		add(parameter{name: layer.name + ".weight", rows: layer.in, columns: layer.out, gain: layer.gain})
		add(parameter{name: layer.name + ".bias", rows: side{1, 1}, columns: layer.out, bias: true})
	}
	return l
}

// shape is the parameter's shape in a file.
func (p parameter) shape() []int {
	if p.bias {
		return []int{p.columns.size}
	}
	return []int{p.rows.size, p.columns.size}
}

// part is the parameter's part of flat, padding included.
func part[T float](p parameter, flat []T) []T {
	end := p.offset + p.rows.padded*p.columns.padded
	return flat[p.offset:end:end]
}

// rowsOf calls f with each row of the parameter, padding left out.
func (p parameter) rowsOf(flat []float32, f func(row []float32)) {
	data := part(p, flat)
	for i := range p.rows.size {
		start := i * p.columns.padded
		f(data[start : start+p.columns.size])
	}
}

// tensors copies every parameter out of flat.
func (l layout) tensors(flat []float32) []Tensor {
	tensors := make([]Tensor, len(l.parameters))
	for i, p := range l.parameters {
		data := make([]float32, 0, p.rows.size*p.columns.size)
		p.rowsOf(flat, func(row []float32) { data = append(data, row...) })
		tensors[i] = Tensor{Name: p.name, Shape: p.shape(), Data: data}
	}
	return tensors
}

// setTensors copies every parameter into flat, or none.
func (l layout) setTensors(flat []float32, tensors []Tensor) error {
	byName := make(map[string]Tensor, len(tensors))
	for _, t := range tensors {
		if _, twice := byName[t.Name]; twice {
			return fmt.Errorf("network: tensor %s is given twice", t.Name)
		}
		byName[t.Name] = t
	}
	for _, p := range l.parameters {
		t, found := byName[p.name]
		if !found {
			return fmt.Errorf("network: tensor %s %v is missing", p.name, p.shape())
		}
		if err := p.check(t); err != nil {
			return err
		}
		delete(byName, p.name)
	}
	for _, t := range tensors {
		if _, left := byName[t.Name]; left {
			return fmt.Errorf("network: tensor %s %v is not part of this network", t.Name, t.Shape)
		}
	}
	for _, t := range tensors {
		byName[t.Name] = t
	}
	for _, p := range l.parameters {
		data := byName[p.name].Data
		p.rowsOf(flat, func(row []float32) { data = data[copy(row, data):] })
	}
	return nil
}

func (p parameter) check(t Tensor) error {
	if !slices.Equal(t.Shape, p.shape()) {
		return fmt.Errorf("network: tensor %s has shape %v, want %v", t.Name, t.Shape, p.shape())
	}
	if want := p.rows.size * p.columns.size; len(t.Data) != want {
		return fmt.Errorf("network: tensor %s of shape %v holds %d numbers, want %d", t.Name, t.Shape, len(t.Data), want)
	}
	for i, v := range t.Data {
		if !finite(float64(v)) {
			return fmt.Errorf("network: tensor %s holds %v at index %d, want finite numbers", t.Name, v, i)
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
