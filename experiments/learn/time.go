//go:build unix

// This file reads the clock of the processor.

package main

import (
	"syscall"
	"time"
)

// processorTime returns the time that this program has had a processor, in its own code and in the system's.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic("learn: " + err.Error()) // it knows no such error
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
