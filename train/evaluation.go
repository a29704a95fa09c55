package train

import (
	"context"
	"fmt"
	"strings"

	"kiothi/agent"
	"kiothi/agent/zero"
	"kiothi/env/child"
	"kiothi/env/games"
	"kiothi/train/arena"
	"kiothi/train/history"
)

// This file is the evaluation: matches of the network's player against fixed opponents, over paired random openings.

// interimEvaluation measures the network between two iterations, where the configuration wants it.
func (r *run) interimEvaluation(ctx context.Context) error {
	every, n := r.Config.Evaluation.Every, r.state.Iteration
	between := !r.state.Collected && r.state.Stops == 0
	if every == 0 || n == 0 || n%every != 0 || n == r.Config.Run.Iterations || !between {
		return nil
	}
	return r.evaluate(ctx, r.Config.Evaluation.InterimGames)
}

// finalEvaluation measures the finished network, and says what can be done with it.
func (r *run) finalEvaluation(ctx context.Context) error {
	if games := r.Config.Evaluation.Games; games > 0 {
		if err := r.evaluate(ctx, games); err != nil {
			return err
		}
	}
	fmt.Fprint(r.Results, r.whatNext())
	return nil
}

// evaluate plays a match against each opponent that this network has not met yet. The player has the settings of the agent
// zero:RUN, so that "kiothi evaluate" repeats the matches.
func (r *run) evaluate(ctx context.Context, games int) error {
	c := zero.DefaultConfig()
	c.Simulations = r.Config.Evaluation.Simulations
	player, err := zero.NewPlayer(r.game, r.playing, c)
	if err != nil {
		return err
	}
	defer player.Close()
	for _, name := range r.Config.Evaluation.Opponents {
		line := r.measured[name]
		if line == nil || line.Result.Games != games || line.Simulations != c.Simulations {
			result, err := r.match(ctx, arena.Contender{Name: r.playerSpec(), Agent: player}, name, games)
			if err != nil {
				return err
			}
			line = &history.Evaluation{Iteration: r.state.Iteration, Seconds: r.seconds(), Simulations: c.Simulations, Result: result}
			if err := history.Append(r.Dir, history.Line{Evaluation: line}); err != nil {
				return err
			}
			r.measured[name] = line
			r.addEvents(line.Iteration, evaluationValues(line))
		}
		result := line.Result
		fmt.Fprintf(r.Results, "after iteration %d against %s: %.1f %% (95 %% interval %.1f %% to %.1f %%)\n  %d games, %d distinct, %d simulations a move\n",
			r.state.Iteration, name, 100*result.Score, 100*result.Low, 100*result.High, result.Games, result.Distinct, c.Simulations)
	}
	return nil
}

// match plays against an opponent.
func (r *run) match(ctx context.Context, player arena.Contender, opponent string, games int) (*arena.Result, error) {
	other, err := r.Opponents.Open(r.game, opponent)
	if err != nil {
		return nil, fmt.Errorf("key evaluation.opponents: %w", err)
	}
	defer agent.Close(other)
	phase := r.Progress.Start("evaluation against "+opponent, "games", 0, int64(games))
	defer phase.End()
	return arena.Match(ctx, r.game, player, arena.Contender{Name: opponent, Agent: other}, arena.Options{
		Games: games, Seed: matchSeed, Workers: r.workers,
		Progress: func(done int) { phase.Set(int64(done)) },
	})
}

// matchSeed is the default seed of "kiothi evaluate". All runs are measured over the same openings.
const matchSeed = 1

// playerSpec returns the agent that plays as the evaluation does.
func (r *run) playerSpec() string {
	spec := agent.Spec{Name: "zero", Argument: r.Dir}
	if n := r.Config.Evaluation.Simulations; n != zero.DefaultConfig().Simulations {
		spec.Settings = []agent.Setting{{Option: "sims", Value: fmt.Sprint(n)}}
	}
	return spec.String()
}

// whatNext names the commands that use the network.
func (r *run) whatNext() string {
	game := ""
	if name := r.game.Name(); name != games.Names()[0] {
		game = " --game " + name
	}
	if !games.IsDefault(r.game) {
		game += " --rules " + child.Quote(r.game.Rules())
	}
	spec := child.Quote(r.playerSpec())
	var b strings.Builder
	fmt.Fprintf(&b, "play against it:  kiothi play%s --agent %s\n", game, spec)
	fmt.Fprintf(&b, "measure it:       kiothi evaluate%s %s greedy --games %d\n", game, spec, max(r.Config.Evaluation.Games, 200))
	fmt.Fprintf(&b, "take it along:    kiothi export %s --out DIR\n", child.Quote(r.Dir))
	return b.String()
}
