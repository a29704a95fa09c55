package agent

import "sync"

// An Idle keeps what an agent's call needs, such as the memory of a search, from one call to the next: as many as were ever
// in use at once. It is safe for concurrent use.
type Idle[T any] struct {
	make func() T

	mutex sync.Mutex
	items []T
}

// NewIdle returns an empty Idle that fills itself by a function.
func NewIdle[T any](make func() T) *Idle[T] { return &Idle[T]{make: make} }

// Take returns what is not in use, the last given back, or something new. Give it back after use.
func (i *Idle[T]) Take() T {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if n := len(i.items); n > 0 {
		item := i.items[n-1]
		i.items = i.items[:n-1]
		return item
	}
	return i.make()
}

// Give takes back what Take returned.
func (i *Idle[T]) Give(item T) {
	i.mutex.Lock()
	i.items = append(i.items, item)
	i.mutex.Unlock()
}
