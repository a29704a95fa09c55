package train

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// What is not in use any more, and only not collected yet, is no part of the heap that metrics tell.
func TestTheHeapOfMetricsHasNoGarbage(t *testing.T) {
	runtime.GC()
	before := liveHeap()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const garbage = 64 << 20
	for range 64 {
		runtime.KeepAlive(make([]byte, garbage/64))
	}
	if after := liveHeap(); before == 0 || after > before+garbage/2 {
		t.Errorf("the heap was %d bytes, and with %d bytes of garbage it is %d", before, garbage, after)
	}
}
