package mancala

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// This file is the text of positions (rules, section 5): six fields, each with one spelling for each value.

// A Board is what the text of a position needs to know of a game.
type Board struct {
	Width      int
	Seeds      int  // the most seeds in pits, stores and hand together
	ClockLimit int  // the largest clock
	Marks      bool // pits can be marked
	Opening    bool // the phases lift and place exist
	Closing    bool // pits can be closed
}

// PitName returns the letter of an absolute pit: South's in lower case, North's in upper case.
func PitName(i, width int) byte {
	if i >= width {
		return byte('A' + i - width)
	}
	return byte('a' + i)
}

// PitByName returns the absolute pit of a letter, and whether there is one.
func PitByName(letter rune, width int) (int, bool) {
	switch {
	case letter >= 'a' && int(letter-'a') < width:
		return int(letter - 'a'), true
	case letter >= 'A' && int(letter-'A') < width:
		return width + int(letter-'A'), true
	}
	return 0, false
}

// Format writes a state in the text of positions.
func (b Board) Format(s *State) string {
	text := make([]byte, 0, 96)
	for side := range s.Rows {
		if side > 0 {
			text = append(text, '/')
		}
		for i := range b.Width {
			if i > 0 {
				text = append(text, ',')
			}
			if s.Closed>>(side*b.Width+i)&1 != 0 {
				text = append(text, 'x')
			} else {
				text = strconv.AppendInt(text, int64(s.Rows[side].At(i)), 10)
			}
		}
	}
	text = append(text, ' ')
	if s.Marks == 0 {
		text = append(text, '-')
	}
	for set := s.Marks; set != 0; set &= set - 1 {
		text = append(text, PitName(bits.TrailingZeros32(set), b.Width))
	}
	text = fmt.Appendf(text, " %d-%d %c %s", s.Stores[South], s.Stores[North], "SN"[s.Player], s.Phase)
	switch s.Phase {
	case Lift:
		if s.Lifted != 0 {
			text = fmt.Appendf(text, "(%d):", s.Hand)
		}
		for set := s.Lifted; set != 0; set &= set - 1 {
			text = append(text, PitName(Absolute(s.Player, bits.TrailingZeros16(set), b.Width), b.Width))
		}
	case Place:
		text = fmt.Appendf(text, "(%d)", s.Hand)
		if s.Last != NoPit {
			text = append(text, ':', PitName(Absolute(s.Player, int(s.Last), b.Width), b.Width))
		}
	}
	text = append(text, ' ')
	return string(strconv.AppendInt(text, int64(s.Clock), 10))
}

// Parse reads a position. It checks all that a Board knows; whether a phase can be under the rule set, and whether the
// game is over, is left to the engine. Errors name the field and what is wrong with it.
func (b Board) Parse(position string) (State, error) {
	s := State{Last: NoPit}
	fields := strings.Split(position, " ")
	if len(fields) != 6 {
		return State{}, fmt.Errorf("position %q: found %d fields, expected 6: pits, marks, stores, side, phase, clock, with one space between them", position, len(fields))
	}
	readers := []struct {
		field string
		read  func(*State, string) error
	}{
		{"pits", b.parsePits}, {"marks", b.parseMarks}, {"stores", b.parseStores},
		{"side", parseSide}, {"phase", b.parsePhase}, {"clock", b.parseClock},
	}
	for i, reader := range readers {
		if err := reader.read(&s, fields[i]); err != nil {
			return State{}, fmt.Errorf("position %q: %s %q: %w", position, reader.field, fields[i], err)
		}
	}
	// Pits and stores are bounded one by one above, so that this sum cannot be wrong; see parsePits.
	if total := s.Total(); total > b.Seeds {
		return State{}, fmt.Errorf("position %q: pits, stores and hand hold %d seeds together, over the rule set's %d", position, total, b.Seeds)
	}
	return s, nil
}

