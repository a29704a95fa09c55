package watch

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// This file asks the operating system, and reads numbers.

// alive reports whether there is a process of this machine with an id.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	if runtime.GOOS == "windows" {
		return true // found, which it is elsewhere in any case
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// number reads a whole number from 1 to 999999, as the numbers of iterations and of games are.
func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && (n < 1 || n > 999_999) {
		err = strconv.ErrRange
	}
	return n, err
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
