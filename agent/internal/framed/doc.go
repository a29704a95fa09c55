// Package framed is the frame of files that hold one large body of numbers, such as tables: a magic word and a version, a
// description as JSON, the body compressed by DEFLATE, and a checksum of all that. A file that is torn, altered or of
// another kind is refused with what was expected, what was found and what to do.
package framed
