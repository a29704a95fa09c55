package selfplay

import "kiothi/env/mancala"

// This file is what is known of positions before the network is asked. A third of the positions of a search, and more in Rio
// Kadalis, were judged in the search of the move before, whose tree the game has gone down.
//
// A judgement that is recalled is, bit for bit, the one that the network would give again, so that no search depends on the
// memory. Which games end first does: a search that recalls much is done in fewer rounds.

// A memory holds the judgements of a game's current search, and of the one before.
type memory struct {
	before, now judgements
	// The plies at which these two searches began; the earlier one is none where there is nothing of it.
	beforePly, nowPly int
}

// none is the ply of no search.
const none = -1

// judgements are the network's, of the positions of a search.
type judgements struct {
	index  map[mancala.State]int
	all    []judgement
	logits []float32 // of all of them
}

// A judgement is what the network said of a position.
type judgement struct {
	value float32
	first int // its logits, of the legal actions by ascending action, begin there
}

func newMemory() memory {
	return memory{before: judgements{index: map[mancala.State]int{}}, now: judgements{index: map[mancala.State]int{}}, beforePly: none, nowPly: none}
}

// forget empties the memory: the network has changed, or the game.
func (m *memory) forget() {
	m.before.clear()
	m.now.clear()
	m.beforePly, m.nowPly = none, none
}

// next begins the search at a ply.
func (m *memory) next(ply int) {
	m.before, m.now = m.now, m.before
	m.now.clear()
	m.beforePly, m.nowPly = m.nowPly, ply
}

func (j *judgements) clear() {
	clear(j.index)
	j.all, j.logits = j.all[:0], j.logits[:0]
}

// add takes a judgement in. Of the logits, those of the legal actions are kept.
func (j *judgements) add(s *mancala.State, logits []float32, value float32, legal []mancala.Action) {
	j.index[*s] = len(j.all)
	j.all = append(j.all, judgement{value, len(j.logits)})
	for _, a := range legal {
		j.logits = append(j.logits, logits[a])
	}
}

// round takes the searches in some slots to their next position that is not remembered, and has the network judge all these
// positions in one batch, whose size it returns. Otherwise it is what Round of package search is.
func (s *stream) round(slots []int, next func(i int) bool) (int, error) {
	n := 0
	for _, i := range slots {
		tree := s.trees[i]
		leaf := tree.Select()
		for leaf == nil && next(i) || leaf != nil && s.recall(i, leaf) {
			leaf = tree.Select()
		}
		if leaf != nil {
			s.evaluator.Put(n, leaf)
			s.rows[n], s.leaves[n] = i, leaf
			n++
		}
	}
	if err := s.evaluator.Evaluate(n); err != nil {
		return 0, err
	}
	for row, i := range s.rows[:n] {
		logits, value := s.evaluator.Policy(row), s.evaluator.Value(row)
		s.remember(i, s.leaves[row], logits, value)
		s.trees[i].Expand(logits, value)
	}
	return n, nil
}

// remember keeps the network's judgement of a leaf of the search in slot i.
func (s *stream) remember(i int, leaf *mancala.State, logits []float32, value float32) {
	s.legal = s.game.AppendLegal(s.legal[:0], leaf)
	s.memories[i].now.add(leaf, logits, value, s.legal)
}

// recall gives the search in slot i the judgement of its leaf, if it is remembered.
func (s *stream) recall(i int, leaf *mancala.State) bool {
	m := &s.memories[i]
	from := &m.now
	at, ok := from.index[*leaf]
	if !ok {
		from = &m.before
		if at, ok = from.index[*leaf]; !ok {
			return false
		}
	}
	j := from.all[at]
	s.legal = s.game.AppendLegal(s.legal[:0], leaf)
	for k, a := range s.legal {
		s.logits[a] = from.logits[j.first+k]
	}
	if from == &m.before { // the search of the next move will want it too
		m.now.add(leaf, s.logits, j.value, s.legal)
	}
	s.trees[i].Expand(s.logits, j.value)
	s.recalled++
	return true
}
