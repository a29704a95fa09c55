package onnx

import (
	"encoding/binary"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file writes a model's message. The numbers of the fields are those of onnx.proto.

// Every runtime in use reads these versions: of the format (IR) and of the set of operations. Not all read the newest.
const (
	IRVersion = 8
	Opset     = 13
)

// A Model is a graph and what is said about it.
type Model struct {
	Producer, ProducerVersion string
	Doc                       string
	Metadata                  []Property
	Graph                     *Graph
}

// A Property is an entry of the metadata.
type Property struct{ Key, Value string }

const (
	modelIRVersion       = 1
	modelProducer        = 2
	modelProducerVersion = 3
	modelDoc             = 6
	modelGraph           = 7
	modelOpset           = 8
	modelMetadata        = 14

	opsetVersion = 2

	propertyKey   = 1
	propertyValue = 2

	graphNode     = 1
	graphName     = 2
	graphConstant = 5
	graphInput    = 11
	graphOutput   = 12

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOp        = 4
	nodeAttribute = 5

	attributeName = 1
	attributeInt  = 3
	attributeType = 20
	typeInt       = 2

	tensorDims  = 1
	tensorDType = 2
	tensorName  = 8
	tensorData  = 9

	portName        = 1
	portType        = 2
	portDoc         = 3
	typeTensor      = 1
	tensorTypeDType = 1
	tensorTypeShape = 2
	shapeDim        = 1
	dimValue        = 1
	dimParameter    = 2
)

// A message is a Protocol Buffers message under way.
type message []byte

func (m *message) number(field protowire.Number, n int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(n))
}

func (m *message) bytes(field protowire.Number, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), b)
}

func (m *message) text(field protowire.Number, s string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), s)
}

// optional writes a text that is left out where it is empty.
func (m *message) optional(field protowire.Number, s string) {
	if s != "" {
		m.text(field, s)
	}
}

// Bytes returns the content of the model's file.
func (m *Model) Bytes() []byte {
	var out, opset message
	out.number(modelIRVersion, IRVersion)
	out.optional(modelProducer, m.Producer)
	out.optional(modelProducerVersion, m.ProducerVersion)
	out.optional(modelDoc, m.Doc)
	out.bytes(modelGraph, m.Graph.encode())
	opset.number(opsetVersion, Opset)
	out.bytes(modelOpset, opset)
	for _, p := range m.Metadata {
		var property message
		property.text(propertyKey, p.Key)
		property.text(propertyValue, p.Value)
		out.bytes(modelMetadata, property)
	}
	return out
}

func (g *Graph) encode() message {
	var out message
	for i := range g.Nodes {
		out.bytes(graphNode, g.Nodes[i].encode())
	}
	out.text(graphName, g.Name)
	for i := range g.Constants {
		out.bytes(graphConstant, g.Constants[i].encode())
	}
	for i := range g.Inputs {
		out.bytes(graphInput, g.Inputs[i].encode())
	}
	for i := range g.Outputs {
		out.bytes(graphOutput, g.Outputs[i].encode())
	}
	return out
}

func (n *Node) encode() message {
	var out message
	for _, input := range n.Inputs {
		out.text(nodeInput, string(input))
	}
	out.text(nodeOutput, string(n.Output))
	out.text(nodeName, n.Name)
	out.text(nodeOp, n.Op)
	for _, a := range n.Attributes {
		var attribute message
		attribute.text(attributeName, a.Name)
		attribute.number(attributeInt, a.Int)
		attribute.number(attributeType, typeInt)
		out.bytes(nodeAttribute, attribute)
	}
	return out
}

func (c *Constant) encode() message {
	var out message
	for _, n := range c.Shape {
		out.number(tensorDims, int64(n))
	}
	dtype, data := Float32, make([]byte, 0, 4*len(c.Floats)+8*len(c.Ints))
	for _, f := range c.Floats {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
	}
	if c.Ints != nil {
		dtype = Int64
		for _, n := range c.Ints {
			data = binary.LittleEndian.AppendUint64(data, uint64(n))
		}
	}
	out.number(tensorDType, int64(dtype))
	out.text(tensorName, string(c.Name))
	out.bytes(tensorData, data)
	return out
}

func (p *Port) encode() message {
	var shape, batch message
	batch.text(dimParameter, Batch)
	shape.bytes(shapeDim, batch)
	for _, n := range p.Shape {
		var dim message
		dim.number(dimValue, int64(n))
		shape.bytes(shapeDim, dim)
	}
	var tensor, kind, out message
	tensor.number(tensorTypeDType, int64(Float32))
	tensor.bytes(tensorTypeShape, shape)
	kind.bytes(typeTensor, tensor)
	out.text(portName, p.Name)
	out.bytes(portType, kind)
	out.optional(portDoc, strings.TrimSpace(p.Doc))
	return out
}
