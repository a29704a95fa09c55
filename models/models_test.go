package models_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/agent/players"
	"kiothi/agent/release"
	"kiothi/env/games"
)

func releases(t *testing.T) []release.Release {
	t.Helper()
	all, err := release.Carried()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no releases")
	}
	return all
}

// choose lets an agent play from the start of a release's game.
func choose(t *testing.T, r release.Release, text string) {
	t.Helper()
	g, err := games.Open(r.Game, r.Rules)
	if err != nil {
		t.Fatal(err)
	}
	a, err := players.Kinds().Open(g, text)
	if err != nil {
		t.Errorf("%s: %v", r.Name, err)
		return
	}
	s := g.Start()
	if _, err := a.Choose(t.Context(), &s, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Errorf("%s: %s: %v", r.Name, text, err)
	}
	if err := agent.Close(a); err != nil {
		t.Error(err)
	}
}

// A program plays from any folder, without files.
func TestEveryReleasePlays(t *testing.T) {
	all := releases(t)
	t.Chdir(t.TempDir())
	for _, r := range all {
		choose(t, r, r.Agent)
		choose(t, r, "best:movetime=5ms")
	}
}

// A release is found under the game and the rules that its files are for: its agent refuses others.
func TestEveryFolderIsARelease(t *testing.T) {
	names := map[string]bool{}
	for _, r := range releases(t) {
		names[r.Name] = true
		if !strings.Contains(r.Agent, r.Name) {
			t.Errorf("%s plays as %s, which has nothing of its folder", r.Name, r.Agent)
		}
		if _, _, err := players.Kinds().Parse(r.Agent); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	const limit = 4 << 20
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		if !names[folder.Name()] {
			t.Errorf("%s has no release.json", folder.Name())
		}
		files, err := os.ReadDir(folder.Name())
		if err != nil {
			t.Fatal(err)
		}
		size := int64(0)
		for _, file := range files {
			info, err := file.Info()
			if err != nil {
				t.Fatal(err)
			}
			size += info.Size()
		}
		if size > limit {
			t.Errorf("%s has %d bytes, want at most %d", folder.Name(), size, limit)
		}
	}
}

func TestAnUnknownRuleSetIsToldWhatThereIs(t *testing.T) {
	g, err := games.Open("kiothi", "mancala-world,bonus=run")
	if err != nil {
		t.Fatal(err)
	}
	_, err = players.Kinds().Open(g, "best")
	if mistake := (*agent.SpecError)(nil); err == nil || errors.As(err, &mistake) || !strings.Contains(err.Error(), "kiothi-quick (kiothi, mancala-world)") {
		t.Errorf("the error is %v, want one that lists the releases", err)
	}
}
