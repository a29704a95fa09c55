package arena

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"kiothi/env/mancala"
)

// This file reads positions to begin from.

// maxPositions is the largest number of positions that are read: no tournament can play more.
const maxPositions = MaxGames / 2

// ReadPositions reads positions in the text of the rules (section 5), one a line. Blank lines and lines that begin with # are
// left out. Errors name the line, the first being 1; a position that is over is one, and so are no positions at all.
func ReadPositions(g mancala.Game, r io.Reader) ([]mancala.State, error) {
	var positions []mancala.State
	in := bufio.NewScanner(r)
	number := 0
	for in.Scan() {
		number++
		text := strings.TrimSpace(strings.TrimPrefix(in.Text(), "\ufeff"))
		if text == "" || text[0] == '#' {
			continue
		}
		s, err := g.Parse(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", number, err)
		case s.Over():
			return nil, fmt.Errorf("line %d: position %q is over, so that there is no game to play from it", number, text)
		case len(positions) == maxPositions:
			return nil, fmt.Errorf("line %d: expected at most %d positions", number, maxPositions)
		}
		positions = append(positions, s)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	if len(positions) == 0 {
		return nil, fmt.Errorf("found no position in %d lines, expected one a line, such as %q", number, exampleOf(g))
	}
	return positions, nil
}

// exampleOf returns the text of the start position.
func exampleOf(g mancala.Game) string {
	s := g.Start()
	return g.Format(&s)
}
