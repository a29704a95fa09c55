//go:build !linux

package train

// machineMemory returns 0: the memory that this process may use is not known.
func machineMemory() int64 { return 0 }
