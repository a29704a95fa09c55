// Package checkpoint keeps snapshots of a run on disk. A snapshot is a folder of files that appears whole or not at
// all: it is filled under a temporary name, every file is synced, a manifest with their sizes and checksums is added,
// and the folder is renamed. A snapshot that no longer is what its manifest says is skipped, with the reason.
//
// A store is open in one process at a time. The lock is the operating system's, so it ends with the process however
// that ends.
package checkpoint
