package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kiothi/env/mancala"
)

// This file is the command play: what it is asked for. The game itself is in session.go.

func newPlay(a *app) *cobra.Command {
	var game gameFlag
	var position positionFlag
	var agents []string
	var seat string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play against an agent, or watch two",
		Long: `Draws the board and takes moves. One --agent plays against you; two play against
each other, the first as South. Without any, greedy is your opponent.

` + playHelp + `

A move that is not legal is explained and leaves the game as it was. Moves may
come from a file or a pipe, one a line; the end of the input ends the program.`,
		Example: `  kiothi play
  kiothi play --agent random --seat north --game rio-kadalis
  kiothi play --agent greedy --agent random
  kiothi play --seat both --position "0,0,3,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 - 20-20 S sow 0"
  printf 'c\nlegal\n' | kiothi play --game rio-kadalis --agent random`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			humans, err := seats(cmd, agents, seat)
			if err != nil {
				return err
			}
			if len(agents) == 0 && seat != "both" {
				agents = []string{"greedy"}
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			start, err := position.parse(cmd, g)
			if err != nil {
				return err
			}
			s := &session{game: g, state: start, seed: seed, out: a.out}
			for player := range s.players {
				if humans[player] {
					s.players[player].name = "you"
					continue
				}
				// Of two agents, the first sits South; a single one sits where no human does.
				spec := agents[min(player, len(agents)-1)]
				opened, err := a.kinds.Open(g, spec)
				if err != nil {
					return err
				}
				defer closeAgent(a, opened)
				s.players[player].name, s.players[player].agent = spec, opened
			}
			if file, ok := a.in.(*os.File); ok {
				s.prompt = term.IsTerminal(int(file.Fd()))
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			return s.run(ctx, a.in)
		},
	}
	bindKernel(cmd)
	game.bind(cmd)
	position.bind(cmd)
	cmd.Flags().StringArrayVar(&agents, "agent", nil, "agent to play against, or, given twice, South's and North's (see kiothi help agents)")
	cmd.Flags().StringVar(&seat, "seat", "south", "your seat: south, north or both")
	bindSeed(cmd, &seed)
	complete(cmd, "seat", func() []string { return seatNames })
	complete(cmd, "agent", a.kinds.Names)
	return cmd
}

var seatNames = []string{"south", "north", "both"}

// seats returns which seats humans take.
func seats(cmd *cobra.Command, agents []string, seat string) ([2]bool, error) {
	switch {
	case len(agents) > 2:
		return [2]bool{}, usage("play has two seats, found %d agents", len(agents))
	case len(agents) == 2 && cmd.Flags().Changed("seat"):
		return [2]bool{}, usage("play: two agents leave no seat to you: leave --seat out")
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
			return [2]bool{}, usage("play: --seat both leaves no seat to agent %q", agents[0])
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
  undo        take your last move back
  position    the position as text, for --position
  board       the board again
  help, quit`

// describeTurn says in brackets what a turn did beyond moving seeds.
func describeTurn(mover mancala.Player, turn mancala.Turn) string {
	text := ""
	if turn.Laps > 1 {
		text += fmt.Sprintf(", %d laps", turn.Laps)
	}
	if n := turn.Captured[mover]; n > 0 {
		text += fmt.Sprintf(", wins %d", n)
	}
	if n := turn.Captured[mover.Other()]; n > 0 {
		text += fmt.Sprintf(", gives %d away", n)
	}
	if turn.Cut {
		text += ", cut at the lap limit"
	}
	return text
}
