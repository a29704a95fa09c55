package screen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kiothi/env/mancala"
	"kiothi/env/sowing"
)

// This file picks a sowing with the arrow keys: a pit, and how many of its seeds.

// A picker goes through the legal sowings of a position. Its pits stand in the order of the screen.
type picker struct {
	game  mancala.Game
	state mancala.State
	pits  []pitChoice
	at    int // the chosen one of pits
}

// A pitChoice is a pit from which something may be sown.
type pitChoice struct {
	pit    int // absolute
	counts []countChoice
	at     int // the chosen one of counts
}

// A countChoice is a number of seeds that may be sown from a pit.
type countChoice struct {
	seeds  int
	action mancala.Action
}

// newPicker returns a picker for a position in which something can be sown, seen by the player who sits at the bottom. It
// begins with the pit nearest to the mover's middle, and with all its seeds where that is legal.
func newPicker(g mancala.Game, s mancala.State, bottom mancala.Player) *picker {
	p := &picker{game: g, state: s}
	width := g.Width()
	for _, a := range g.AppendLegal(nil, &s) {
		text := g.ActionText(&s, a)
		pit, ok := mancala.PitByName(rune(text[0]), width)
		if !ok {
			continue
		}
		seeds := s.Rows[pit/width].At(pit % width)
		if number, err := strconv.Atoi(text[1:]); err == nil {
			seeds = number
		}
		if n := len(p.pits); n == 0 || p.pits[n-1].pit != pit {
			p.pits = append(p.pits, pitChoice{pit: pit})
		}
		last := &p.pits[len(p.pits)-1]
		last.counts = append(last.counts, countChoice{seeds, a})
		last.at = len(last.counts) - 1
	}
	slices.SortFunc(p.pits, func(a, b pitChoice) int {
		return cmp.Compare(column(a.pit, width, bottom), column(b.pit, width, bottom))
	})
	p.at = len(p.pits) / 2
	return p
}

// column returns where a pit stands on the screen when a player sits at the bottom, from the left.
func column(pit, width int, bottom mancala.Player) int {
	if mancala.Player(pit/width) == bottom {
		return pit % width
	}
	return width - 1 - pit%width
}

// chosen returns the chosen pit.
func (p *picker) chosen() *pitChoice { return &p.pits[p.at] }

// action returns the chosen action.
func (p *picker) action() mancala.Action { return p.chosen().counts[p.chosen().at].action }

// sideways goes to the next pit on the screen, and around at its end.
func (p *picker) sideways(by int) { p.at = (p.at + by + len(p.pits)) % len(p.pits) }

// more goes to the next larger or, with by -1, smaller number of seeds that is legal. It returns why the numbers between
// are not, and nothing when there are none between.
func (p *picker) more(by int) string {
	c := p.chosen()
	before := c.counts[c.at].seeds
	if next := c.at + by; next >= 0 && next < len(c.counts) {
		c.at = next
		return p.why(before+by, c.counts[next].seeds, by)
	}
	// There is no legal one: say why, if the pit has as many seeds.
	width := p.game.Width()
	end := 0
	if by > 0 {
		end = p.state.Rows[c.pit/width].At(c.pit%width) + 1
	}
	return p.why(before+by, end, by)
}

// why says why the first number of seeds, of those from one up or down to before another, is illegal.
func (p *picker) why(from, to, by int) string {
	if from == to {
		return ""
	}
	pit := mancala.PitName(p.chosen().pit, p.game.Width())
	a, err := p.game.ParseAction(&p.state, fmt.Sprintf("%c%d", pit, from))
	if err != nil {
		return ""
	}
	s := p.state
	_, err = p.game.Play(&s, a)
	var illegal *mancala.IllegalError
	if !errors.As(err, &illegal) {
		return ""
	}
	return fmt.Sprintf("not %d: %s", from, illegal.Reason)
}

// choose goes to an action, and reports whether it is among the legal ones.
func (p *picker) choose(a mancala.Action) bool {
	for i := range p.pits {
		for j, c := range p.pits[i].counts {
			if c.action == a {
				p.at, p.pits[i].at = i, j
				return true
			}
		}
	}
	return false
}

// choosePit goes to a pit, if something may be sown from it.
func (p *picker) choosePit(pit int) {
	if i := slices.IndexFunc(p.pits, func(c pitChoice) bool { return c.pit == pit }); i >= 0 {
		p.at = i
	}
}

// target returns the pit in which the first lap of the chosen sowing ends.
func (p *picker) target() int {
	events, err := sowing.Events(p.game, p.state, p.action())
	pit := noPit
	if err != nil {
		return pit
	}
	for e := range events {
		if e.Lap > 1 {
			break
		}
		if e.Kind == sowing.Drop {
			pit = e.Pit
		}
	}
	return pit
}

// tell says what is chosen, and what else could be.
func (p *picker) tell() string {
	width := p.game.Width()
	c := p.chosen()
	text := fmt.Sprintf("%c: sow %s", mancala.PitName(c.pit, width), seeds(c.counts[c.at].seeds))
	if target := p.target(); target != noPit {
		text += fmt.Sprintf(", the first lap ends in %c", mancala.PitName(target, width))
	}
	if len(c.counts) > 1 {
		var others []string
		for i, other := range c.counts {
			number := strconv.Itoa(other.seeds)
			if i == c.at {
				number = "[" + number + "]"
			}
			others = append(others, number)
		}
		text += "; possible: " + strings.Join(others, " ")
	}
	return text
}

// seeds returns a number of seeds in words.
func seeds(n int) string {
	if n == 1 {
		return "1 seed"
	}
	return fmt.Sprintf("%d seeds", n)
}
