package onnxtest

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"kiothi/agent/export/onnx"
)

// This file reads a model's message. It is written from onnx.proto, not from the writer: it shares no numbers with it.

// A Model is what a file says.
type Model struct {
	IRVersion, Opset int64
	Producer         string
	Metadata         map[string]string
	Graph            onnx.Graph
}

// Parse reads a model. It refuses what package onnx does not write.
func Parse(data []byte) (*Model, error) {
	m := &Model{Metadata: map[string]string{}}
	return m, each(data, func(field protowire.Number, n int64, content []byte) error {
		switch field {
		case 1:
			m.IRVersion = n
		case 2:
			m.Producer = string(content)
		case 3, 6: // the producer's version, and the doc string
		case 7:
			return m.parseGraph(content)
		case 8:
			return each(content, func(field protowire.Number, n int64, domain []byte) error {
				if field == 2 {
					m.Opset = n
				} else if len(domain) > 0 {
					return fmt.Errorf("operations of the domain %q", domain)
				}
				return nil
			})
		case 14:
			key, value, err := parsePair(content)
			m.Metadata[key] = value
			return err
		default:
			return fmt.Errorf("field %d of a model", field)
		}
		return nil
	})
}

func parsePair(data []byte) (key, value string, err error) {
	err = each(data, func(field protowire.Number, _ int64, content []byte) error {
		if field == 1 {
			key = string(content)
		} else {
			value = string(content)
		}
		return nil
	})
	return key, value, err
}

func (m *Model) parseGraph(data []byte) error {
	g := &m.Graph
	return each(data, func(field protowire.Number, _ int64, content []byte) error {
		switch field {
		case 1:
			n, err := parseNode(content)
			g.Nodes = append(g.Nodes, n)
			return err
		case 2:
			g.Name = string(content)
		case 5:
			c, err := parseConstant(content)
			g.Constants = append(g.Constants, c)
			return err
		case 11:
			p, err := parsePort(content)
			g.Inputs = append(g.Inputs, p)
			return err
		case 12:
			p, err := parsePort(content)
			g.Outputs = append(g.Outputs, p)
			return err
		default:
			return fmt.Errorf("field %d of a graph", field)
		}
		return nil
	})
}

func parseNode(data []byte) (onnx.Node, error) {
	var n onnx.Node
	return n, each(data, func(field protowire.Number, _ int64, content []byte) error {
		switch field {
		case 1:
			n.Inputs = append(n.Inputs, onnx.Value(content))
		case 2:
			n.Output = onnx.Value(content)
		case 3:
			n.Name = string(content)
		case 4:
			n.Op = string(content)
		case 5:
			var a onnx.Attribute
			kind := int64(0)
			err := each(content, func(field protowire.Number, number int64, content []byte) error {
				switch field {
				case 1:
					a.Name = string(content)
				case 3:
					a.Int = number
				case 20:
					kind = number
				default:
					return fmt.Errorf("field %d of an attribute", field)
				}
				return nil
			})
			if err == nil && kind != 2 {
				err = fmt.Errorf("attribute %s of type %d", a.Name, kind)
			}
			n.Attributes = append(n.Attributes, a)
			return err
		default:
			return fmt.Errorf("field %d of a node", field)
		}
		return nil
	})
}

func parseConstant(data []byte) (onnx.Constant, error) {
	var c onnx.Constant
	kind, size, raw := int64(0), 1, []byte(nil)
	err := each(data, func(field protowire.Number, n int64, content []byte) error {
		switch field {
		case 1:
			c.Shape = append(c.Shape, int(n))
			size *= int(n)
		case 2:
			kind = n
		case 8:
			c.Name = onnx.Value(content)
		case 9:
			raw = content
		default:
			return fmt.Errorf("field %d of a tensor", field)
		}
		return nil
	})
	switch {
	case err != nil:
		return c, err
	case kind == 1 && len(raw) == 4*size:
		for ; len(raw) > 0; raw = raw[4:] {
			c.Floats = append(c.Floats, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		}
	case kind == 7 && len(raw) == 8*size:
		for ; len(raw) > 0; raw = raw[8:] {
			c.Ints = append(c.Ints, int64(binary.LittleEndian.Uint64(raw)))
		}
	default:
		return c, fmt.Errorf("tensor %s of type %d and shape %v with %d bytes", c.Name, kind, c.Shape, len(raw))
	}
	return c, nil
}

// parsePort reads an input or output, whose first dimension has to be the batch.
func parsePort(data []byte) (onnx.Port, error) {
	var p onnx.Port
	kind, batch := int64(0), ""
	dimension := func(field protowire.Number, n int64, content []byte) error {
		if field == 1 {
			p.Shape = append(p.Shape, int(n))
		} else {
			batch += string(content)
		}
		return nil
	}
	shape := func(_ protowire.Number, _ int64, content []byte) error { return each(content, dimension) }
	tensor := func(field protowire.Number, n int64, content []byte) error {
		if field == 1 {
			kind = n
			return nil
		}
		return each(content, shape)
	}
	err := each(data, func(field protowire.Number, _ int64, content []byte) error {
		switch field {
		case 1:
			p.Name = string(content)
		case 2:
			return each(content, func(_ protowire.Number, _ int64, content []byte) error { return each(content, tensor) })
		case 3:
			p.Doc = string(content)
		}
		return nil
	})
	if err == nil && (kind != 1 || batch != onnx.Batch) {
		err = fmt.Errorf("port %s of type %d, its first dimension is %q", p.Name, kind, batch)
	}
	return p, err
}

// each calls f with each field of a message: n is the value of a number, content that of bytes.
func each(message []byte, f func(field protowire.Number, n int64, content []byte) error) error {
	for len(message) > 0 {
		field, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return protowire.ParseError(size)
		}
		message = message[size:]
		var n uint64
		var content []byte
		switch kind {
		case protowire.VarintType:
			n, size = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			content, size = protowire.ConsumeBytes(message)
		default:
			return fmt.Errorf("field %d of the wire type %d", field, kind)
		}
		if size < 0 {
			return protowire.ParseError(size)
		}
		message = message[size:]
		if err := f(field, int64(n), content); err != nil {
			return err
		}
	}
	return nil
}
