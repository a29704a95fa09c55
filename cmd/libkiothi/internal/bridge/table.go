package bridge

import (
	"fmt"
	"sync"
)

// This file is the handles: numbers that stand for Go values on the other side of the border.

// A Table gives out handles for values of one sort. It is safe for concurrent use. The zero value is not ready; see NewTable.
type Table[T any] struct {
	what   string
	mutex  sync.RWMutex
	last   int64
	values map[int64]T
}

// NewTable returns an empty table. what names its values in errors.
func NewTable[T any](what string) *Table[T] {
	return &Table[T]{what: what, values: map[int64]T{}}
}

// Add returns a new handle for a value. Handles are positive and never given out twice.
func (t *Table[T]) Add(value T) int64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.last++
	t.values[t.last] = value
	return t.last
}

// Get returns the value of a handle. A handle that was closed or never given out is a *ClosedError.
func (t *Table[T]) Get(handle int64) (T, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	value, ok := t.values[handle]
	if !ok {
		return value, &ClosedError{t.what, handle}
	}
	return value, nil
}

// Remove takes a handle back and returns its value.
func (t *Table[T]) Remove(handle int64) (T, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	value, ok := t.values[handle]
	if !ok {
		return value, &ClosedError{t.what, handle}
	}
	delete(t.values, handle)
	return value, nil
}

// A ClosedError tells that a handle stands for nothing.
type ClosedError struct {
	What   string
	Handle int64
}

// Error names the handle.
func (e *ClosedError) Error() string {
	return fmt.Sprintf("there is no %s with handle %d: it was closed, or never made", e.What, e.Handle)
}
