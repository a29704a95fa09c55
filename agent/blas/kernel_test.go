package blas

import (
	"slices"
	"strings"
	"testing"
)

func TestFastestKernelIsSelectedAtFirst(t *testing.T) {
	if got, want := Selected(), Kernels()[0]; got != want {
		t.Errorf("selected %s, want %s", got, want)
	}
	t.Logf("kernels here: %v", Kernels())
}

func TestUseSelectsEveryKernelThatIsListed(t *testing.T) {
	for _, k := range Kernels() {
		if err := use(t, k); err != nil || Selected() != k {
			t.Errorf("Use(%s): %v, selected %s", k, err, Selected())
		}
	}
	if err := use(t, Auto); err != nil || Selected() != Kernels()[0] {
		t.Errorf("Use(auto): %v, selected %s, want %s", err, Selected(), Kernels()[0])
	}
}

func TestGoIsAlwaysThereAndLast(t *testing.T) {
	if k := Kernels(); k[len(k)-1] != Go || slices.Contains(k, Auto) {
		t.Errorf("kernels are %v, want go as the last and not auto", k)
	}
}

func TestUseRefusesAnUnknownKernelAndListsThoseThereAre(t *testing.T) {
	before := Selected()
	err := Use("sse9")
	if err == nil {
		t.Fatal("no error for an unknown kernel")
	}
	for _, k := range append(Kernels(), Auto, "sse9") {
		if !strings.Contains(err.Error(), string(k)) {
			t.Errorf("error %q does not name %s", err, k)
		}
	}
	if Selected() != before {
		t.Errorf("a refused kernel changed the selection from %s to %s", before, Selected())
	}
}
