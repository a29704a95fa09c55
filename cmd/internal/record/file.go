package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// This file saves and loads games: a line a round, which `kiothi trace --batch` replays.

// Save writes the record to a file, which appears when it is complete.
func (r *Record) Save(path string) error {
	if err := durable.WriteFile(path, r.write); err != nil {
		return fmt.Errorf("saving the game: %w", err)
	}
	return nil
}

// write writes a line a round.
func (r *Record) write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	for i, round := range r.rounds {
		line := trace.Line{Game: r.game.Name(), Rules: r.game.Rules(), Actions: round.actions}
		if line.Actions == nil {
			line.Actions = []mancala.Action{}
		}
		if round.start != r.game.Start() {
			line.Position = r.game.Format(&round.start)
		}
		if match, ok := r.Competition(); ok && i == 0 {
			line.MaxRounds = match.MaxRounds()
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// Load reads a file that Save wrote, or a line of any other games that a batch can replay. It holds a single game, or the
// rounds of a competition when its first line says of how many or maxRounds is not 0, which then counts.
func Load(path string, maxRounds int) (*Record, error) {
	lines, err := readLines(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("loading a game: %w; expected a file in which a game was saved", err)
	}
	if err != nil {
		return nil, fmt.Errorf("loading a game: %w", err)
	}
	r, err := replay(lines, maxRounds)
	if err != nil {
		return nil, fmt.Errorf("loading a game: %s: %w", path, err)
	}
	return r, nil
}

// readLines reads the games of a file.
func readLines(path string) ([]trace.Line, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []trace.Line
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, trace.MaxLine)
	for number := 1; scanner.Scan(); number++ {
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		line, err := trace.ParseLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, number, err)
		}
		lines = append(lines, line)
	}
	err = scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%s: a line is longer than %d bytes", path, trace.MaxLine)
	}
	return lines, err
}

// replay plays the lines of a file again.
func replay(lines []trace.Line, maxRounds int) (*Record, error) {
	if len(lines) == 0 {
		return nil, fmt.Errorf("there is no game in it")
	}
	if maxRounds == 0 {
		maxRounds = lines[0].MaxRounds
	}
	if len(lines) > 1 && maxRounds == 0 {
		return nil, fmt.Errorf("it holds %d games, expected one: only the rounds of a competition are loaded together, with --competition", len(lines))
	}
	r, err := begin(lines[0], maxRounds)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		if i > 0 {
			if err := r.nextLine(&lines[0], &line); err != nil {
				return nil, fmt.Errorf("round %d: %w", i+1, err)
			}
		}
		if err := r.playAll(line.Actions); err != nil {
			if maxRounds > 0 {
				err = fmt.Errorf("round %d: %w", i+1, err)
			}
			return nil, err
		}
	}
	return r, nil
}

// begin opens the game of a line and goes to where it starts.
func begin(line trace.Line, maxRounds int) (*Record, error) {
	g, err := games.Open(line.Game, line.Rules)
	if err != nil {
		return nil, err
	}
	start := g.Start()
	if line.Position != "" {
		if start, err = g.Parse(line.Position); err != nil {
			return nil, err
		}
	}
	if maxRounds == 0 {
		return New(g, start), nil
	}
	r, err := NewCompetition(g, maxRounds)
	if err == nil && r.State() != start {
		err = fmt.Errorf("it starts at %q, expected the start of a competition: %q", line.Position, g.Format(&r.rounds[0].start))
	}
	return r, err
}

// nextLine begins the next round, which must be the one that a line tells of.
func (r *Record) nextLine(first, line *trace.Line) error {
	if line.Game != first.Game || line.Rules != first.Rules {
		return fmt.Errorf("it is of %s %s, the first one of %s %s: they are no competition", line.Game, line.Rules, first.Game, first.Rules)
	}
	if err := r.Next(); err != nil {
		return err
	}
	want := r.game.Start()
	if line.Position != "" {
		var err error
		if want, err = r.game.Parse(line.Position); err != nil {
			return err
		}
	}
	if s := r.State(); s != want {
		return fmt.Errorf("it starts at %q, but the round before leads to %q: they are no competition", r.game.Format(&want), r.game.Format(&s))
	}
	return nil
}

// playAll plays actions turn by turn, so that they can be taken back turn by turn.
func (r *Record) playAll(actions []mancala.Action) error {
	for played := 0; len(actions) > 0; {
		s := r.State()
		mover, n := s.Player, 0
		for n < len(actions) && !s.Over() && s.Player == mover {
			if _, err := r.game.Play(&s, actions[n]); err != nil {
				return fmt.Errorf("action %d: %w", played+n+1, err)
			}
			n++
		}
		if n == 0 {
			return fmt.Errorf("action %d: the game is over before it", played+1)
		}
		if _, err := r.Play(actions[:n:n]...); err != nil {
			return err
		}
		played, actions = played+n, actions[n:]
	}
	return nil
}
