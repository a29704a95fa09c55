package env

import "fmt"

// A Box is a space of float32 arrays with the same bounds for each value.
type Box struct {
	Shape     []int
	Low, High float32
	Planes    []Plane // what the first axis means
}

// Size returns the number of values.
func (b Box) Size() int {
	size := 1
	for _, n := range b.Shape {
		size *= n
	}
	return size
}

// Contains reports whether x has the space's size and lies within its bounds.
func (b Box) Contains(x []float32) bool {
	if len(x) != b.Size() {
		return false
	}
	for _, v := range x {
		if !(v >= b.Low && v <= b.High) {
			return false
		}
	}
	return true
}

// String describes the space as Gymnasium does.
func (b Box) String() string {
	return fmt.Sprintf("Box(%g, %g, %v, float32)", b.Low, b.High, b.Shape)
}

// A Discrete is the space of the whole numbers 0 to N-1.
type Discrete struct{ N int }

// Contains reports whether a lies in the space.
func (d Discrete) Contains(a int) bool { return a >= 0 && a < d.N }

// String describes the space as Gymnasium does.
func (d Discrete) String() string { return fmt.Sprintf("Discrete(%d)", d.N) }
