package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kiothi/agent"
	"kiothi/cmd/internal/record"
	"kiothi/cmd/kiothi/internal/screen"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the command play: what it is asked for. The game itself is in session.go, line by line, and on a terminal
// in package screen.

func newPlay(a *app) *cobra.Command {
	f := playFlags{speed: screen.Normal}
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play against an agent, or watch two",
		Long: `Draws the board and takes moves. One --agent plays against you; two play against
each other, the first as South. Without any, greedy is your opponent.

On a terminal the board stays in place: move with the arrow keys, play with Enter,
or type a move; ? lists all keys. Elsewhere, and with --plain, moves are read one
a line, from a keyboard, a file or a pipe, and the end of the input ends the
program. A move that is not legal is explained and leaves the game as it was.

` + playHelp + `

A saved game is a file that kiothi trace --batch replays; --load goes on with it.`,
		Example: `  kiothi play
  kiothi play --agent random --seat north --game rio-kadalis
  kiothi play --agent zero:runs/kiothi-quick
  kiothi play --agent greedy --agent random
  kiothi play --game rio-kadalis --competition=5
  kiothi play --load game.jsonl --seat both
  kiothi play --seat both --position "0,0,3,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 - 20-20 S sow 0"
  printf 'c\nlegal\n' | kiothi play --game rio-kadalis --agent random`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return play(a, cmd, &f) },
	}
	bindKernel(cmd)
	f.game.bind(cmd)
	f.position.bind(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.agents, "agent", nil, "agent to play against, or, given twice, South's and North's (see kiothi help agents)")
	flags.StringVar(&f.seat, "seat", "south", "your seat: south, north or both")
	flags.StringVar(&f.hints, "hints", "", "agent with a network that gives hints (default: the one that plays)")
	flags.IntVar(&f.rounds, "competition", 0, "play a competition of Rio Kadalis, of at most so many rounds")
	flags.Lookup("competition").NoOptDefVal = fmt.Sprint(riokadalis.DefaultMaxRounds)
	flags.StringVar(&f.load, "load", "", "file with a game to go on with")
	flags.BoolVar(&f.plain, "plain", false, "lines of text, also on a terminal")
	flags.Var(&f.speed, "speed", "how fast a sowing is shown on a terminal: "+strings.Join(screen.SpeedNames, ", "))
	bindSeed(cmd, &f.seed)
	complete(cmd, "seat", func() []string { return seatNames })
	complete(cmd, "agent", a.kinds.Names)
	complete(cmd, "hints", a.kinds.Names)
	complete(cmd, "speed", func() []string { return screen.SpeedNames })
	return cmd
}

// playFlags is what the command is asked for.
type playFlags struct {
	game     gameFlag
	position positionFlag
	agents   []string
	seat     string
	hints    string
	rounds   int
	load     string
	plain    bool
	speed    screen.Speed
	seed     uint64
}

// play opens the game and the agents, and plays.
func play(a *app, cmd *cobra.Command, f *playFlags) error {
	humans, err := seats(cmd, f.agents, f.seat)
	if err != nil {
		return err
	}
	if len(f.agents) == 0 && f.seat != "both" {
		f.agents = []string{"greedy"}
	}
	r, err := f.begin(cmd)
	if err != nil {
		return err
	}
	t, err := f.sit(a, r.Game(), humans)
	if err != nil {
		return err
	}
	defer t.leave(a)
	if in, out, ok := a.terminal(); ok && !f.plain {
		return playOnScreen(cmd, a, f, r, t, in, out)
	}
	s := &session{record: r, seats: t.seats, adviser: t.adviser, seed: f.seed, out: a.out}
	if file, ok := a.in.(*os.File); ok {
		s.prompt = term.IsTerminal(int(file.Fd()))
	}
	ctx, stop := interruptible(cmd.Context(), a.err)
	defer stop()
	return s.run(ctx, a.in)
}

