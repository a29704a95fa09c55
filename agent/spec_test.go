package agent

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestASpecIsANameAnArgumentAndOptions(t *testing.T) {
	for _, c := range []struct {
		text string
		want Spec
	}{
		{"random", Spec{Name: "random"}},
		{"zero:runs/first", Spec{Name: "zero", Argument: "runs/first"}},
		{"zero:runs/first,sims=64,root=4", Spec{Name: "zero", Argument: "runs/first", Settings: []Setting{{"sims", "64"}, {"root", "4"}}}},
		{"greedy,ties=first", Spec{Name: "greedy", Settings: []Setting{{"ties", "first"}}}},
		{`zero:C:\Program Files\kïothi é\a=b`, Spec{Name: "zero", Argument: `C:\Program Files\kïothi é\a=b`}},
		{"zero:a,,b,,sims=1,sims=2", Spec{Name: "zero", Argument: "a,b,sims=1", Settings: []Setting{{"sims", "2"}}}},
		{"zero:a,,,x=1", Spec{Name: "zero", Argument: "a,", Settings: []Setting{{"x", "1"}}}},
		{"zero:a,x=b=c:d", Spec{Name: "zero", Argument: "a", Settings: []Setting{{"x", "b=c:d"}}}},
	} {
		c.want.Text = c.text
		got, err := ParseSpec(c.text)
		if err != nil {
			t.Errorf("ParseSpec(%q): %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("ParseSpec(%q) (-want +got):\n%s", c.text, diff)
		}
		if got.String() != c.text {
			t.Errorf("ParseSpec(%q) prints back as %q", c.text, got.String())
		}
	}
}

func TestASpecThatCannotBeReadSaysWhy(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "no name"},
		{":x", "no name"},
		{",sims=1", "no name"},
		{"zero:", "nothing after the colon"},
		{"zero:a,b", `"b" is not of the form option=value (a comma inside an argument is written twice)`},
		{"zero:a,", `"" is not of the form option=value`},
		{"zero:a,=1", `"=1" is not of the form option=value`},
		{"zero:a,sims=", `"sims=" is not of the form option=value`},
		{"zero:a,sims=1,sims=1", `option "sims" is given twice`},
	} {
		_, err := ParseSpec(c.text)
		var mistake *SpecError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ParseSpec(%q) = %v, want a SpecError with %q", c.text, err, c.want)
		}
	}
}

func TestValuesOfOptionsAreChecked(t *testing.T) {
	spec, err := ParseSpec("zero:a,sims=64,c=0.5,mode=fast,bad=1e999x,nan=NaN")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := spec.Int("sims", 16, 1, 100); n != 64 || err != nil {
		t.Errorf("Int = %d, %v", n, err)
	}
	if n, err := spec.Int("missing", 16, 1, 100); n != 16 || err != nil {
		t.Errorf("Int of a missing option = %d, %v, want the default", n, err)
	}
	if x, err := spec.Float("c", 1, 0, 1); x != 0.5 || err != nil {
		t.Errorf("Float = %v, %v", x, err)
	}
	if x, err := spec.Float("missing", 1, 0, 1); x != 1 || err != nil {
		t.Errorf("Float of a missing option = %v, %v, want the default", x, err)
	}
	if w, err := spec.Word("mode", "slow", "fast"); w != "fast" || err != nil {
		t.Errorf("Word = %q, %v", w, err)
	}
	if w, err := spec.Word("missing", "slow", "fast"); w != "slow" || err != nil {
		t.Errorf("Word of a missing option = %q, %v, want the first", w, err)
	}
	_, tooMany := spec.Int("sims", 1, 1, 32)
	_, noInt := spec.Int("c", 1, 1, 32)
	large := Spec{Text: "x,sims=99999999999999999999", Settings: []Setting{{"sims", "99999999999999999999"}}}
	_, huge := large.Int("sims", 1, 1, 32)
	_, noFloat := spec.Float("bad", 1, 0, 2)
	_, nan := spec.Float("nan", 1, 0, 2)
	_, outside := spec.Float("c", 1, 1, 2)
	_, noWord := spec.Word("mode", "slow", "fest")
	for _, c := range []struct {
		err  error
		want string
	}{
		{tooMany, "option sims: 64 is not from 1 to 32"},
		{huge, "option sims: 99999999999999999999 is not from 1 to 32"},
		{noInt, `option c: "0.5" is not a whole number`},
		{noFloat, `option bad: "1e999x" is not a number`},
		{nan, `option nan: "NaN" is not a number`},
		{outside, "option c: 0.5 is not from 1 to 2"},
		{noWord, `option mode: unknown value "fast", did you mean "fest"? Valid values: slow, fest`},
	} {
		var mistake *SpecError
		if !errors.As(c.err, &mistake) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want a SpecError with %q", c.err, c.want)
		}
	}
}

func FuzzSpec(f *testing.F) {
	for _, text := range []string{"random", "zero:a,,b,sims=1", `zero:C:\x y,c=0.5`, ",", "a:,b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := ParseSpec(text)
		if err == nil && spec.String() != text {
			t.Errorf("%q prints back as %q", text, spec.String())
		}
	})
}

func TestADurationIsPositiveAndHasAUnit(t *testing.T) {
	spec, err := ParseSpec("x,a=100ms,b=5,c=0s,d=-1s")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := spec.Duration("a"); err != nil || d != 100*time.Millisecond {
		t.Errorf("100ms is %v with error %v", d, err)
	}
	if d, err := spec.Duration("none"); err != nil || d != 0 {
		t.Errorf("an option that is not given is %v with error %v", d, err)
	}
	for _, option := range []string{"b", "c", "d"} {
		var mistake *SpecError
		if _, err := spec.Duration(option); !errors.As(err, &mistake) || !strings.Contains(err.Error(), "such as 100ms") {
			t.Errorf("option %s: %v", option, err)
		}
	}
}

func TestOptionsThatExcludeEachOther(t *testing.T) {
	spec, err := ParseSpec("x,a=1,b=2")
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.ExactlyOne("a", "c"); err != nil {
		t.Error(err)
	}
	if err := spec.ExactlyOne("a", "b"); err == nil || !strings.Contains(err.Error(), "found a and b") {
		t.Errorf("two of them: %v", err)
	}
	if err := spec.ExactlyOne("c", "d"); err == nil || !strings.Contains(err.Error(), "options c, d, found none") {
		t.Errorf("none of them: %v", err)
	}
}

func TestWithLimitLeavesOutWhatMeansNothingThen(t *testing.T) {
	for _, c := range []struct {
		text, want string
		limit      Setting
	}{
		{"zero:x,sims=8,considered=4,margin=1", "zero:x,margin=1,movetime=1s", Setting{"movetime", "1s"}},
		{"zero:x,sims=8,considered=4", "zero:x,considered=4,sims=9", Setting{"sims", "9"}},
		{"alphabeta,depth=3,hash=8", "alphabeta,hash=8,nodes=5", Setting{"nodes", "5"}},
	} {
		s, err := ParseSpec(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.WithLimit(c.limit).String(); got != c.want || s.String() != c.text {
			t.Errorf("%s with %v is %s, want %s", c.text, c.limit, got, c.want)
		}
	}
}
