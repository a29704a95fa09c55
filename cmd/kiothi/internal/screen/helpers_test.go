package screen

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/cmd/internal/record"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file drives a model by keys, as the terminal would.

// A driver is a model and the commands that it has asked for.
type driver struct {
	t     *testing.T
	model *Model
	due   []tea.Cmd
}

// setup is how a test differs from two humans at Kiothi who are not shown how turns go.
type setup struct {
	game, position string
	rounds         int
	seats          [2]record.Seat
	adviser        agent.Adviser
	shown          bool // turns are shown, at speed Normal
	environment    []string
}

func drive(t *testing.T, s setup) *driver {
	t.Helper()
	if s.game == "" {
		s.game = "kiothi"
	}
	g, err := games.Open(s.game, "")
	if err != nil {
		t.Fatal(err)
	}
	start := g.Start()
	if s.position != "" {
		if start, err = g.Parse(s.position); err != nil {
			t.Fatal(err)
		}
	}
	r := record.New(g, start)
	if s.rounds > 0 {
		if r, err = record.NewCompetition(g, s.rounds); err != nil {
			t.Fatal(err)
		}
	}
	for i := range s.seats {
		if s.seats[i].Name == "" {
			s.seats[i].Name = "you"
		}
	}
	speed := Off
	if s.shown {
		speed = Normal
	}
	m := New(t.Context(), Options{
		Record: r, Seats: s.seats, Adviser: s.adviser, AdviserName: "oracle", Seed: 1, Speed: speed,
		Environment: append([]string{"LANG=C.UTF-8", "NO_COLOR=1"}, s.environment...),
	})
	m.after = func(_ time.Duration, message func(time.Time) tea.Msg) tea.Cmd {
		return func() tea.Msg { return message(time.Time{}) }
	}
	d := &driver{t: t, model: m}
	d.do(m.Init())
	return d
}

// bot seats an agent of package scripted.
func bot(t *testing.T, game, spec string) record.Seat {
	t.Helper()
	g, err := games.Open(game, "")
	if err != nil {
		t.Fatal(err)
	}
	a, err := scripted.Kinds().Open(g, spec)
	if err != nil {
		t.Fatal(err)
	}
	return record.Seat{Name: spec, Agent: a}
}

// do remembers a command.
func (d *driver) do(cmd tea.Cmd) {
	if cmd != nil {
		d.due = append(d.due, cmd)
	}
}

// send sends a message.
func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.model.Update(msg)
	d.do(cmd)
	d.look()
}

// look checks what must always hold of a screen: its size.
func (d *driver) look() string {
	d.t.Helper()
	text := d.model.View().Content
	lines := strings.Split(text, "\n")
	if len(lines) > d.model.lines {
		d.t.Fatalf("the screen has %d lines, more than %d:\n%s", len(lines), d.model.lines, text)
	}
	for _, line := range lines {
		if w := lipgloss.Width(line); w > d.model.columns {
			d.t.Fatalf("a line has %d columns, more than %d: %q", w, d.model.columns, line)
		}
	}
	return escapes.ReplaceAllString(text, "")
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// keys presses keys: names such as "left", and any other word as the text that is typed.
func (d *driver) keys(names ...string) {
	d.t.Helper()
	special := map[string]tea.Key{
		"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace},
		"space": {Code: tea.KeySpace, Text: " "}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	}
	for _, name := range names {
		if key, ok := special[name]; ok {
			d.send(tea.KeyPressMsg(key))
			continue
		}
		for _, r := range name {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// settle carries out the commands that are due, and those that come of them, until there are none or a number was done.
// Spinners turn for ever: they are left out.
func (d *driver) settle(most int) {
	d.t.Helper()
	for ; len(d.due) > 0 && most > 0; most-- {
		cmd := d.due[0]
		d.due = d.due[1:]
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			d.due = append(d.due, msg[0]) // the work; the other one is the spinner
		case nil:
		default:
			d.send(msg)
		}
	}
}

// sees checks that texts stand on the screen.
func (d *driver) sees(texts ...string) {
	d.t.Helper()
	screen := d.look()
	flat := strings.Join(strings.Fields(screen), " ") // texts may be wrapped
	for _, text := range texts {
		if !strings.Contains(screen, text) && !strings.Contains(flat, text) {
			d.t.Errorf("the screen lacks %q:\n%s", text, screen)
		}
	}
}

// misses checks that texts do not stand on the screen.
func (d *driver) misses(texts ...string) {
	d.t.Helper()
	screen := d.look()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			d.t.Errorf("the screen has %q:\n%s", text, screen)
		}
	}
}

// at checks where the game stands.
func (d *driver) at(position string) {
	d.t.Helper()
	s := d.model.record.State()
	if got := d.model.record.Game().Format(&s); got != position {
		d.t.Errorf("the game stands at %q, want %q", got, position)
	}
}

// quits reports whether one of the commands that are due ends the program.
func (d *driver) quits() bool {
	for _, cmd := range d.due {
		if _, ok := cmd().(tea.QuitMsg); ok {
			return true
		}
	}
	return false
}

// oracle is an adviser that plays the first legal action.
type oracle struct{ game mancala.Game }

func (o oracle) Choose(_ context.Context, s *mancala.State, _ *rand.Rand) (mancala.Action, error) {
	return o.game.AppendLegal(nil, s)[0], nil
}

func (o oracle) Advise(ctx context.Context, s *mancala.State) (agent.Advice, error) {
	if err := ctx.Err(); err != nil {
		return agent.Advice{}, err
	}
	a, err := o.Choose(ctx, s, nil)
	return agent.Advice{Win: 0.63, Draw: 0.04, Loss: 0.33, Margin: 4.2, Line: []mancala.Action{a}}, err
}

// broken is an agent that fails.
type broken struct{}

func (broken) Choose(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
	return 0, errors.New("the network's answer is \x1b[2Jnot finite\nat all")
}

// ascii reports whether a text has no other characters.
func ascii(text string) bool { return utf8.RuneCountInString(text) == len(text) }

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }
