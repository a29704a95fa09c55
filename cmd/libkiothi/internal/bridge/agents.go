package bridge

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"

	"kiothi/agent"
	"kiothi/agent/players"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is the players, as the other side asks them.

// openAgent makes a player for a game.
func openAgent(g mancala.Game, spec string) (agent.Agent, error) {
	return players.Kinds().Open(g, spec)
}

// An Agent is a player that is made for each game that it meets. It is safe for concurrent use: one call at a time is
// carried out.
type Agent struct {
	spec string
	seed uint64

	mutex   sync.Mutex
	players map[string]agent.Agent // by game and rule set
	chance  []*rand.Rand           // of each row
}

// NewAgent returns the player that a spec names. Its chance in row i depends on the seed, i, and how often it chose there.
func NewAgent(spec string, seed uint64) (*Agent, error) {
	if _, _, err := players.Kinds().Parse(spec); err != nil {
		return nil, err
	}
	return &Agent{spec: spec, seed: seed, players: map[string]agent.Agent{}}, nil
}

// Choose writes an action for each row that is wanted, all of them when wanted is nil, and leaves the other actions as
// they are. Rows whose game is over are left too.
func (a *Agent) Choose(rows Rows, wanted []bool, actions []int32) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for i := len(a.chance); i < rows.Len(); i++ {
		a.chance = append(a.chance, seed.Rand(a.seed, seed.Match, uint64(i)))
	}
	asked := map[string]*questions{}
	for i := range rows.Len() {
		s := rows.State(i)
		if s.Over() || wanted != nil && !wanted[i] {
			continue
		}
		g := rows.Game(i)
		name := g.Name() + " " + g.Rules()
		q := asked[name]
		if q == nil {
			player, err := a.player(name, g)
			if err != nil {
				return err
			}
			q = &questions{player: player}
			asked[name] = q
		}
		q.add(i, s, a.chance[i])
	}
	for _, q := range asked {
		if err := q.answer(runtime.GOMAXPROCS(0)); err != nil {
			return err
		}
		for i, row := range q.rows {
			actions[row] = int32(q.actions[i])
		}
	}
	return nil
}

// player returns the player for a game, made on the first use.
func (a *Agent) player(name string, g mancala.Game) (agent.Agent, error) {
	if player, ok := a.players[name]; ok {
		return player, nil
	}
	player, err := openAgent(g, a.spec)
	if err != nil {
		return nil, err
	}
	a.players[name] = player
	return player, nil
}

// Close closes the players.
func (a *Agent) Close() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	var errs []error
	for _, player := range a.players {
		errs = append(errs, agent.Close(player))
	}
	clear(a.players)
	return errors.Join(errs...)
}

// questions are positions that one player is asked about, and its answers.
type questions struct {
	player  agent.Agent
	rows    []int
	states  []mancala.State
	chance  []*rand.Rand
	actions []mancala.Action
}

// add asks about a row.
func (q *questions) add(row int, s mancala.State, chance *rand.Rand) {
	q.rows = append(q.rows, row)
	q.states = append(q.states, s)
	q.chance = append(q.chance, chance)
	q.actions = append(q.actions, 0)
}

// clear asks about nothing.
func (q *questions) clear() {
	q.rows, q.states, q.chance, q.actions = q.rows[:0], q.states[:0], q.chance[:0], q.actions[:0]
}

// answer fills in the actions, with as many goroutines as there are workers. The answers do not depend on their number.
func (q *questions) answer(workers int) error {
	return spread(len(q.rows), workers, func(_, low, high int) error {
		if batch, ok := q.player.(agent.Batch); ok {
			return batch.ChooseBatch(context.Background(), q.states[low:high], q.chance[low:high], q.actions[low:high])
		}
		for i := low; i < high; i++ {
			var err error
			if q.actions[i], err = q.player.Choose(context.Background(), &q.states[i], q.chance[i]); err != nil {
				return err
			}
		}
		return nil
	})
}
