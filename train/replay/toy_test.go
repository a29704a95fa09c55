package replay

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

// toy is a small game with extra turns. A player takes a seed from one of the own three pits into the own store; after
// pit 0 the same player is to move again. A player without seeds ends the game, and the rest goes to its owner, to North
// by halves, so that games do not all end level.
type toy struct {
	mancala.Game // the methods that no test needs
	rules        string
}

func (toy) Name() string    { return "toy" }
func (t toy) Rules() string { return "plain" + t.rules }
func (toy) Actions() int    { return 3 }

func (toy) board() mancala.Board { return mancala.Board{Width: 3, Seeds: 14, ClockLimit: 0} }

func (t toy) Start() mancala.State {
	s, err := t.Parse("2,3,2/2,3,2 - 0-0 S sow 0")
	if err != nil {
		panic(err)
	}
	return s
}

func (t toy) Parse(position string) (mancala.State, error) {
	s, err := t.board().Parse(position)
	settle(&s)
	return s, err
}

func settle(s *mancala.State) {
	if s.Rows[s.Player] == 0 {
		s.End = mancala.Stuck
	}
}

func (toy) AppendLegal(dst []mancala.Action, s *mancala.State) []mancala.Action {
	for i := 0; i < 3 && !s.Over(); i++ {
		if s.Rows[s.Player].At(i) > 0 {
			dst = append(dst, mancala.Action(i))
		}
	}
	return dst
}

func (toy) Play(s *mancala.State, a mancala.Action) (mancala.Turn, error) {
	if s.Over() || a < 0 || a > 2 || s.Rows[s.Player].At(int(a)) == 0 {
		return mancala.Turn{}, &mancala.IllegalError{Action: a, Text: fmt.Sprint(a), Reason: "the pit is empty"}
	}
	row := s.Rows[s.Player]
	s.Rows[s.Player] = row.With(int(a), row.At(int(a))-1)
	s.Stores[s.Player]++
	if a != 0 {
		s.Player = s.Player.Other()
	}
	settle(s)
	return mancala.Turn{}, nil
}

func (toy) Final(s *mancala.State) [2]int {
	final := [2]int{int(s.Stores[0]), int(s.Stores[1])}
	if s.Over() {
		final[0] += s.Rows[0].Sum()
		final[1] += s.Rows[1].Sum() / 2
	}
	return final
}

// play records a random game of at most plies plies. One ply in three is no policy target.
func play(t testing.TB, seed uint64, plies int) *Game {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	g := &Game{ID: ID{seed % 4, seed}, Seed: seed}
	s := toy{}.Start()
	for len(g.Plies) < plies && !s.Over() {
		legal := toy{}.AppendLegal(nil, &s)
		action := legal[rng.IntN(len(legal))]
		var policy []float32
		flags := Random
		if rng.IntN(3) > 0 {
			flags, policy = 0, randomPolicy(rng, len(legal))
		}
		if err := g.Append(action, 2*rng.Float32()-1, flags, legal, policy); err != nil {
			t.Fatal(err)
		}
		if _, err := (toy{}).Play(&s, action); err != nil {
			t.Fatal(err)
		}
	}
	if s.Over() {
		g.Finish(toy{}, &s)
	} else {
		g.Resume = []byte("generator")
	}
	return g
}

// whole is a number of plies that no toy game reaches.
const whole = 100

func randomPolicy(rng *rand.Rand, n int) []float32 {
	policy := make([]float32, n)
	sum := float32(0)
	for i := range policy {
		policy[i] = rng.Float32()
		sum += policy[i]
	}
	for i := range policy {
		policy[i] /= sum
	}
	return policy
}

func games(t testing.TB, from, to uint64) []*Game {
	t.Helper()
	var list []*Game
	for seed := from; seed < to; seed++ {
		list = append(list, play(t, seed, whole))
	}
	return list
}
