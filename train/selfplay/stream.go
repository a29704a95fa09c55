package selfplay

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/agent/scripted"
	"kiothi/agent/search"
	"kiothi/agent/zero"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/replay"
)

// A stream plays its games on one goroutine at a time.
type stream struct {
	game   mancala.Game
	config *Config
	index  uint64

	slots     []slot
	trees     []*search.Tree
	memories  []memory
	inference *network.Inference
	evaluator *timedEvaluator // over the inference

	begun    uint64 // games begun so far: the number of the next
	finished []*replay.Game
	onGame   func()

	// The cost since it was last asked for, with the evaluator's time.
	plies, evaluations, recalled int
	elapsed                      time.Duration

	all    []int            // all slots
	rows   []int            // the slot of each row of a batch
	leaves []*mancala.State // the position of each row
	logits []float32        // [actions]
	legal  []mancala.Action
	policy []float32
	failed error // why a record was refused, or no game begun
}

// A slot is the place of a game under way.
type slot struct {
	record *replay.Game
	state  mancala.State
	source rand.PCG // of the search of the current move
}

// timedEvaluator measures the time inside the network call.
type timedEvaluator struct {
	*zero.Evaluator
	spent time.Duration
}

// Evaluate implements search.Evaluator.
func (e *timedEvaluator) Evaluate(n int) error {
	start := time.Now()
	err := e.Evaluator.Evaluate(n)
	e.spent += time.Since(start)
	return err
}

func newStream(g mancala.Game, w *network.Weights, c *Config, index int) (*stream, error) {
	inference, err := network.NewInference(w, c.Slots)
	if err != nil {
		return nil, err
	}
	evaluator, err := zero.NewEvaluator(g, inference, c.Utility)
	if err != nil {
		return nil, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return nil, err
	}
	s := &stream{game: g, config: c, index: uint64(index), inference: inference, evaluator: &timedEvaluator{Evaluator: evaluator},
		slots: make([]slot, c.Slots), trees: make([]*search.Tree, c.Slots), memories: make([]memory, c.Slots), onGame: func() {},
		all: make([]int, c.Slots), rows: make([]int, c.Slots), leaves: make([]*mancala.State, c.Slots), logits: make([]float32, g.Actions())}
	for i := range s.trees {
		s.all[i], s.memories[i] = i, newMemory()
		s.trees[i] = search.NewTree(g, &c.Search, func(m int) float32 { return float32(c.Utility.Of(m, scale)) })
	}
	return s, nil
}

// run plays until the quota of finished games is full or ctx ends. Streams that were stopped go on where they were.
func (s *stream) run(ctx context.Context) error {
	start := time.Now()
	defer func() { s.elapsed += time.Since(start) }()
	for len(s.finished) < s.config.Quota {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := s.round(s.all, s.advance)
		if err != nil {
			return fmt.Errorf("stream %d: %w", s.index, err)
		}
		if s.failed != nil {
			return s.failed
		}
		s.evaluations += n
	}
	return nil
}

// restart begins the searches of all current moves anew, and the first games of a new stream.
func (s *stream) restart() error {
	for i := range s.slots {
		if s.slots[i].record == nil {
			s.begin(i)
		}
		if s.failed != nil {
			return s.failed
		}
		s.memories[i].forget()
		s.startSearch(i)
	}
	return nil
}

// advance plays the move that the search in slot i has found, and begins the search of the next one, in the same game or
// in another. The slot is never idle.
func (s *stream) advance(i int) bool {
	tree := s.trees[i]
	action := tree.Sample(s.config.Temperature)
	s.legal, s.policy = tree.AppendPolicy(s.legal[:0], s.policy[:0])
	s.play(i, action, tree.Value(), 0, s.policy)
	if !s.settle(i) {
		s.begin(i)
	}
	s.startSearch(i)
	return s.failed == nil
}

// play records and plays an action. A nil policy is none to learn from; otherwise it belongs to s.legal.
func (s *stream) play(i int, a mancala.Action, value float32, flags replay.Flags, policy []float32) {
	slot := &s.slots[i]
	if err := slot.record.Append(a, value, flags, s.legal, policy); err != nil {
		s.failed = err
	}
	if _, err := s.game.Play(&slot.state, a); err != nil {
		panic("selfplay: the search chose an illegal action: " + err.Error())
	}
	s.plies++
}

// settle plays the forced actions of slot i, and reports whether it then has a position with a choice. Otherwise the game
// is over, and handed in.
func (s *stream) settle(i int) bool {
	slot := &s.slots[i]
	for !slot.state.Over() {
		if s.legal = s.game.AppendLegal(s.legal[:0], &slot.state); len(s.legal) > 1 {
			return true
		}
		s.play(i, s.legal[0], 0, 0, nil)
	}
	s.finish(slot)
	return false
}

// finish hands a finished game in.
func (s *stream) finish(slot *slot) {
	slot.record.Finish(s.game, &slot.state)
	s.finished = append(s.finished, slot.record)
	s.onGame()
}

// maxWithoutChoice is how many games in a row may end before a position with a choice. Under some rule sets all do.
const maxWithoutChoice = 1000

// begin puts a new game into slot i, at a position that has a choice.
func (s *stream) begin(i int) {
	s.memories[i].forget()
	for range maxWithoutChoice {
		slot := &s.slots[i]
		id := replay.ID{Stream: s.index, Number: s.begun}
		s.begun++
		mixed := seed.Mix(s.config.Seed, seed.SelfPlay, id.Stream, id.Number)
		slot.record = &replay.Game{ID: id, Seed: mixed}
		slot.state = s.game.Start()
		seed.Reseed(&slot.source, mixed)
		if rng := rand.New(&slot.source); rng.Float64() < s.config.RandomOpenings {
			s.openAtRandom(i, rng)
		}
		if s.settle(i) {
			return
		}
	}
	s.failed = fmt.Errorf("%s, %s: %d games in a row ended before any position with a choice, so that there is nothing to learn: choose other rules",
		s.game.Name(), s.game.Rules(), maxWithoutChoice)
}

