package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kiothi/agent/engine/protocol"
)

// This file is the exchanges that every engine takes part in.

// complaint returns what a line says is wrong.
func complaint(line string) (string, bool) { return strings.CutPrefix(line, protocol.ErrorPrefix) }

// Complained reports whether the engine has complained.
func (s *Session) Complained() bool { return s.heard != "" }

// Forgive forgets what the engine has complained of.
func (s *Session) Forgive() { s.heard = "" }

// Handshake sends ugi and reads the answer.
func (s *Session) Handshake(ctx context.Context) error {
	if err := s.Send(ctx, "ugi"); err != nil {
		return fmt.Errorf("ugi: %w", err)
	}
	version := protocol.Version
	err := s.Await(ctx, func(line string) bool {
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "id":
			if name, ok := strings.CutPrefix(rest, "name "); ok {
				s.Name = name
			} else if author, ok := strings.CutPrefix(rest, "author "); ok {
				s.Author = author
			}
		case "protocol":
			var err error
			if version, err = strconv.Atoi(rest); err != nil {
				version = 0
			}
		case "option":
			// What is offered in a form that we do not know cannot be set.
			if o, err := protocol.ParseOption(line); err == nil {
				s.Options = append(s.Options, o)
			}
		}
		return line == "ugiok"
	})
	if err != nil {
		return fmt.Errorf("no ugiok after ugi: %w", err)
	}
	if version != protocol.Version {
		return fmt.Errorf("it speaks version %d of the protocol, expected %d", version, protocol.Version)
	}
	return nil
}

// Set sets an option that the engine must offer.
func (s *Session) Set(ctx context.Context, name, value string) error {
	o := protocol.FindOption(s.Options, name)
	if o == nil {
		var names []string
		for _, o := range s.Options {
			names = append(names, o.Name)
		}
		return fmt.Errorf("it offers no option %s, only: %s", name, strings.Join(names, ", "))
	}
	if err := o.Refuse(value); err != nil {
		return err
	}
	return s.Send(ctx, protocol.SetOption(o.Name, value))
}

// Sync sends isready and waits for readyok. What the engine wrote before is read and dropped.
func (s *Session) Sync(ctx context.Context) error {
	if err := s.Send(ctx, "isready"); err != nil {
		return fmt.Errorf("isready: %w", err)
	}
	if err := s.Await(ctx, func(line string) bool { return line == "readyok" }); err != nil {
		return fmt.Errorf("no readyok after isready: %w", err)
	}
	return nil
}

// Bestmove waits for a bestmove and returns its words. It calls info with the lines before it.
func (s *Session) Bestmove(ctx context.Context, info func(line string)) (words []string, err error) {
	err = s.Await(ctx, func(line string) bool {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "bestmove" {
			info(line)
			return false
		}
		words = fields[1:]
		return true
	})
	return words, err
}
