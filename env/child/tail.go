package child

import (
	"strings"
	"sync"
)

// A Tail keeps the end of what is written to it, such as a program's standard error. It is safe for concurrent use.
type Tail struct {
	mutex sync.Mutex
	text  []byte
}

// tailSize is how much of it is kept, in bytes.
const tailSize = 1000

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, p[max(0, len(p)-tailSize):]...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// String returns the end, as text without white space around it.
func (t *Tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.text), "?"))
}
