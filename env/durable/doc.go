// Package durable writes files so that a crash at any moment leaves either the old content or the new, never a part:
// everything goes to a temporary name, is synced, and is renamed; then the directory is synced, so that the new name
// survives a power cut as well.
package durable
