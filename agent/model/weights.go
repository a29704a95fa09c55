package model

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nlpodyssey/safetensors"

	"kiothi/env/durable"
)

// This file is model.safetensors, and the writing and reading of both files together.

// maxWeights is the largest weights file that is read, in bytes: some hundred times what our largest networks need.
const maxWeights = 1 << 30

// A Tensor is an array of weights in row-major order: len(Data) is the product of Shape, which has one positive
// dimension or more.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
}

// Write writes a model into an existing folder. Equal models give equal bytes, whatever the order of the tensors. It
// refuses, with nothing written, tensors that WriteTensors refuses.
func Write(dir string, d Description, tensors []Tensor) error {
	// The weights go first: should the program die between the two, the old description refuses the new weights.
	sum, err := WriteTensors(filepath.Join(dir, WeightsFile), tensors)
	if err == nil {
		d.Format, d.Parameters, d.Checksum = Format, 0, sum
		for _, t := range tensors {
			d.Parameters += len(t.Data)
		}
		err = writeDescription(dir, d)
	}
	if err != nil {
		return fmt.Errorf("writing a model to %s: %w", dir, err)
	}
	return nil
}

// WriteTensors writes a safetensors file and returns its SHA-256 in hexadecimal. It refuses, with nothing written, tensors
// without a name, with equal names, with data that does not fill their shape, or with numbers that are not finite.
func WriteTensors(path string, tensors []Tensor) (checksum string, err error) {
	views := make(map[string]view, len(tensors))
	for _, t := range tensors {
		if err := t.check(); err != nil {
			return "", err
		}
		if _, twice := views[t.Name]; twice {
			return "", fmt.Errorf("found two tensors named %q, expected names that differ", t.Name)
		}
		views[t.Name] = newView(t)
	}
	data, err := safetensors.Serialize(views, nil)
	if err != nil {
		return "", err
	}
	return checksumOf(data), durable.WriteBytes(path, data)
}

// ReadTensors reads a safetensors file that has the given SHA-256 in hexadecimal, the tensors in the order of their names.
// It refuses, with a *MismatchError, another file, and numbers that are not finite.
func ReadTensors(path, checksum string) ([]Tensor, error) { return readTensors(disk, path, checksum) }

func readTensors(open opener, path, checksum string) ([]Tensor, error) {
	data, err := readAtMost(open, path, maxWeights)
	if errors.Is(err, os.ErrNotExist) {
		return nil, broken(path, "weights", "a file", "none")
	}
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	if sum := checksumOf(data); sum != checksum {
		return nil, broken(path, "checksum", "sha256 "+checksum, "sha256 "+sum)
	}
	tensors, err := decode(path, data)
	if err != nil {
		return nil, err
	}
	for _, t := range tensors {
		if err := t.check(); err != nil {
			return nil, broken(path, "weights", "finite numbers that fill their shapes", err.Error())
		}
	}
	return tensors, nil
}

// Read reads a model from a folder, the tensors in the order of their names. It refuses, with a *MismatchError, a
// format other than Format, weights that are not those that the description was written with, and numbers that are not
// finite. Whether the model is the one that is needed is Want.Check's to say.
func Read(dir string) (Description, []Tensor, error) {
	return read(disk, filepath.Join(dir, DescriptionFile), filepath.Join(dir, WeightsFile))
}

// ReadFS is Read for a folder of a file system, such as one that a program carries along.
func ReadFS(files fs.FS, dir string) (Description, []Tensor, error) {
	open := func(path string) (io.ReadCloser, error) { return files.Open(path) }
	return read(open, path.Join(dir, DescriptionFile), path.Join(dir, WeightsFile))
}

func read(open opener, description, weights string) (Description, []Tensor, error) {
	d, err := readDescription(open, description)
	if err != nil {
		return Description{}, nil, err
	}
	tensors, err := readTensors(open, weights, d.Checksum)
	if err != nil {
		return Description{}, nil, err
	}
	parameters := 0
	for _, t := range tensors {
		parameters += len(t.Data)
	}
	if parameters != d.Parameters {
		return Description{}, nil, broken(weights, "parameters", strconv.Itoa(d.Parameters), strconv.Itoa(parameters))
	}
	return d, tensors, nil
}

// check reports what is wrong with a tensor.
func (t Tensor) check() error {
	if t.Name == "" || strings.HasPrefix(t.Name, "__") {
		return fmt.Errorf("found a tensor named %q, expected a name that does not begin with two underscores", t.Name)
	}
	size := 1
	for _, n := range t.Shape {
		if n < 1 || size > math.MaxInt32/n {
			return fmt.Errorf("tensor %s: found shape %v, expected positive dimensions with a product below 2^31", t.Name, t.Shape)
		}
		size *= n
	}
	if len(t.Shape) == 0 || size != len(t.Data) {
		return fmt.Errorf("tensor %s: found %d numbers for shape %v, expected one dimension or more and their product", t.Name, len(t.Data), t.Shape)
	}
	for i, v := range t.Data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("tensor %s: found %v at index %d, expected finite numbers", t.Name, v, i)
		}
	}
	return nil
}

// decode reads the bytes of a safetensors file. Its tensors own their data.
func decode(path string, data []byte) ([]Tensor, error) {
	file, err := safetensors.Deserialize(data)
	if err != nil {
		return nil, broken(path, "weights", "safetensors", err.Error())
	}
	var tensors []Tensor
	for _, named := range file.Tensors() {
		if kind := named.TensorView.DType(); kind != safetensors.F32 {
			return nil, broken(path, "tensor "+named.Name, "F32", kind.String())
		}
		t := Tensor{Name: named.Name}
		for _, n := range named.TensorView.Shape() {
			t.Shape = append(t.Shape, int(n))
		}
		raw := named.TensorView.Data()
		t.Data = make([]float32, len(raw)/4)
		for i := range t.Data {
			t.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		tensors = append(tensors, t)
	}
	slices.SortFunc(tensors, func(a, b Tensor) int { return strings.Compare(a.Name, b.Name) })
	return tensors, nil
}

// checksumOf returns the SHA-256 of a file's bytes in hexadecimal.
func checksumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A view is a tensor in the form in which safetensors writes it.
type view struct {
	shape []uint64
	data  []byte
}

func newView(t Tensor) view {
	v := view{data: make([]byte, 0, 4*len(t.Data))}
	for _, n := range t.Shape {
		v.shape = append(v.shape, uint64(n))
	}
	for _, x := range t.Data {
		v.data = binary.LittleEndian.AppendUint32(v.data, math.Float32bits(x))
	}
	return v
}

func (v view) DType() safetensors.DType { return safetensors.F32 }
func (v view) Shape() []uint64          { return v.shape }
func (v view) Data() []byte             { return v.data }
func (v view) DataLen() uint64          { return uint64(len(v.data)) }
