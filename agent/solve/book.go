package solve

import (
	"fmt"

	"kiothi/agent/solve/certificate"
)

// This file is a certificate as something to look results up in.

// A Book holds the claims of a certificate. It is immutable and safe for concurrent use.
type Book struct {
	game, rules string
	claims      *claims
}

// NewBook returns the book of a certificate, which the caller knows to be verified, for boards of the given width.
func NewBook(c *certificate.Certificate, width int) *Book {
	b := &Book{c.Game, c.Rules, newClaims(len(c.Claims))}
	for i := range c.Claims {
		l := &c.Claims[i]
		action := l.Action
		if l.AtMost {
			action = noAction
		}
		b.claims.add(claim{
			board: boardOf(&l.Position, width), bound: int8(l.Bound), atMost: l.AtMost,
			clocks: clocks{uint16(l.From), uint16(l.To)}, action: int16(action),
		})
	}
	return b
}

// check returns an error unless the book is of a game and rule set.
func (b *Book) check(game, rules string) error {
	if b.game != game || b.rules != rules {
		return fmt.Errorf("the book is of %s %s, expected %s %s", b.game, b.rules, game, rules)
	}
	return nil
}
