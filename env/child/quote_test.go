package child

import (
	"os/exec"
	"runtime"
	"slices"
	"testing"
)

// words are some that shells and people trip over.
var words = []string{
	"kiothi", "zero:runs/first,sims=64", "a b", "", "it's", `"`, `'"'`, `C:\x`, "a\nb", "a\tb", "$HOME", "`id`", "a;b", "a&b", "~", "*", "#", "!x", "{a,b}", "é", "a\u00a0b",
}

func TestPlainWordsAreLeftAsTheyAre(t *testing.T) {
	for _, word := range []string{"kiothi", "zero:runs/first,sims=64", "lifts=0+2", "50%", "--games", "runs/lauf-é"} {
		if got := Quote(word); got != word {
			t.Errorf("%q becomes %s", word, got)
		}
	}
}

func TestSplitReadsBackWhatQuoteWrites(t *testing.T) {
	for _, word := range words {
		if got, err := Split("x " + Quote(word)); err != nil || !slices.Equal(got, []string{"x", word}) {
			t.Errorf("%q is written %s and read back as %q, %v", word, Quote(word), got, err)
		}
	}
}

func TestAShellReadsBackWhatQuoteWrites(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no sh to ask")
	}
	for _, word := range words {
		if got, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output(); err != nil || string(got) != word {
			t.Errorf("%q is written %s and read by sh as %q, %v", word, Quote(word), got, err)
		}
	}
}
