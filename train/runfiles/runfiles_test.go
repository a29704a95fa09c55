package runfiles

import (
	"path/filepath"
	"testing"
)

// Runs that are there keep their names.
func TestTheNamesStay(t *testing.T) {
	if got := [4]string{Config, Metrics, Games, Checkpoints}; got != [4]string{"config.toml", "metrics.jsonl", "games", "checkpoints"} {
		t.Errorf("the names are %q", got)
	}
	if got, want := GamesOf("a é", 12), filepath.Join("a é", "games", "000012.kgr"); got != want {
		t.Errorf("the games are in %s, want %s", got, want)
	}
}
