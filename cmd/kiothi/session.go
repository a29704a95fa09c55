package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"kiothi/agent"
	"kiothi/env"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is a game at the keyboard, or through a pipe.

// A session is a game being played.
type session struct {
	game    mancala.Game
	state   mancala.State
	plies   int
	players [2]struct {
		name  string
		agent agent.Agent // nil: a human
	}
	seed    uint64
	out     io.Writer
	prompt  bool // someone is typing, and wants to know when
	history []moment
}

// A moment is where a human's move began, to come back to.
type moment struct {
	state mancala.State
	plies int
}

// run plays until the game is over, the input ends, the human quits, or ctx ends.
func (s *session) run(ctx context.Context, in io.Reader) error {
	fmt.Fprintf(s.out, "%s %s: South is %s, North is %s. Type help for help.\n\n",
		s.game.Name(), s.game.Rules(), s.players[mancala.South].name, s.players[mancala.North].name)
	s.board()
	lines := readLines(ctx, in)
	for !s.state.Over() {
		if s.players[s.state.Player].agent != nil {
			if err := s.agentTurn(ctx); err != nil {
				return ignoreStop(ctx, err)
			}
			continue
		}
		if s.prompt {
			fmt.Fprintf(s.out, "%s> ", s.state.Player)
		}
		select {
		case line, ok := <-lines:
			if !ok {
				if s.prompt {
					fmt.Fprintln(s.out)
				}
				return nil
			}
			if line.err != nil {
				return fmt.Errorf("play: %w", line.err)
			}
			if quit := s.command(line.text); quit {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
	s.result()
	return nil
}

// ignoreStop drops the error of an agent that was stopped because the human had enough.
func ignoreStop(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// A line is a line of input, or the error that ends it.
type line struct {
	text string
	err  error
}

// readLines reads lines until the input or ctx ends, so that a human who types nothing can still press Ctrl-C.
func readLines(ctx context.Context, in io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			select {
			case lines <- line{text: strings.TrimSpace(scanner.Text())}:
			case <-ctx.Done():
				return
			}
		}
		if err := scanner.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("a line is longer than %d bytes, expected one move a line", bufio.MaxScanTokenSize)
			}
			select {
			case lines <- line{err: fmt.Errorf("reading the moves: %w", err)}:
			case <-ctx.Done():
			}
		}
	}()
	return lines
}

// command carries out what a human typed, and reports whether that was to quit.
func (s *session) command(text string) (quit bool) {
	switch strings.ToLower(text) {
	case "":
	case "help", "?":
		fmt.Fprintln(s.out, playHelp)
	case "legal":
		s.legal()
	case "undo":
		s.undo()
	case "position":
		fmt.Fprintln(s.out, s.game.Format(&s.state))
	case "board":
		s.board()
	case "quit", "exit":
		return true
	default:
		s.humanTurn(text)
	}
	return false
}

// humanTurn plays a turn or an action that a human typed, or says why it cannot be played.
func (s *session) humanTurn(text string) {
	actions, err := s.game.ParseTurn(&s.state, text)
	if err != nil {
		fmt.Fprintf(s.out, "Not played: %v.\n", err)
		return
	}
	before := moment{s.state, s.plies}
	if err := s.play(actions); err != nil {
		s.state, s.plies = before.state, before.plies
		fmt.Fprintf(s.out, "Not played: %v.\n", err)
		return
	}
	s.history = append(s.history, before)
}

// agentTurn lets an agent play until the other player is to move.
func (s *session) agentTurn(ctx context.Context) error {
	player := s.state.Player
	next, actions := s.state, []mancala.Action(nil)
	for !next.Over() && next.Player == player {
		rng := seed.Rand(s.seed, seed.Match, 0, uint64(player), uint64(s.plies+len(actions)))
		a, err := s.players[player].agent.Choose(ctx, &next, rng)
		if err == nil {
			_, err = s.game.Play(&next, a)
		}
		if err != nil {
			return fmt.Errorf("agent %s as %s at position %q: %w", s.players[player].name, player, s.game.Format(&next), err)
		}
		actions = append(actions, a)
	}
	return s.play(actions)
}

// play plays the actions of one player, which are a turn or part of one, tells what they did, and draws the board.
func (s *session) play(actions []mancala.Action) error {
	mover, text := s.state.Player, s.game.TurnText(&s.state, actions)
	if s.state.Phase != mancala.Sow && len(actions) == 1 {
		text = s.game.ActionText(&s.state, actions[0])
	}
	var turn mancala.Turn
	for _, a := range actions {
		var err error
		if turn, err = s.game.Play(&s.state, a); err != nil {
			return err
		}
	}
	s.plies += len(actions)
	fmt.Fprintf(s.out, "%s plays %s%s.\n\n", mover, text, describeTurn(mover, turn))
	s.board()
	return nil
}

// legal lists the legal moves. In an opening these are single steps.
func (s *session) legal() {
	var texts []string
	for _, a := range s.game.AppendLegal(nil, &s.state) {
		texts = append(texts, s.game.ActionText(&s.state, a))
	}
	fmt.Fprintln(s.out, strings.Join(texts, " "))
}

// undo goes back to before the human's last move.
func (s *session) undo() {
	if len(s.history) == 0 {
		fmt.Fprintln(s.out, "There is no move of yours to take back.")
		return
	}
	last := len(s.history) - 1
	s.state, s.plies = s.history[last].state, s.history[last].plies
	s.history = s.history[:last]
	s.board()
}

// board draws the board.
func (s *session) board() { fmt.Fprintln(s.out, env.Render(s.game, &s.state)) }

// result adds to the last board what it does not say.
func (s *session) result() {
	if m := mancala.Margin(s.game, &s.state, mancala.South); m == 2 || m == -2 {
		fmt.Fprintln(s.out, "A warrior's victory: won by exactly two seeds.")
	}
}
