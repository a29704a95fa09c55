// Package onnx writes models in the Open Neural Network Exchange format (https://onnx.ai): a graph of operations on
// tensors, as a Protocol Buffers message. It knows as much of the format as is needed to write float32 networks, and
// nothing of networks. Equal graphs give equal bytes.
package onnx
