// Package child is for programs that run other programs: it keeps a child apart with all that it starts, so that all of it
// can be ended, keeps the last words that it said, and splits command lines.
package child
