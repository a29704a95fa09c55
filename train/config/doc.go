// Package config is the configuration of a training run: its keys with their ranges and meanings, the presets, and the
// TOML that people write. A key that does not exist, or a value out of range, is an error that says what there is.
//
// The table in keys.go drives everything that is said of a key; the numbers of the presets are in presets.go.
package config
