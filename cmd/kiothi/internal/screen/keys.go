package screen

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"kiothi/env/mancala"
)

// This file is what the keys do. The letters of pits begin a typed move, so that no command is one of them.

// key does what a key says.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch {
	case name == "ctrl+c":
		return m.quit()
	case name == "ctrl+z":
		return tea.Suspend
	case m.help:
		m.help = false
		return nil
	case m.typing != nil:
		return m.typedKey(name, msg.Text)
	}
	if cmd, done := m.command(name); done {
		return cmd
	}
	switch {
	case m.show != nil:
		return m.showKey(name)
	case m.begins(msg.Text):
		m.beginMove(msg.Text)
	case m.pick != nil:
		return m.pickKey(name)
	case m.draft != nil:
		return m.draftKey(name)
	case name == "enter" || name == "space" || name == "n":
		return m.goOn(name)
	}
	return nil
}

// command carries out the keys that mean the same all the time, and reports whether it was one of them.
func (m *Model) command(name string) (cmd tea.Cmd, done bool) {
	switch name {
	case "q":
		return m.quit(), true
	case "?", "f1":
		m.help = true
	case "u", "backspace":
		return m.undo(), true
	case "t":
		return m.consult(), true
	case "s":
		m.typing = &prompt{purpose: toSave, text: m.options.File}
		if m.options.File == "" {
			m.typing.text = "game.jsonl"
		}
	case "l":
		m.typing = &prompt{purpose: toLoad, text: m.options.File}
	case "v":
		m.turnBoard()
	case "p":
		s := m.record.State()
		m.say(m.record.Game().Format(&s))
	case "[":
		m.speed = m.speed.change(-1)
	case "]":
		m.speed = m.speed.change(1)
	default:
		return nil, false
	}
	return nil, true
}

// quit leaves.
func (m *Model) quit() tea.Cmd {
	m.cancel()
	m.id++
	return tea.Quit
}

// turnBoard seats the other player at the bottom.
func (m *Model) turnBoard() {
	m.bottom = m.bottom.Other()
	if m.pick != nil {
		chosen := m.pick.action()
		m.pick = newPicker(m.record.Game(), m.record.State(), m.bottom)
		m.pick.choose(chosen)
	}
}

// showKey skips the turn that is shown. Of agents that are being watched it can also be stopped, and stepped through.
func (m *Model) showKey(name string) tea.Cmd {
	switch {
	case m.watching() && name == "space":
		return m.pause()
	case m.watching() && name == "n":
		m.paused, m.frozen = true, true
		return m.stepOnce()
	case name == "enter" || name == "space" || name == "esc":
		return m.skip()
	}
	return nil
}

// goOn is for when nobody is to pick anything: the next round, a pause, a single turn, an agent that failed.
func (m *Model) goOn(name string) tea.Cmd {
	switch {
	case m.record.Over():
	case m.watching() && name == "space":
		return m.pause()
	case m.thinking:
	case m.watching():
		m.paused = true
		return m.single()
	default:
		return m.moveOn()
	}
	return nil
}

// pause stops the agents that play each other, in the middle of a turn too, or lets them go on.
func (m *Model) pause() tea.Cmd {
	m.say("")
	switch m.paused = !m.paused; {
	case m.show != nil:
		if m.frozen = m.paused; !m.frozen {
			return m.tick()
		}
	case !m.paused:
		return m.moveOn()
	case m.thinking:
		m.changed()
	}
	return nil
}

// single lets the agents that pause play one turn, or begins the next round.
func (m *Model) single() tea.Cmd {
	if m.record.RoundOver() {
		return m.moveOn()
	}
	m.changed()
	m.say("")
	return m.ask()
}

// pickKey moves the cursor over the legal sowings, or plays one.
func (m *Model) pickKey(name string) tea.Cmd {
	switch name {
	case "left":
		m.pick.sideways(-1)
		m.say("")
	case "right":
		m.pick.sideways(1)
		m.say("")
	case "up":
		m.say(m.pick.more(1))
	case "down":
		m.say(m.pick.more(-1))
	case "enter", "space":
		return m.play([]mancala.Action{m.pick.action()}, false)
	}
	return nil
}

// draftKey builds the opening.
func (m *Model) draftKey(name string) tea.Cmd {
	d := m.draft
	m.say("")
	var err error
	switch name {
	case "left":
		d.sideways(-1, m.bottom)
	case "right":
		d.sideways(1, m.bottom)
	case "up", "down":
		d.across()
	case "enter", "space":
		switch {
		case d.complete():
			return m.playDraft()
		case d.lifting():
			err = d.lift(d.pit)
		default:
			err = d.place(d.pit, 1)
		}
	default:
		if len(name) == 1 && name[0] >= '1' && name[0] <= '9' && !d.lifting() {
			err = d.place(d.pit, int(name[0]-'0'))
		}
	}
	if err != nil {
		m.fail(err.Error())
	}
	return nil
}

// playDraft plays the opening that was built.
func (m *Model) playDraft() tea.Cmd {
	actions, err := m.draft.actions()
	if err != nil {
		m.refuse(err)
		return nil
	}
	return m.play(actions, true)
}

// begins reports whether a key begins a typed move.
func (m *Model) begins(text string) bool {
	if m.pick == nil && m.draft == nil || text == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	if _, pit := mancala.PitByName(r, m.record.Game().Width()); pit {
		return true
	}
	return m.pick != nil && r >= '1' && r <= '9' || m.draft != nil && strings.ContainsRune("+=>", r)
}

// beginMove begins a typed move. A digit alone is for the pit under the cursor.
func (m *Model) beginMove(text string) {
	m.typing = &prompt{purpose: toMove}
	if m.pick != nil && text[0] >= '1' && text[0] <= '9' {
		m.typing.insert(string(mancala.PitName(m.pick.chosen().pit, m.record.Game().Width())))
	}
	m.typing.insert(text)
	m.say("")
	m.preview()
}