func (b Board) parsePits(s *State, field string) error {
	rows := strings.Split(field, "/")
	if len(rows) != 2 {
		return fmt.Errorf("found %d rows, expected South's, a slash, and North's", len(rows))
	}
	total := 0
	for side, row := range rows {
		pits := strings.Split(row, ",")
		if len(pits) != b.Width {
			return fmt.Errorf("found %d pits in %s's row, expected %d", len(pits), Player(side), b.Width)
		}
		for i, pit := range pits {
			if pit == "x" && b.Closing {
				s.Closed |= 1 << (side*b.Width + i)
				continue
			}
			n, err := Number(pit, 0, b.Seeds)
			if err != nil {
				return fmt.Errorf("pit %c: %w", PitName(side*b.Width+i, b.Width), err)
			}
			if total += n; total > b.Seeds {
				return fmt.Errorf("the pits hold more than the rule set's %d seeds", b.Seeds)
			}
			s.Rows[side] = s.Rows[side].With(i, n)
		}
	}
	return nil
}

func (b Board) parseMarks(s *State, field string) error {
	if field == "-" {
		return nil
	}
	if !b.Marks {
		return fmt.Errorf("this rule set has no marks, expected -")
	}
	previous := -1
	for _, letter := range field {
		pit, ok := PitByName(letter, b.Width)
		if !ok {
			return fmt.Errorf("there is no pit %q", letter)
		}
		if pit <= previous {
			return fmt.Errorf("pit %c is out of order: South's pits come first, each row from its owner's left, each pit once", letter)
		}
		previous = pit
		s.Marks |= 1 << pit
	}
	if s.Marks == 0 {
		return fmt.Errorf("expected the letters of the marked pits, or -")
	}
	return nil
}

func (b Board) parseStores(s *State, field string) error {
	south, north, ok := strings.Cut(field, "-")
	if !ok {
		return fmt.Errorf("expected South's store, a hyphen, and North's")
	}
	for side, text := range []string{south, north} {
		n, err := Number(text, 0, b.Seeds)
		if err != nil {
			return fmt.Errorf("%s's store: %w", Player(side), err)
		}
		s.Stores[side] = uint8(n)
	}
	return nil
}

func parseSide(s *State, field string) error {
	switch field {
	case "S":
		s.Player = South
	case "N":
		s.Player = North
	default:
		return fmt.Errorf("expected S or N")
	}
	return nil
}

func (b Board) parsePhase(s *State, field string) error {
	if field == "sow" {
		return nil
	}
	expected := "sow"
	if b.Opening {
		expected = "sow, lift, lift(5):e, place(12) or place(7):c"
	}
	word, rest, _ := strings.Cut(field, "(")
	if !b.Opening || word != "lift" && word != "place" || word == "place" && rest == "" {
		return fmt.Errorf("expected %s", expected)
	}
	s.Opening = 2 - uint8(s.Player) // South takes the first of the two opening turns
	s.Phase = Lift
	if word == "place" {
		s.Phase = Place
	}
	if field == "lift" {
		return nil
	}
	hand, pits, ok := strings.Cut(rest, ")")
	if !ok {
		return fmt.Errorf("expected %s", expected)
	}
	n, err := Number(hand, 1, b.Seeds)
	if err != nil {
		return fmt.Errorf("hand: %w", err)
	}
	s.Hand = uint8(n)
	if s.Phase == Place && pits == "" {
		return nil
	}
	letters, ok := strings.CutPrefix(pits, ":")
	if !ok || letters == "" || s.Phase == Place && len(letters) != 1 {
		return fmt.Errorf("expected %s", expected)
	}
	return b.parsePhasePits(s, letters)
}

// parsePhasePits reads the pits lifted so far, or the pit last placed in.
func (b Board) parsePhasePits(s *State, letters string) error {
	previous := -1
	for _, letter := range letters {
		pit, ok := PitByName(letter, b.Width)
		if !ok {
			return fmt.Errorf("there is no pit %q", letter)
		}
		r := Relative(s.Player, pit, b.Width)
		if s.Phase == Place {
			s.Last = int8(r)
			return nil
		}
		if r >= b.Width {
			return fmt.Errorf("pit %c is not %s's: only own pits are lifted", letter, s.Player)
		}
		if r <= previous {
			return fmt.Errorf("pit %c is out of order: pits are lifted from left to right, each once", letter)
		}
		if s.Rows[s.Player].At(r) != 0 {
			return fmt.Errorf("pit %c holds seeds, but a lifted pit is empty until seeds are placed", letter)
		}
		previous = r
		s.Lifted |= 1 << r
	}
	return nil
}

func (b Board) parseClock(s *State, field string) error {
	n, err := Number(field, 0, b.ClockLimit)
	if err != nil {
		return err
	}
	s.Clock = uint16(n)
	return nil
}
