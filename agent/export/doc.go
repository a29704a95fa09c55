// Package export turns a trained network into a folder that other people's programs can use without this module: the
// network in ONNX, from features and from raw observations, positions with what the network says about them, so that every
// port can be tested against it, and a manifest that says what all of it means. Other packages add parts of their own, such as
// a page to play on.
//
// Whatever is in the folder besides the weights is computed here from the game and the encoder, so that the folder and the
// code cannot disagree.
package export
