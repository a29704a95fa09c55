// Package npm holds the ES modules of the npm package in this folder, for programs that serve them.
package npm

import "embed"

// Modules are the ES modules that a browser needs, kiothi.mjs first among them. The WebAssembly module that they load is not
// among them.
//
//go:embed client.mjs error.mjs files.mjs kiothi.mjs module.mjs wasi.mjs worker.mjs
var Modules embed.FS
