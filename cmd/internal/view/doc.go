// Package view is a game as programs see it: its state, its legal moves, what was played and what an agent thinks, in the form of
// the JSON that the WebAssembly module and the HTTP interface both speak; and what they are told, read and judged. Nothing in it
// knows how requests arrive.
package view