// begin returns the record of the game to play.
func (f *playFlags) begin(cmd *cobra.Command) (*record.Record, error) {
	if err := pathsGiven(cmd, "load"); err != nil {
		return nil, err
	}
	competition := cmd.Flags().Changed("competition")
	if competition && (f.rounds < 1 || f.rounds > riokadalis.LargestMaxRounds) {
		return nil, usage("--competition: %d rounds, expected 1 to %d", f.rounds, riokadalis.LargestMaxRounds)
	}
	if f.load != "" {
		for _, flag := range []string{"game", "rules", "position"} {
			if cmd.Flags().Changed(flag) {
				return nil, usage("the file of --load says which %s it is: leave --%s out", flag, flag)
			}
		}
		return record.Load(f.load, f.rounds)
	}
	g, err := f.game.open()
	if err != nil {
		return nil, err
	}
	if competition {
		if cmd.Flags().Changed("position") {
			return nil, usage("a competition begins with full holes: leave --position out, or --competition")
		}
		r, err := record.NewCompetition(g, f.rounds)
		return r, asUsage(err)
	}
	start, err := f.position.parse(cmd, g)
	if err != nil {
		return nil, err
	}
	return record.New(g, start), nil
}

// A table is who takes part in a game.
type table struct {
	seats   [2]record.Seat
	adviser record.Seat   // who is asked for hints; its agent is nil when nobody can give any
	opened  []agent.Agent // to be closed
}

// noHints says why there are none.
const noHints = "No hint: no agent here has a network to judge with. Name one by --hints zero:PATH."

// sit opens the agents. Of two, the first sits South; a single one sits where no human does.
func (f *playFlags) sit(a *app, g mancala.Game, humans [2]bool) (*table, error) {
	t := &table{}
	open := func(spec string) (record.Seat, error) {
		opened, err := a.kinds.Open(g, spec)
		if err != nil {
			t.leave(a)
			return record.Seat{}, err
		}
		t.opened = append(t.opened, opened)
		return record.Seat{Name: spec, Agent: opened}, nil
	}
	for player := range t.seats {
		if humans[player] {
			t.seats[player] = record.Seat{Name: "you"}
			continue
		}
		var err error
		if t.seats[player], err = open(f.agents[min(player, len(f.agents)-1)]); err != nil {
			return nil, err
		}
		if _, ok := t.seats[player].Agent.(agent.Adviser); ok && t.adviser.Agent == nil {
			t.adviser = t.seats[player]
		}
	}
	if f.hints != "" {
		var err error
		if t.adviser, err = open(f.hints); err != nil {
			return nil, err
		}
		if _, ok := t.adviser.Agent.(agent.Adviser); !ok {
			t.leave(a)
			return nil, usage("--hints: agent %q has no network to judge with, expected one such as zero:PATH", f.hints)
		}
	}
	return t, nil
}

// leave closes the agents.
func (t *table) leave(a *app) {
	for _, opened := range t.opened {
		closeAgent(a, opened)
	}
	t.opened = nil
}

var seatNames = []string{"south", "north", "both"}

// seats returns which seats humans take.
func seats(cmd *cobra.Command, agents []string, seat string) ([2]bool, error) {
	switch {
	case len(agents) > 2:
		return [2]bool{}, usage("there are two seats, found %d agents", len(agents))
	case len(agents) == 2 && cmd.Flags().Changed("seat"):
		return [2]bool{}, usage("two agents leave no seat to you: leave --seat out")
	case len(agents) == 2:
		return [2]bool{}, nil
	}
	switch seat {
	case "south":
		return [2]bool{mancala.South: true}, nil
	case "north":
		return [2]bool{mancala.North: true}, nil
	case "both":
		if len(agents) > 0 {
			return [2]bool{}, usage("--seat both leaves no seat to agent %q", agents[0])
		}
		return [2]bool{true, true}, nil
	}
	return [2]bool{}, unknownUsage("seat", seat, seatNames)
}

// playHelp says what can be typed. It stands in the help of the command and answers help in a game.
const playHelp = `What to type, the letters being those on the board:
  e3          sow three seeds from pit e (Kiothi); e alone sows all of them
  eh:a3c2J5   a whole opening turn: empty e and h, place 3 seeds in a, 2 in c, 5 in J
  +e  =  >c   an opening turn step by step: empty a pit, stop, place a seed
  legal       the legal moves
  hint        what an agent with a network thinks of the position
  undo        take your last move back
  save FILE   save the game
  position    the position as text, for --position
  board       the board again
  help, quit`
