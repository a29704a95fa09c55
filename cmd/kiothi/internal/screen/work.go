package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"kiothi/agent"
	"kiothi/cmd/internal/record"
	"kiothi/env/mancala"
)

// This file is what goes on beside the screen: agents that think, and time that passes.

// The messages. Each carries the number of its question.
type (
	// answerMsg is an agent's turn.
	answerMsg struct {
		id      int
		actions []mancala.Action
		err     error
	}
	// adviceMsg is a hint.
	adviceMsg struct {
		id     int
		state  mancala.State
		advice agent.Advice
		err    error
	}
	stepMsg struct{ id int } // the next step of a turn is to be shown
	restMsg struct{ id int } // the rest between two turns is over
	spinMsg struct{ id int } // someone is still thinking
)

// ask asks the agent whose turn it is.
func (m *Model) ask() tea.Cmd {
	seat := m.seats[m.record.State().Player]
	question := m.record.Ask(seat, m.options.Seed)
	id, ctx := m.id, m.ctx
	m.thinking = true
	m.working.Add(1)
	return tea.Batch(func() tea.Msg {
		defer m.working.Done()
		actions, err := question(ctx)
		return answerMsg{id, actions, err}
	}, m.spin())
}

// answered plays an agent's turn.
func (m *Model) answered(msg answerMsg) tea.Cmd {
	if msg.id != m.id {
		return nil
	}
	m.thinking = false
	if msg.err != nil {
		m.paused = m.watching()
		m.fail(msg.err.Error() + " (n asks again)")
		return nil
	}
	return m.play(msg.actions, false)
}

// consult asks the adviser about the position.
func (m *Model) consult() tea.Cmd {
	s := m.record.State()
	switch {
	case m.options.Adviser == nil:
		m.fail("no hint: no agent here has a network to judge with; name one by --hints zero:PATH")
		return nil
	case s.Over():
		m.fail("no hint: the game is over")
		return nil
	case m.thinking || m.show != nil || m.watching() && !m.paused:
		m.fail("no hint now: ask when it is your turn, or pause with the space bar")
		return nil
	case m.asked:
		return nil
	}
	id, ctx, adviser := m.id, m.ctx, m.options.Adviser
	m.asked, m.hint = true, ""
	m.say("")
	m.working.Add(1)
	return tea.Batch(func() tea.Msg {
		defer m.working.Done()
		advice, err := adviser.Advise(ctx, &s)
		return adviceMsg{id, s, advice, err}
	}, m.spin())
}

// advised shows a hint, and puts the cursor on its move.
func (m *Model) advised(msg adviceMsg) {
	if msg.id != m.id {
		return
	}
	m.asked = false
	if msg.err != nil {
		m.fail("no hint: " + msg.err.Error())
		return
	}
	chances, line := record.Describe(m.record.Game(), msg.state, &msg.advice)
	m.hint = m.options.AdviserName + ": " + chances + "\n" + line
	if m.pick != nil {
		m.pick.choose(msg.advice.Line[0])
	}
}

// tick shows the next step of a turn, and the one after it when its time has come.
func (m *Model) tick() tea.Cmd {
	if m.show.over() || m.speed == Off {
		return m.skip()
	}
	m.ticks++
	id := m.ticks
	return m.after(m.show.advance(m.speed), func(time.Time) tea.Msg { return stepMsg{id} })
}

// step goes on with the turn that is being shown, unless it has been frozen or skipped meanwhile.
func (m *Model) step(msg stepMsg) tea.Cmd {
	if m.show == nil || msg.id != m.ticks || m.frozen {
		return nil
	}
	return m.tick()
}

// stepOnce shows the next step of a turn that is frozen.
func (m *Model) stepOnce() tea.Cmd {
	if m.show.over() || m.speed == Off {
		return m.skip()
	}
	m.ticks++
	m.show.advance(m.speed)
	return nil
}

// skip ends the showing of a turn.
func (m *Model) skip() tea.Cmd {
	m.show = nil
	return m.settled()
}

// restThen waits before the next turn of agents that are being watched.
func (m *Model) restThen() tea.Cmd {
	id := m.id
	return m.after(m.speed.rest(), func(time.Time) tea.Msg { return restMsg{id} })
}

// spin turns the spinner.
func (m *Model) spin() tea.Cmd {
	id := m.id
	return m.after(120*time.Millisecond, func(time.Time) tea.Msg { return spinMsg{id} })
}
