package release

import (
	"slices"
	"testing"
	"testing/fstest"
)

// A release is offered for what it holds, and says of what it does not hold what it has instead.
func TestReleasesAreOfferedForWhatTheyHold(t *testing.T) {
	file := described("kiothi", "x", "7", "2026-11-30")
	files := fstest.MapFS{
		"both/release.json": file, "both/model.json": {}, "both/eval.nnue": {},
		"deep/release.json": file, "deep/model.json": {},
		"fast/release.json": file, "fast/eval.nnue": {},
		"none/release.json": file,
		"no-release/x.txt":  {},
	}
	for n, want := range map[Network][]string{Policy: {"both", "deep"}, Evaluation: {"both", "fast"}} {
		if names, err := n.names(files); err != nil || !slices.Equal(names, want) {
			t.Errorf("%v: %v, %v; want %v", n, names, err, want)
		}
		for _, name := range append(want, "other", "no-release", "both/eval.nnue", "..", "") {
			if err := n.lacking(files, name); err != nil {
				t.Errorf("%v: %q: %v", n, name, err)
			}
		}
	}
	for name, c := range map[string]struct {
		n    Network
		want string
	}{
		"fast": {Policy, "fast holds only an evaluation network (net=), expected a policy network (zero:); with a policy network (zero:), this program carries both, deep"},
		"deep": {Evaluation, "deep holds only a policy network (zero:), expected an evaluation network (net=); with an evaluation network (net=), this program carries both, fast"},
		"none": {Policy, "none holds no network, expected a policy network (zero:); with a policy network (zero:), this program carries both, deep"},
	} {
		if err := c.n.lacking(files, name); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if hint := Policy.hint(nil); hint != "" {
		t.Errorf("a program that carries nothing offers %q", hint)
	}
	if err := Policy.lacking(nil, "fast"); err != nil {
		t.Errorf("a program that carries nothing: %v", err)
	}
}
