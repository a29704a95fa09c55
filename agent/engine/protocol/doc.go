// Package protocol is the words that an engine and the program that asks it for moves say to each other, a line each. The
// page agent/engine/README.md specifies them. Nothing here starts a process or chooses a move.
package protocol

// Version is the version of the protocol.
const Version = 1
