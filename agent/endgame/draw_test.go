package endgame_test

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/env/mancala"
)

func TestDrawnPositionsAreOfTheTableAndOpen(t *testing.T) {
	for _, c := range []struct {
		game    string
		stones  int
		options endgame.Options
	}{
		{"rio-kadalis", 4, endgame.Options{}},
		{"rio-kadalis", 3, endgame.Options{AllTotals: true}},
		{"kiothi", 3, endgame.Options{Marked: 2}},
	} {
		g, table := build(t, c.game, "", c.stones, c.options)
		rng := rand.New(rand.NewPCG(9, 10))
		onBoard, player, marked := map[int]int{}, map[mancala.Player]int{}, 0
		for range 4000 {
			s := table.Draw(rng)
			if _, ok := table.Probe(&s); !ok || s.Total() != g.Seeds() {
				t.Fatalf("%s: known %v, %d seeds", g.Format(&s), ok, s.Total())
			}
			n := s.OnBoard()
			if d := int(s.Stores[0]) - int(s.Stores[1]); d > n || -d > n {
				t.Errorf("%s is decided", g.Format(&s))
			}
			if c.game == "rio-kadalis" && n%4 == 0 && (s.Stores[0]%4 != 0 || s.Stores[1]%4 != 0) {
				t.Errorf("%s: stores that are no multiples of four", g.Format(&s))
			}
			onBoard[n]++
			player[s.Player]++
			if s.Marks != 0 {
				marked++
			}
		}
		// Most positions have the largest number of seeds, and half of them each player to move.
		if onBoard[c.stones] < 2400 || player[mancala.North] < 1800 || player[mancala.North] > 2200 || marked > 0 != (c.game == "kiothi") {
			t.Errorf("%s: seeds on board %v, player to move %v, %d with marks", c.game, onBoard, player, marked)
		}
	}
}
