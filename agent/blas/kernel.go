// This file names the kernels and selects one.

package blas

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// Kernel names the code that products and elementwise functions run on.
type Kernel string

// The kernels. Which of them a processor has, [Kernels] tells.
const (
	Auto   Kernel = "auto"   // the fastest one here; only for [Use]
	AVX512 Kernel = "avx512" // assembly; needs AVX-512 F, DQ, BW and VL, and what AVX2 needs
	AVX2   Kernel = "avx2"   // assembly; needs AVX2 and FMA
	Go     Kernel = "go"     // gonum's product, plain Go for the rest; always there
)

// kernels is the code behind a Kernel.
type kernels struct {
	name Kernel
	// bands returns how to cut C into bands of columns when there are so many rows, widest first; nil means no
	// assembly: products are gonum's. The last band takes any number of columns up to its width.
	bands func(rows int) []band
	// rereads is the width of C from which a transposed A is worth storing anew, 0 for never. Narrow tiles read A so
	// often that its columns, far apart, cost more than to bring them together once.
	rereads int
	// sparse is what a Sparse runs on; without assembly it is empty.
	sparse sparseKernels
	// transpose writes dst[j*dstRow+i] = src[i*srcRow+j] for 8x8 elements; nil along with bands.
	transpose func(dst *float32, dstRow int, src *float32, srcRow int)
}

// available is the kernels this processor has, fastest first. Go is always the last.
var available = append(assembly(), &kernels{name: Go})

var selected atomic.Pointer[kernels]

func init() { selected.Store(available[0]) }

// Use selects the kernel for the whole process; before the first call it is the fastest one. It may be called at any
// time, but a computation that is under way may then run partly on either. The error for a kernel that is unknown or
// that this processor lacks lists those it has.
func Use(k Kernel) error {
	if k == Auto {
		selected.Store(available[0])
		return nil
	}
	for _, have := range available {
		if have.name == k {
			selected.Store(have)
			return nil
		}
	}
	names := []string{string(Auto)}
	for _, have := range available {
		names = append(names, string(have.name))
	}
	return fmt.Errorf("blas: no kernel %q here: this processor and build have %s", k, strings.Join(names, ", "))
}

// Selected returns the kernel in use, never [Auto].
func Selected() Kernel { return selected.Load().name }

// Kernels returns the kernels that [Use] accepts here besides [Auto], fastest first.
func Kernels() []Kernel {
	names := make([]Kernel, len(available))
	for i, k := range available {
		names[i] = k.name
	}
	return names
}
