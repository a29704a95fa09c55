// Package model is a trained model on disk: a folder with model.json, which says what the model is, and
// model.safetensors, which holds its weights. It knows neither how the weights are trained nor how they are used.
//
// Reading a model refuses whatever could make it play nonsense in silence: another format, another game or rule set,
// another encoding of actions or features, tensors of other names or shapes, numbers that are not finite, and bytes
// that are not those that were written.
package model
