package search

import (
	"testing"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

func TestTheSearchGoesNoFurtherThanWhatIsKnown(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{Gumbel, PUCT} {
		config := Default()
		config.Kind, config.Considered = kind, 0
		tree := NewTree(g, &config, func(margin int) float32 { return float32(margin) / 100 })
		// North is said to win by five after South's hole 2, and by fifty after any other.
		start := g.Start()
		good := start
		mancala.MustPlay(tree.game, &good, 2)
		tree.Known = func(s *mancala.State) (int, bool) {
			if s.Player != mancala.North {
				t.Errorf("%s: the search goes on behind a known result", kind)
			}
			if *s == good {
				return 5, true
			}
			return 50, true
		}
		tree.Reset(&start, 60, nil)
		for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
			if *leaf != start {
				t.Errorf("%s: a known position is to be judged", kind)
			}
			tree.Expand(make([]float32, g.Actions()), 0)
		}
		if tree.Judged() != 1 || tree.Best() != 2 {
			t.Errorf("%s: %d positions judged, best action %d, expected 1 and 2", kind, tree.Judged(), tree.Best())
		}
		ends, visits := 0, 0
		for at, n := range tree.Behind() {
			if *at != good {
				t.Errorf("%s: %s is behind the best action", kind, g.Format(at))
			}
			ends, visits = ends+1, visits+n
		}
		if ends != 1 || visits != int(tree.best().visits) || tree.best().q() > -0.049 || tree.best().q() < -0.051 {
			t.Errorf("%s: %d positions with %d visits, mean value %v", kind, ends, visits, tree.best().q())
		}
	}
}
