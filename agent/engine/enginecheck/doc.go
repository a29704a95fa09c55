// Package enginecheck finds out whether a program keeps the engine protocol (agent/engine/README.md): it runs the program,
// once for each promise, and reports what was expected and what was found.
package enginecheck
