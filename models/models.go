// Package models holds the released bots for programs that want to carry them: importing it is enough, as package release
// says.
package models

import (
	"embed"

	"kiothi/agent/release"
)

// What a bot plays with, and what it says of itself: files in JSON, evaluation networks, weights. Cards and pictures stay
// outside.
//
//go:embed */*.[jn]* */*.safetensors
var files embed.FS

func init() { release.Carry(files) }