// openAtRandom plays the opening turns of a new game at random, or some random plies where there are none.
func (s *stream) openAtRandom(i int, rng *rand.Rand) {
	slot := &s.slots[i]
	if slot.state.Opening > 0 {
		for slot.state.Opening > 0 {
			for _, a := range scripted.SampleOpening(s.game, &slot.state, rng) {
				s.play(i, a, 0, replay.Random, nil)
			}
		}
		return
	}
	for plies := rng.IntN(RandomPlies + 1); plies > 0 && !slot.state.Over(); plies-- {
		s.legal = s.game.AppendLegal(s.legal[:0], &slot.state)
		s.play(i, s.legal[rng.IntN(len(s.legal))], 0, replay.Random, nil)
	}
}

// startSearch begins the search of the current move of slot i. Its noise is a function of the game and the ply.
func (s *stream) startSearch(i int) {
	slot := &s.slots[i]
	seed.Reseed(&slot.source, seed.Mix(slot.record.Seed, seed.SelfPlay, uint64(len(slot.record.Plies))))
	s.trees[i].Reset(&slot.state, s.config.simulationsFor(&slot.state), rand.New(&slot.source))
	s.memories[i].next(len(slot.record.Plies))
}

// underWay returns the records of the games under way, by slot, each with how far the search of its current move has come, and
// with the ply of the search that is remembered beside it, counted from 1, or 0.
func (s *stream) underWay() []*replay.Game {
	games := make([]*replay.Game, len(s.slots))
	for i := range s.slots {
		games[i] = s.slots[i].record
		games[i].Resume = binary.AppendUvarint(games[i].Resume[:0], uint64(s.trees[i].Judged()))
		games[i].Resume = binary.AppendUvarint(games[i].Resume, uint64(s.memories[i].beforePly+1))
	}
	return games
}

// restore puts the stream back where underWay and the finished games of the iteration were recorded.
func (s *stream) restore(begun uint64, underWay, finished []*replay.Game) error {
	if len(underWay) != len(s.slots) {
		return fmt.Errorf("stream %d: found %d games under way, expected %d", s.index, len(underWay), len(s.slots))
	}
	resumes := make([]resume, len(s.slots))
	for i, record := range underWay {
		if err := record.Check(s.game); err != nil {
			return err
		}
		var err error
		if resumes[i], err = readResume(record, 2+max(s.config.Simulations, s.config.OpeningSimulations)); err != nil {
			return err
		}
		s.slots[i].record = record
	}
	s.begun, s.finished = begun, finished
	if err := s.searchBefore(resumes); err != nil {
		return err
	}
	for i, record := range underWay {
		if err := s.goTo(i, record, len(record.Plies)); err != nil {
			return err
		}
		s.startSearch(i)
	}
	return s.catchUp(resumes)
}

// A resume says where the search in a slot was.
type resume struct {
	judged int // positions that had been judged
	before int // the ply of the search that is remembered, or none
}

// readResume reads a record's. Records of older versions of the program end after the first number.
func readResume(record *replay.Game, mostJudged int) (resume, error) {
	judged, size := binary.Uvarint(record.Resume)
	if size <= 0 || judged > uint64(mostJudged) {
		return resume{}, fmt.Errorf("game %s: found no number of judged positions to resume its search from", record.ID)
	}
	rest := record.Resume[size:]
	if len(rest) == 0 {
		return resume{int(judged), none}, nil
	}
	before, size := binary.Uvarint(rest)
	if size <= 0 || before > uint64(len(record.Plies)) {
		return resume{}, fmt.Errorf("game %s: found no ply of the search before the current one", record.ID)
	}
	return resume{int(judged), int(before) - 1}, nil
}

// goTo puts slot i at a ply of a game.
func (s *stream) goTo(i int, record *replay.Game, ply int) error {
	slot := &s.slots[i]
	slot.record, slot.state = record, s.game.Start()
	for _, a := range record.Actions()[:ply] {
		if _, err := s.game.Play(&slot.state, a); err != nil {
			return err
		}
	}
	return nil
}

// searchBefore searches the moves again whose searches are remembered, so that they are.
func (s *stream) searchBefore(resumes []resume) error {
	var slots []int
	for i, r := range resumes {
		s.memories[i].forget()
		if r.before == none {
			continue
		}
		beginning := *s.slots[i].record
		beginning.Plies = beginning.Plies[:r.before]
		if err := s.goTo(i, &beginning, r.before); err != nil {
			return err
		}
		s.startSearch(i)
		slots = append(slots, i)
	}
	for n := len(slots); n > 0; {
		var err error
		if n, err = s.round(slots, func(int) bool { return false }); err != nil {
			return err
		}
	}
	return nil
}

// catchUp runs each slot's search until it has had as many positions judged as before it was stopped.
func (s *stream) catchUp(resumes []resume) error {
	for {
		var behind []int
		for i, t := range s.trees {
			if t.Judged() < resumes[i].judged {
				behind = append(behind, i)
			}
		}
		if len(behind) == 0 {
			return nil
		}
		n, err := s.round(behind, func(int) bool { return false })
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("stream %d: a search ended before the point that it had reached: the weights or the settings are not those it was begun with", s.index)
		}
	}
}
