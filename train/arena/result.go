package arena

import (
	"encoding/binary"
	"math"

	"kiothi/env/mancala"
)

// This file sums a match up.

// A Tally counts results as the first contender sees them.
type Tally struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Games returns the number of games counted.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Points returns the wins, with half a point for a draw.
func (t Tally) Points() float64 { return float64(t.Wins) + float64(t.Draws)/2 }

// add counts a game by its score.
func (t *Tally) add(score float64) {
	switch score {
	case 1:
		t.Wins++
	case 0:
		t.Losses++
	default:
		t.Draws++
	}
}

// turned returns the results as the second contender sees them.
func (t Tally) turned() Tally { return Tally{t.Losses, t.Draws, t.Wins} }

// A Result is what a match showed. Pairs of values belong to the first and the second contender; single values are the
// first one's.
type Result struct {
	Game     string    `json:"game"`
	Rules    string    `json:"rules"`
	Agents   [2]string `json:"agents"`
	Seed     uint64    `json:"seed"`
	Openings string    `json:"openings"`

	Games int   `json:"games"`
	Total Tally `json:"total"`
	South Tally `json:"south"` // the first contender as South
	North Tally `json:"north"` // the first contender as North

	// Score is the share of points, a draw being half a point, and Low to High its 95 % interval (see Wilson).
	Score float64 `json:"score"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`

	// Points are the match points when a warrior's victory, a win by exactly two seeds, counts Warrior wins (rules,
	// section 2.5), and WarriorWins how many there were. WarriorLow to WarriorHigh is the 95 % interval of their shares of
	// the games (see Wilson).
	Warrior     int        `json:"warrior"`
	Points      [2]float64 `json:"points"`
	WarriorWins [2]int     `json:"warrior_wins"`
	WarriorLow  [2]float64 `json:"warrior_low"`
	WarriorHigh [2]float64 `json:"warrior_high"`

	Distinct int `json:"distinct"` // different sequences of actions among the games
	// Of the games that were played to their end:
	MeanTurns  float64 `json:"mean_turns"`  // turns a game, those of the opening included
	MeanMargin float64 `json:"mean_margin"` // the first contender's final store minus the second's
	// MarginLow to MarginHigh is the 95 % interval of MeanMargin (see meanInterval), as far as the game goes.
	MarginLow  float64 `json:"margin_low"`
	MarginHigh float64 `json:"margin_high"`
	Exhausted  int     `json:"exhausted"` // games that ended by the clock
	CutTurns   int     `json:"cut_turns"` // turns whose relay was cut

	// Forfeits are the games that were lost without being played to their end, by number. They count as lost and won like
	// others, by no margin.
	Forfeits []Forfeit `json:"forfeits,omitempty"`

	// SPRT is what the sequential test came to; nil without one.
	SPRT *SPRTResult `json:"sprt,omitempty"`

	// Played are the games by number. Of a match that was stopped, the pairs that were finished.
	Played []Played `json:"-"`
}

// A Played is a finished game.
type Played struct {
	Number  int
	First   mancala.Player // the first contender's seat
	Start   string         // the position from which it began; empty for the start of the game
	Actions []mancala.Action
	Turns   int
	Cut     int            // turns whose relay was cut
	Stores  [2]int         // South's and North's, with the final sweep
	Reason  mancala.Reason // why it ended
	Forfeit *Forfeit       // nil when it was played to its end
}

// Margin returns the first contender's final store minus the second's; 0 for a forfeit.
func (p *Played) Margin() int {
	if p.Forfeit != nil {
		return 0
	}
	return p.Stores[p.First] - p.Stores[p.First.Other()]
}

// Score returns 1 for a game that the first contender won, 0.5 for a draw, and 0 for a lost one.
func (p *Played) Score() float64 {
	margin := p.Margin()
	switch {
	case p.Forfeit != nil:
		return float64(p.Forfeit.Loser)
	case margin > 0:
		return 1
	case margin < 0:
		return 0
	}
	return 0.5
}

// finish turns a game that is over, or was forfeited by the player to move, into its record.
func (t *tournament) finish(p *play) Played {
	first := mancala.South
	if p.seats[mancala.South] != t.pairs[p.match][0] {
		first = mancala.North
	}
	done := Played{Number: p.number, First: first, Actions: p.actions, Turns: p.turns, Cut: p.cut, Stores: t.game.Final(&p.state), Reason: p.state.End}
	if p.opening.given {
		done.Start = t.game.Format(&p.opening.state)
	}
	if p.fault != nil {
		done.Forfeit = &Forfeit{Game: p.number, Reason: p.fault.reason, Detail: p.fault.detail(), Position: t.game.Format(&p.state)}
		if p.state.Player != first {
			done.Forfeit.Loser = 1
		}
	}
	return done
}

