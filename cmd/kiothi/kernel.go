package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"kiothi/agent/blas"
	"kiothi/env/choice"
)

// This file is the processor: its name, and the code that networks compute on.

// bindKernel adds --blas, which takes effect before the command runs.
func bindKernel(cmd *cobra.Command) {
	var kernel string
	cmd.Flags().StringVar(&kernel, "blas", string(blas.Auto), "code of the matrix products: auto (the fastest here), avx512, avx2 or go")
	complete(cmd, "blas", kernelNames)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if blas.Use(blas.Kernel(kernel)) != nil {
			return usage("--blas: %w", choice.Unknown("kernel", kernel, kernelNames()))
		}
		return nil
	}
}

// kernelNames lists what --blas accepts on this processor.
func kernelNames() []string {
	names := []string{string(blas.Auto)}
	for _, kernel := range blas.Kernels() {
		names = append(names, string(kernel))
	}
	return names
}

// machine describes in a line what the speed of a network depends on.
func machine() string {
	return fmt.Sprintf("%s, %d cores for Go, kernel %s", processor(), runtime.GOMAXPROCS(0), blas.Selected())
}

// processor returns the processor's name where the system tells it without a program of its own, else its architecture.
func processor() string {
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	if name := os.Getenv("PROCESSOR_IDENTIFIER"); name != "" { // Windows
		return name
	}
	return runtime.GOARCH
}
