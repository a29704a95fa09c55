package model

import (
	"fmt"
	"slices"
	"strconv"
)

// This file is the check of a model against what its user needs, and the error that it gives.

// A MismatchError says in one line that a model is not what was asked for.
type MismatchError struct {
	Path     string // the file or folder
	What     string // what does not match, such as "rule set"
	Expected string
	Found    string
	Hint     string // what to do
}

// Error names the path, what was expected, what was found, and what to do.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %s: expected %s, found %s; %s", e.Path, e.What, e.Expected, e.Found, e.Hint)
}

// broken returns the error for bytes that are not those that were written.
func broken(path, what, expected, found string) error {
	return &MismatchError{path, what, expected, found, "the file is damaged or incomplete: use another checkpoint, or copy this one again"}
}

// A Want says what a model has to be. Fields left zero are not checked.
type Want struct {
	Game            string
	Rules           string // canonical text
	ActionEncoding  int
	FeatureEncoding int
	Architecture    Architecture
	Tensors         []Tensor // the names and shapes there have to be; data is not looked at
}

// Check compares a model that was read from dir with what is wanted. The error is a *MismatchError.
func (w Want) Check(dir string, d Description, tensors []Tensor) error {
	mismatch := func(what, expected, found, hint string) error {
		return &MismatchError{dir, what, expected, found, hint}
	}
	switch {
	case w.Game != "" && d.Game != w.Game:
		return mismatch("game", w.Game, d.Game, "choose --game "+d.Game+", or another model")
	case w.Rules != "" && d.Rules != w.Rules:
		return mismatch("rule set", w.Rules, d.Rules, "choose --rules "+d.Rules+", or another model")
	case w.ActionEncoding != 0 && d.ActionEncoding != w.ActionEncoding:
		return mismatch("action encoding", strconv.Itoa(w.ActionEncoding), strconv.Itoa(d.ActionEncoding), "use the kiothi that trained it ("+d.CreatedWith+"), or train anew")
	case w.FeatureEncoding != 0 && d.FeatureEncoding != w.FeatureEncoding:
		return mismatch("feature encoding", strconv.Itoa(w.FeatureEncoding), strconv.Itoa(d.FeatureEncoding), "use the kiothi that trained it ("+d.CreatedWith+"), or train anew")
	case w.Architecture != Architecture{} && d.Architecture != w.Architecture:
		return mismatch("architecture", w.Architecture.String(), d.Architecture.String(), "use the configuration that it was trained with, or train anew")
	case w.Tensors != nil:
		return checkTensors(dir, tensors, w.Tensors)
	}
	return nil
}

// checkTensors compares the names and shapes of two sets of tensors, whatever their order.
func checkTensors(dir string, found, want []Tensor) error {
	const hint = "the description and the weights do not belong together, or another kiothi wrote them"
	shapes := make(map[string][]int, len(found))
	for _, t := range found {
		shapes[t.Name] = t.Shape
	}
	for _, t := range want {
		shape, ok := shapes[t.Name]
		if !ok {
			return &MismatchError{dir, "tensor " + t.Name, fmt.Sprintf("shape %v", t.Shape), "no such tensor", hint}
		}
		if !slices.Equal(shape, t.Shape) {
			return &MismatchError{dir, "tensor " + t.Name, fmt.Sprintf("shape %v", t.Shape), fmt.Sprintf("shape %v", shape), hint}
		}
		delete(shapes, t.Name)
	}
	for _, t := range found {
		if shape, ok := shapes[t.Name]; ok {
			return &MismatchError{dir, "tensor " + t.Name, "no such tensor", fmt.Sprintf("shape %v", shape), hint}
		}
	}
	return nil
}
