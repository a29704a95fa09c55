// Package engine lets programs in any language play: its agent runs a command as a child process and asks it for moves over
// the protocol that README.md specifies. Package server is the other side, for our own agents; package enginecheck is the
// conformance run for anybody's.
package engine
