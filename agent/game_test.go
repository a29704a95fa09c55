package agent

import (
	"errors"
	"testing"
)

var errClosed = errors.New("closed")

// plain is an agent that has nothing to close, closing one that has, and starting one whose players for a game have.
type (
	plain    struct{ Agent }
	closing  struct{ Agent }
	starting struct{ Agent }
)

func (closing) Close() error { return errClosed }

func (starting) Start() Agent { return closing{} }

// Only what was made for a game ends with it.
func TestEndClosesThePlayerOfAGameAndNotTheAgent(t *testing.T) {
	for _, c := range []struct {
		name       string
		agent      Agent
		end, close error
	}{{"one without memory", plain{}, nil, nil}, {"one that is closed at the end of the program", closing{}, nil, errClosed}, {"one with memory", starting{}, errClosed, nil}} {
		if err := End(c.agent, Start(c.agent)); err != c.end {
			t.Errorf("%s: at the end of a game %v, expected %v", c.name, err, c.end)
		}
		if err := Close(c.agent); err != c.close {
			t.Errorf("%s: at the end of all games %v, expected %v", c.name, err, c.close)
		}
	}
}
