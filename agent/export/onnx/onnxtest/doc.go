// Package onnxtest reads models of package onnx and runs them, so that tests of graphs need no other program. It knows the
// operations that graphs here are made of, by the specification at https://onnx.ai/onnx/operators, and takes its time.
package onnxtest
