// Package childtest is the test kit of programs that run other programs: a test program as its own child, and whether a process
// is still there.
package childtest
