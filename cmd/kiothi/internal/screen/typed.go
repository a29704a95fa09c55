package screen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"kiothi/cmd/internal/record"
	"kiothi/env/mancala"
)

// This file is what happens with a line that was typed: a move, or the name of a file.

// typedKey edits the line, or takes it.
func (m *Model) typedKey(name, text string) tea.Cmd {
	p := m.typing
	switch name {
	case "esc":
		m.typing = nil
		m.say("")
	case "enter":
		return m.take()
	case "backspace":
		p.erase()
		if p.text == "" && p.purpose == toMove {
			m.typing = nil
		}
	case "ctrl+u":
		p.text = ""
	default:
		p.insert(text)
	}
	m.preview()
	return nil
}

// preview puts the cursor where a move that is being typed would be played.
func (m *Model) preview() {
	if m.typing == nil || m.typing.purpose != toMove || m.pick == nil {
		return
	}
	s := m.record.State()
	if a, err := m.record.Game().ParseAction(&s, m.typing.text); err == nil && m.pick.choose(a) {
		return
	}
	if letters := []rune(m.typing.text); len(letters) > 0 {
		if pit, ok := mancala.PitByName(letters[0], m.record.Game().Width()); ok {
			m.pick.choosePit(pit)
		}
	}
}

// take does what the line was typed for.
func (m *Model) take() tea.Cmd {
	p := m.typing
	text := strings.TrimSpace(p.text)
	if text == "" {
		m.typing = nil
		return nil
	}
	switch p.purpose {
	case toSave:
		m.save(text)
	case toLoad:
		return m.load(text)
	default:
		m.typing = nil
		return m.typedMove(text)
	}
	return nil
}

// typedMove plays a move as the rules write it. Single steps of an opening go into the draft.
func (m *Model) typedMove(text string) tea.Cmd {
	if m.draft != nil && !strings.Contains(text, ":") {
		if err := m.typedStep(text); err != nil {
			m.refuse(err)
		} else if text == "=" && m.draft.complete() {
			return m.playDraft()
		}
		return nil
	}
	s := m.record.State()
	actions, err := m.record.Game().ParseTurn(&s, text)
	if err != nil {
		m.refuse(err)
		return nil
	}
	return m.play(actions, false)
}

// refuse says why a move was not played.
func (m *Model) refuse(err error) {
	text := err.Error()
	if illegal := (*mancala.IllegalError)(nil); errors.As(err, &illegal) {
		text = illegal.Text + ": " + illegal.Reason // without the action's number
	}
	m.fail("not played: " + text)
}

// typedStep does a step of an opening.
func (m *Model) typedStep(text string) error {
	if text == "=" {
		return m.draft.end()
	}
	rest, lift := strings.CutPrefix(text, "+")
	rest, place := strings.CutPrefix(rest, ">")
	letters := []rune(rest)
	if lift == place || len(letters) != 1 {
		return fmt.Errorf("%q is no step of an opening: expected +e, = or >c, or a whole turn such as eh:a3c2J5", text)
	}
	pit, ok := mancala.PitByName(letters[0], m.record.Game().Width())
	if !ok {
		return fmt.Errorf("there is no pit %q", letters[0])
	}
	m.draft.pit = pit
	if lift {
		return m.draft.lift(pit)
	}
	return m.draft.place(pit, 1)
}

// save saves the game. A file that is there already, and is not the game's own, is replaced by one more Enter only.
func (m *Model) save(path string) {
	_, err := os.Stat(path)
	if err == nil && path != m.options.File && path != m.typing.replaced {
		m.typing.replaced = path
		m.fail(fmt.Sprintf("%s is there already: Enter replaces it, Esc leaves it", path))
		return
	}
	m.typing = nil
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = m.record.Save(path)
	}
	if err != nil {
		m.fail("not saved: " + err.Error())
		return
	}
	m.options.File = path
	m.say("saved to " + path)
}

// load goes on with a game from a file, of the same game and rule set, because the agents have been opened for these.
func (m *Model) load(path string) tea.Cmd {
	m.typing = nil
	rounds := 0
	if match, ok := m.record.Competition(); ok {
		rounds = match.MaxRounds()
	}
	loaded, err := record.Load(path, rounds)
	if err != nil {
		m.fail("not loaded: " + err.Error())
		return nil
	}
	here, there := m.record.Game(), loaded.Game()
	if here.Name() != there.Name() || here.Rules() != there.Rules() {
		m.fail(fmt.Sprintf("not loaded: it is a game of %s %s, here is played %s %s; leave, and begin with --load", there.Name(), there.Rules(), here.Name(), here.Rules()))
		return nil
	}
	m.record, m.options.File = loaded, path
	m.paused = m.watching()
	m.say("loaded " + path)
	return m.proceed()
}
