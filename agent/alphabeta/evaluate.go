package alphabeta

import (
	"kiothi/agent"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
)

// This file judges positions: exactly where the game is decided, by linear terms or by a network elsewhere.

const (
	// cents is the score of one seed of the final margin.
	cents = 100
	// won is added to the score of a win, and taken from that of a loss: a certain win by two seeds is worth more than
	// the hope for one by sixty.
	won = 10_000
	// infinite lies beyond all scores.
	infinite = 20_000
)

// decided returns the score of a final margin.
func decided(margin int) int32 {
	score := int32(margin) * cents
	switch {
	case margin > 0:
		score += won
	case margin < 0:
		score -= won
	}
	return score
}

// An evaluator judges the positions of a game.
type evaluator struct {
	game     mancala.Game
	linear   *linear
	network  *nnue.Network  // judges what is not decided; nil: the terms do
	endgames agent.Endgames // nil: none
}

// limits returns the least and the greatest final margin that the player to move can still reach.
func limits(s *mancala.State) (low, high int) {
	margin := int(s.Stores[s.Player&1]) - int(s.Stores[s.Player&1^1])
	board := s.OnBoard()
	return margin - board, margin + board
}

// known returns the score of a position whose result is known, as it is over or in the end games.
func (e *evaluator) known(s *mancala.State) (score int32, ok bool) {
	if s.End != mancala.Running {
		return decided(mancala.Margin(e.game, s, s.Player)), true
	}
	if e.endgames != nil {
		if margin, ok := e.endgames.Probe(s); ok {
			return decided(margin), true
		}
	}
	return 0, false
}

// of returns the score of a position in the phase Sow.
func (e *evaluator) of(s *mancala.State) int32 {
	if score, ok := e.known(s); ok {
		return score
	}
	return e.guess(s)
}

// guess returns the score of a position in the phase Sow by the terms or the network.
func (e *evaluator) guess(s *mancala.State) int32 {
	low, high := limits(s)
	if e.network != nil && low <= 0 && high >= 0 {
		return e.hope(s, low, high)
	}
	board := min(s.OnBoard(), mancala.MaxSeeds)
	score := min(max(e.linear.margin(s, board), int32(low)*cents), int32(high)*cents)
	switch {
	case low > 0:
		score += won
	case high < 0:
		score -= won
	}
	return score
}

// A network knows the chance of a win, and no margins. Its logit is counted as a margin, so that the searcher's windows and
// margins have the same size with both evaluations.
const (
	// SeedsPerLogit is the number of seeds of the final margin that a logit of 1 counts as. Between the two evaluations of
	// Kiothi least squares find 3 to 3.5.
	SeedsPerLogit = 4
	// logitScore is the score of a logit of 1.
	logitScore = SeedsPerLogit * cents
	// hopeLimit is the largest score of a position that is not decided.
	hopeLimit = won - 1
)

// hope returns the score of a position by the network. Neither player has won yet; the final margin is from low to high.
func (e *evaluator) hope(s *mancala.State, low, high int) int32 {
	const limit = hopeLimit * nnue.LogitUnit / logitScore
	score := min(max(e.network.Evaluate(s), -limit), limit) * logitScore / nnue.LogitUnit
	switch {
	case low == 0:
		return max(score, 0)
	case high == 0:
		return min(score, 0)
	}
	return score
}