// summarize makes the result of a match from its finished games, which are sorted by number. Games whose partner is not
// finished are left out.
func summarize(g mancala.Game, contenders [2]Contender, o Options, played []Played) *Result {
	r := &Result{
		Game: g.Name(), Rules: g.Rules(), Agents: [2]string{contenders[0].Name, contenders[1].Name},
		Seed: o.Seed, Openings: o.Openings.String(), Warrior: o.Warrior, Played: make([]Played, 0, len(played)),
	}
	for i := 0; i+1 < len(played); i++ {
		if played[i].Number%2 == 0 && played[i+1].Number == played[i].Number+1 {
			r.Played = append(r.Played, played[i], played[i+1])
		}
	}
	sequences := map[string]bool{}
	turns, margins, complete := 0, 0, 0
	for i := range r.Played {
		p := &r.Played[i]
		r.Total.add(p.Score())
		if p.First == mancala.South {
			r.South.add(p.Score())
		} else {
			r.North.add(p.Score())
		}
		r.score(p)
		sequences[p.sequence()] = true
		if p.Forfeit != nil {
			r.Forfeits = append(r.Forfeits, *p.Forfeit)
			continue
		}
		if p.Reason == mancala.Exhausted {
			r.Exhausted++
		}
		r.CutTurns += p.Cut
		turns += p.Turns
		margins += p.Margin()
		complete++
	}
	r.Games, r.Distinct = len(r.Played), len(sequences)
	n := float64(max(complete, 1))
	r.MeanTurns, r.MeanMargin = float64(turns)/n, float64(margins)/n
	r.Score = r.Total.Points() / float64(max(r.Games, 1))
	r.Low, r.High = Wilson(r.Total.Points(), r.Games)
	for side, wins := range r.WarriorWins {
		r.WarriorLow[side], r.WarriorHigh[side] = Wilson(float64(wins), r.Games)
	}
	low, high := meanInterval(r.pairMargins())
	most := float64(g.Seeds())
	r.MarginLow, r.MarginHigh = max(low, -most), min(high, most)
	return r
}

// pairMargins returns the mean margin of each pair of games, of those in it that were played to their end.
func (r *Result) pairMargins() []float64 {
	var means []float64
	for i := 0; i+1 < len(r.Played); i += 2 {
		sum, n := 0.0, 0.0
		for _, p := range r.Played[i : i+2] {
			if p.Forfeit == nil {
				sum += float64(p.Margin())
				n++
			}
		}
		if n > 0 {
			means = append(means, sum/n)
		}
	}
	return means
}

// score adds a game to the match points.
func (r *Result) score(p *Played) {
	score, worth := p.Score(), 1
	if score == 0.5 {
		r.Points[0] += 0.5
		r.Points[1] += 0.5
		return
	}
	winner := int(1 - score)
	if margin := p.Margin(); margin == 2 || margin == -2 {
		r.WarriorWins[winner]++
		worth = r.Warrior
	}
	r.Points[winner] += float64(worth)
}

// sequence returns a key that is equal for games with equal beginnings and actions.
func (p *Played) sequence() string { return p.Start + "\x00" + sequence(p.Actions) }

// sequence returns a key that is equal for equal lists of actions.
func sequence(actions []mancala.Action) string {
	key := make([]byte, 0, 2*len(actions))
	for _, a := range actions {
		key = binary.AppendUvarint(key, uint64(a))
	}
	return string(key)
}

const z = 1.959963984540054 // the normal distribution's 97.5 % quantile

// Wilson returns the 95 % interval of a score of points out of n games (Wilson 1927), in shares of n; 0 to 1 for no games.
//
// It takes each game as won or lost with the same chance, independently of the others. A draw varies less than that, and
// the two games of a pair share the luck of their opening with opposite signs, so the interval is rather too wide than too
// narrow; and it stays sensible at scores of 0 and 1, where the spread of the pairs' results would be zero. It is too
// narrow when games repeat: see Result.Distinct.
func Wilson(points float64, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	games := float64(n)
	share := points / games
	center := (share + z*z/(2*games)) / (1 + z*z/games)
	half := z / (1 + z*z/games) * math.Sqrt(share*(1-share)/games+z*z/(4*games*games))
	return max(center-half, 0), min(center+half, 1)
}

// meanInterval returns the 95 % interval of the mean of independent values, by their spread. It is that of many values, and
// all numbers for less than two. Values are those of pairs of games, because the two games of a pair share their opening.
func meanInterval(values []float64) (low, high float64) {
	n := float64(len(values))
	if n < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	half := z * math.Sqrt(squares/(n-1)/n)
	return mean - half, mean + half
}
