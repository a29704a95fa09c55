package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent"
	"kiothi/env/durable"
	"kiothi/env/mancala"
	"kiothi/train/arena"
	"kiothi/train/rating"
)

// This file is the command evaluate: its flags, and the tournament. What it prints and writes is in the files beside it.

// evaluateFlags is the flags of evaluate.
type evaluateFlags struct {
	game     gameFlag
	show     progressFlag
	options  arena.Options
	openings string
	sprt     string
	output   outputFlags
	oracle   oracleFlag
}

func newEvaluate(a *app) *cobra.Command {
	var f evaluateFlags
	cmd := &cobra.Command{
		Use:   "evaluate AGENT AGENT...",
		Short: "Play matches between two or more agents, and rate them",
		Long: `Plays a match between every two of the agents. Each opening is played twice, with
the seats changed, and all matches have the same openings. They are random: in
Kiothi both players' opening turns, in Rio Kadalis the first four plies. With
--openings own the agents play from the start, and with --openings FILE from the
positions in a file, one a line, in the text that kiothi trace prints; blank lines
and lines that begin with # are left out. The same seed gives the same games,
whatever the number of workers, unless an agent goes by the clock.

Two agents are compared at length; of more, tables show the scores with 95 %
intervals, ratings in Elo with random (or else the first agent) at 0, each match,
and what a move cost. Intervals of ratings are by bootstrap over pairs of games.

An agent that plays an illegal action, fails, panics, or needs more than --move-time
for one action (an opening turn has several) loses that game, and the tournament
goes on. An agent in batches gets that time for a batch; where it is too short, its
games are asked one by one.

--sprt elo0,elo1[,alpha[,beta]] ends a match of two agents when it is decided whether
the first is no more than elo0 or at least elo1 Elo stronger, with chances of error
of alpha and beta (0.05); --games is then the most that are played.

The first Ctrl-C stops the matches and prints the result of the pairs of games
finished so far, with exit status 1; a second one ends at once.`,
		Example: `  kiothi evaluate greedy random --games 200
  kiothi evaluate random greedy alphabeta:depth=4 uct:sims=500 --games 100 --plot pictures
  kiothi evaluate greedy random --game rio-kadalis --rules five-holes --json
  kiothi evaluate alphabeta:depth=6 alphabeta:depth=4 --sprt 0,50
  kiothi evaluate greedy random --openings positions.txt --games-text games.txt
  kiothi evaluate greedy random --games 20 --games-out games.jsonl
  kiothi trace --batch < games.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 && !f.oracle.given() {
				return usage("needs two agents or more, as in kiothi evaluate greedy random; found %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: a.completeAgents,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, a, args) },
	}
	f.game.bind(cmd)
	o := &f.options
	flags := cmd.Flags()
	flags.IntVar(&o.Games, "games", defaultGames, "number of games of each match, even (default with a file of openings: each twice; with --sprt: 10000)")
	bindSeed(cmd, &o.Seed)
	flags.StringVar(&f.openings, "openings", "random", "how games begin: random, own (the agents play from the start), or a file of positions")
	flags.DurationVar(&o.MoveTime, "move-time", 0, "longest time for an action, such as 2s; a later answer loses the game (default: no bound)")
	flags.StringVar(&f.sprt, "sprt", "", "elo0,elo1[,alpha[,beta]]: end a match of two agents when it is decided")
	flags.IntVar(&o.Warrior, "warrior", 1, "wins that a win by exactly two seeds counts in match points: 1, 2 or 10")
	bindWorkers(cmd, &o.Workers)
	flags.IntVar(&o.Concurrent, "concurrent", 0, "number of games at once, of which a network gets those in which it is to move as a batch (default: 128 an agent, fewer where agents keep memory for each game)")
	f.output.bind(cmd)
	f.oracle.bind(cmd)
	bindKernel(cmd)
	f.show.bind(cmd)
	complete(cmd, "openings", func() []string { return []string{"random", "own"} })
	return cmd
}

// The numbers of games where nothing else is said.
const (
	defaultGames     = 200
	defaultSPRTGames = 10_000
)

// run plays the tournament. All that can be found wrong before the first game is.
func (f *evaluateFlags) run(cmd *cobra.Command, a *app, specs []string) error {
	if err := f.output.check(cmd); err != nil {
		return err
	}
	if err := pathsGiven(cmd, "openings", "sprt", "oracle"); err != nil {
		return err
	}
	if err := f.oracle.check(cmd); err != nil {
		return err
	}
	if f.oracle.given() {
		return f.oracle.run(cmd, a, f, specs)
	}
	g, err := f.game.open()
	if err != nil {
		return err
	}
	if err := f.settle(cmd, g, len(specs)); err != nil {
		return err
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	contenders, done, err := a.openContenders(g, specs)
	if err != nil {
		return err
	}
	defer done()
	// The files are begun before the matches, so that these are not lost to a path that cannot be written.
	files, err := f.output.begin()
	if err != nil {
		return err
	}
	defer files.abort()

	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	matches := len(contenders) * (len(contenders) - 1) / 2
	name := fmt.Sprintf("%s against %s", contenders[0].Name, contenders[1].Name)
	if matches > 1 {
		name = fmt.Sprintf("%d matches", matches)
	}
	phase := reporter.Start(name, "games", 0, int64(f.options.Games*matches))
	f.options.Progress = func(n int) { phase.Set(int64(n)) }
	f.options.Warn = func(err error) { fmt.Fprintf(reporter, "kiothi: %v\n", err) }
	table, err := arena.RoundRobin(ctx, g, contenders, f.options)
	phase.End()
	if table == nil {
		return err
	}
	report := &report{table: table, opened: f.openings}
	if e := table.Rate(anchor(specs), f.options.Workers); e != nil {
		report.unrated = e
	}
	if err := errors.Join(f.output.print(a.out, report), files.write(g, report)); err != nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return errors.New("the match was stopped; the result is of the pairs of games that were finished")
	}
	return err
}

// settle finishes the options by the flags that are texts.
func (f *evaluateFlags) settle(cmd *cobra.Command, g mancala.Game, agents int) (err error) {
	o := &f.options
	o.Forfeits = true
	gamesGiven := cmd.Flags().Changed("games")
	if cmd.Flags().Changed("move-time") && o.MoveTime <= 0 {
		return usage("--move-time: %v, expected a time above 0, such as %v", o.MoveTime, 2*time.Second)
	}
	if f.sprt != "" {
		if agents > 2 {
			return usage("--sprt is for a match of two agents, found %d", agents)
		}
		c, err := rating.ParseSPRT(f.sprt)
		if err != nil {
			return usage("--sprt: %w", err)
		}
		o.SPRT = &c
		if !gamesGiven {
			o.Games, gamesGiven = defaultSPRTGames, true
		}
	}
	if o.Openings, err = arena.ParseOpenings(f.openings); err != nil {
		if _, missing := os.Stat(f.openings); errors.Is(missing, fs.ErrNotExist) {
			return usage("--openings: %w; and there is no file of that name", err)
		}
		o.Openings = arena.GivenOpenings
		if o.Positions, err = readPositions(g, f.openings); err != nil {
			return fmt.Errorf("--openings: %w", err)
		}
		if !gamesGiven {
			o.Games = 2 * len(o.Positions)
		}
	}
	return asUsage(o.CheckFor(agents))
}

// readPositions reads a file of positions.
func readPositions(g mancala.Game, path string) ([]mancala.State, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	positions, err := arena.ReadPositions(g, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return positions, nil
}

// anchor returns the agent that is rated 0: the random one, or else the first.
func anchor(specs []string) int { return max(slices.Index(specs, "random"), 0) }

// openContenders makes the agents. One that is named again gets a number, as in greedy#2. Call done when they are used no more.
func (a *app) openContenders(g mancala.Game, specs []string) (contenders []arena.Contender, done func(), err error) {
	done = func() {
		for _, c := range contenders {
			closeAgent(a, c.Agent)
		}
	}
	names := labels(specs)
	for i, spec := range specs {
		player, err := a.kinds.Open(g, spec)
		if err != nil {
			done()
			return nil, nil, err
		}
		contenders = append(contenders, arena.Contender{Name: names[i], Agent: player})
	}
	return contenders, done, nil
}

// labels returns a name for each spec that no other has.
func labels(specs []string) []string {
	names := make([]string, len(specs))
	seen := map[string]bool{}
	for i, spec := range specs {
		names[i] = spec
		for n := 2; seen[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s#%d", spec, n)
		}
		seen[names[i]] = true
	}
	return names
}

// closeAgent closes an agent that wants to be.
func closeAgent(a *app, player agent.Agent) {
	if err := agent.Close(player); err != nil {
		fmt.Fprintf(a.err, "kiothi: closing an agent: %v\n", err)
	}
}

// A report is a tournament as it is printed and written.
type report struct {
	table   *arena.Table
	opened  string // the value of --openings
	unrated error  // why there are no ratings
}

// agents returns the agents in the order of their strength, the strongest first.
func (r *report) agents() []int {
	order := make([]int, len(r.table.Standings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := r.table.Standings[i].Score, r.table.Standings[j].Score
		if t := r.table.Ratings; t != nil && len(order) > 2 {
			a, b = t.Elo[i].Value, t.Elo[j].Value
		}
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	return order
}

// openings says how the games began.
func (r *report) openings() string {
	t := r.table
	if t.Openings == arena.GivenOpenings.String() {
		return fmt.Sprintf("from %s, seed %d", strings.TrimSpace(r.opened), t.Seed)
	}
	return fmt.Sprintf("%s, seed %d", t.Openings, t.Seed)
}
