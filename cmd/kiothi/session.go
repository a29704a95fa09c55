package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"kiothi/agent"
	"kiothi/cmd/internal/record"
	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is a game line by line: through a pipe, or at a keyboard where no screen can be drawn.

// A session is a game being played.
type session struct {
	record  *record.Record
	seats   [2]record.Seat
	adviser record.Seat // who is asked for hints; its agent is nil when nobody can give any
	seed    uint64
	out     io.Writer
	prompt  bool // someone is typing, and wants to know when
}

// run plays until the game or the competition is over, the input ends, the human quits, or ctx ends.
func (s *session) run(ctx context.Context, in io.Reader) error {
	g := s.record.Game()
	fmt.Fprintf(s.out, "%s %s: South is %s, North is %s. Type help for help.\n\n",
		g.Name(), g.Rules(), s.seats[mancala.South].Name, s.seats[mancala.North].Name)
	s.standing()
	s.board()
	lines := readLines(ctx, in)
	for !s.record.Over() {
		if s.record.RoundOver() {
			if err := s.nextRound(); err != nil {
				return err
			}
			continue
		}
		if mover := s.record.State().Player; !s.seats[mover].Human() {
			if err := s.agentTurn(ctx, mover); err != nil {
				return ignoreStop(ctx, err)
			}
			continue
		}
		if s.prompt {
			fmt.Fprintf(s.out, "%s> ", s.record.State().Player)
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
				return line.err
			}
			if quit := s.command(ctx, line.text); quit {
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
func (s *session) command(ctx context.Context, text string) (quit bool) {
	word, rest, _ := strings.Cut(text, " ")
	if path := strings.TrimSpace(rest); strings.EqualFold(word, "save") {
		s.save(path)
		return false
	}
	switch strings.ToLower(text) {
	case "":
	case "help", "?":
		fmt.Fprintln(s.out, playHelp)
	case "legal":
		s.legal()
	case "hint":
		s.hint(ctx)
	case "undo":
		s.undo()
	case "position":
		state := s.record.State()
		fmt.Fprintln(s.out, s.record.Game().Format(&state))
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
	state := s.record.State()
	actions, err := s.record.Game().ParseTurn(&state, text)
	if err == nil {
		err = s.play(actions)
	}
	if err != nil {
		fmt.Fprintf(s.out, "Not played: %v.\n", err)
	}
}

// agentTurn lets an agent play until the other player is to move.
func (s *session) agentTurn(ctx context.Context, mover mancala.Player) error {
	actions, err := s.record.Ask(s.seats[mover], s.seed)(ctx)
	if err != nil {
		return err
	}
	return s.play(actions)
}

// play plays the actions of one player, which are a turn or part of one, tells what they did, and draws the board.
func (s *session) play(actions []mancala.Action) error {
	turn, err := s.record.Play(actions...)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s plays %s%s.\n\n", turn.Mover, turn.Text, turn.Outcome())
	s.board()
	return nil
}

// nextRound begins the next round of a competition.
func (s *session) nextRound() error {
	if err := s.record.Next(); err != nil {
		return err
	}
	s.standing()
	s.board()
	return nil
}

// legal lists the legal moves. In an opening these are single steps.
func (s *session) legal() {
	g, state := s.record.Game(), s.record.State()
	var texts []string
	for _, a := range g.AppendLegal(nil, &state) {
		texts = append(texts, g.ActionText(&state, a))
	}
	fmt.Fprintln(s.out, strings.Join(texts, " "))
}

// hint says what the adviser thinks of the position.
func (s *session) hint(ctx context.Context) {
	adviser, ok := s.adviser.Agent.(agent.Adviser)
	if !ok {
		fmt.Fprintln(s.out, noHints)
		return
	}
	state := s.record.State()
	advice, err := adviser.Advise(ctx, &state)
	if err != nil {
		fmt.Fprintf(s.out, "No hint: %v.\n", err)
		return
	}
	chances, line := record.Describe(s.record.Game(), state, &advice)
	fmt.Fprintf(s.out, "%s: %s; %s\n", s.adviser.Name, chances, line)
}

// save writes the game to a file.
func (s *session) save(path string) {
	if path == "" {
		fmt.Fprintln(s.out, "Not saved: say to which file, as in save game.jsonl.")
		return
	}
	if err := s.record.Save(path); err != nil {
		fmt.Fprintf(s.out, "Not saved: %v.\n", err)
		return
	}
	fmt.Fprintf(s.out, "Saved to %s.\n", path)
}

// undo goes back to before the human's last move.
func (s *session) undo() {
	if !s.record.Undo(func(p mancala.Player) bool { return s.seats[p].Human() }) {
		fmt.Fprintln(s.out, "There is no move of yours to take back.")
		return
	}
	s.board()
}

// board draws the board.
func (s *session) board() {
	state := s.record.State()
	fmt.Fprintln(s.out, env.Render(s.record.Game(), &state))
}

// standing says how a competition stands.
func (s *session) standing() {
	if text := s.record.Standing(); text != "" {
		fmt.Fprintln(s.out, text)
	}
}

// result adds to the last board what it does not say.
func (s *session) result() {
	if s.record.Warrior() {
		fmt.Fprintln(s.out, "A warrior's victory: won by exactly two seeds.")
	}
	s.standing()
}
