package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableEscapes makes a console of Windows understand ANSI escapes, as it does only on request, and reports whether it
// does.
func enableEscapes(console *os.File) bool {
	var mode uint32
	handle := windows.Handle(console.Fd())
	if windows.GetConsoleMode(handle, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
