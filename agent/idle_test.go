package agent

import "testing"

func TestIdleMakesOnlyWhatIsInUseAtOnce(t *testing.T) {
	made := 0
	idle := NewIdle(func() int { made++; return made })
	a, b := idle.Take(), idle.Take()
	if a == b || made != 2 {
		t.Errorf("two at once are %d and %d, of %d made", a, b, made)
	}
	idle.Give(a)
	idle.Give(b)
	if again := idle.Take(); again != b || made != 2 {
		t.Errorf("took %d of %d made, want the last given back, %d, of 2", again, made, b)
	}
}
