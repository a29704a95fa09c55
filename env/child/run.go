package child

import (
	"os/exec"
	"runtime"
)

// Run starts a program apart. It returns when the program has started, or could not be; the result of cmd.Wait comes
// through the channel when it has ended.
//
// On Linux a program that is run so does not outlive us, even when we are killed. The system ends it with the thread that
// started it (PR_SET_PDEATHSIG), which therefore waits for it.
func Run(cmd *exec.Cmd) (<-chan error, error) {
	Apart(cmd)
	dieWithParent(cmd)
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return ended, <-started
}
