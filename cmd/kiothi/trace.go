package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// This file is the command trace (rules, section 6).

func newTrace(a *app) *cobra.Command {
	var game gameFlag
	var position positionFlag
	var actions string
	var batch bool
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Play a list of actions and print every state as JSON",
		Long: `Plays a list of action ids and prints one JSON object a line, the start position
first. An illegal action stops the trace with an error that says why, and exit
status 1.

With --batch, games are read from standard input, one JSON object a line:
{"game":"kiothi","rules":"mancala-world","position":"...","actions":[604,607]}.
Rules and position may be left out; "truncated":true marks a game that was cut
short. Each is answered by one line, the JSON array of its states, or
{"error":"...","ply":...} when it cannot be played to its end; the other lines go
on, and the exit status is 1 at the end.`,
		Example: `  kiothi trace --game rio-kadalis --actions 2,2
  kiothi trace --game kiothi --rules mancala-world --actions 604,607
  kiothi trace --game rio-kadalis --position "4,0,5,5,5,5/4,4,4,4,4,4 - 0-0 N sow 1" --actions 0
  kiothi trace --batch < games.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if batch {
				for _, flag := range []string{"game", "rules", "position", "actions"} {
					if cmd.Flags().Changed(flag) {
						return usage("--batch reads the %s of each game from its line: leave --%s out", flag, flag)
					}
				}
				return traceBatch(a)
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			start, err := position.parse(cmd, g)
			if err != nil {
				return err
			}
			list, err := parseActions(actions)
			if err != nil {
				return asUsage(err)
			}
			return traceGame(a.out, g, start, list)
		},
	}
	game.bind(cmd)
	position.bind(cmd)
	cmd.Flags().StringVar(&actions, "actions", "", "action ids, separated by commas")
	cmd.Flags().BoolVar(&batch, "batch", false, "read games from standard input, one a line")
	return cmd
}

// parseActions reads a list of action ids. The empty text is the empty list. Ids that the game does not have are illegal
// actions like others, and left to the trace.
func parseActions(text string) ([]mancala.Action, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var actions []mancala.Action
	for item := range strings.SplitSeq(text, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(item), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("--actions: %q is not an action id; expected ids separated by commas, such as 604,607", item)
		}
		actions = append(actions, mancala.Action(id))
	}
	return actions, nil
}

// traceGame prints the states of one game.
func traceGame(w io.Writer, g mancala.Game, start mancala.State, actions []mancala.Action) error {
	steps, illegal := trace.Play(g, start, actions)
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for i := range steps {
		if err := encoder.Encode(steps[i]); err != nil {
			return fmt.Errorf("writing the trace: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	if illegal != nil {
		return illegal
	}
	return nil
}

// traceBatch answers games line by line.
func traceBatch(a *app) error {
	failed, err := trace.Batch(a.in, a.out, games.Open)
	if err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of the games could not be played to their end; their lines say why", failed)
	}
	return nil
}
