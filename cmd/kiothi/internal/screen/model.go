package screen

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"kiothi/agent"
	"kiothi/cmd/internal/record"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
)

// This file is the model: what is going on, and what happens next.

// Options is what is played, by whom, and how it is shown.
type Options struct {
	Record      *record.Record
	Seats       [2]record.Seat // South's and North's
	Adviser     agent.Adviser
	AdviserName string // of Adviser, when there is one
	Seed        uint64
	Speed       Speed
	File        string   // that the game was loaded from, if it was
	Environment []string // as os.Environ returns it
}

// A Model is the screen. It implements tea.Model.
type Model struct {
	record  *record.Record
	seats   [2]record.Seat
	options Options
	look    look
	speed   Speed
	bottom  mancala.Player // who sits at the bottom of the screen
	columns int
	lines   int

	// At most one of these is going on; none when the game is over, a round is over, or agents that play each other pause.
	pick     *picker  // a human picks a sowing
	draft    *draft   // a human builds an opening
	show     *showing // a turn is being shown
	thinking bool     // an agent is being asked

	typing *prompt
	help   bool
	paused bool   // agents that play each other wait
	frozen bool   // so does the turn that is shown
	frame  int    // of the spinner
	note   string // what the human should know about the last key
	failed bool   // the note is an error
	hint   string // what the adviser said about this position
	asked  bool   // the adviser is being asked

	id      int                // of the newest question; answers to older ones are dropped
	ticks   int                // of the newest step of a turn that is shown, for the same reason
	ctx     context.Context    // of all questions
	cancel  context.CancelFunc // stops the questions under way
	parent  context.Context
	working *sync.WaitGroup // the questions under way

	after func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // tea.Tick; tests do not wait
}

// New returns the screen of a game. Questions to agents stop with ctx.
func New(ctx context.Context, o Options) *Model {
	m := &Model{
		record: o.Record, seats: o.Seats, options: o, look: newLook(o.Environment), speed: o.Speed,
		columns: 80, lines: 24, parent: ctx, working: &sync.WaitGroup{}, after: tea.Tick,
	}
	if m.human(mancala.North) && !m.human(mancala.South) {
		m.bottom = mancala.North
	}
	m.ctx, m.cancel = context.WithCancel(ctx)
	return m
}

// Record returns the game as it stands.
func (m *Model) Record() *record.Record { return m.record }

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return m.proceed() }

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.columns, m.lines = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		if m.typing != nil {
			m.typing.insert(msg.Content)
			m.preview()
		}
	case answerMsg:
		return m, m.answered(msg)
	case adviceMsg:
		m.advised(msg)
	case stepMsg:
		return m, m.step(msg)
	case restMsg:
		if msg.id == m.id && !m.paused {
			return m, m.moveOn()
		}
	case spinMsg:
		if msg.id == m.id && (m.thinking || m.asked) {
			m.frame++
			return m, m.spin()
		}
	}
	return m, nil
}

// human reports whether a seat is a human's.
func (m *Model) human(p mancala.Player) bool { return m.seats[p].Human() }

// watching reports whether agents play each other.
func (m *Model) watching() bool { return !m.human(mancala.South) && !m.human(mancala.North) }

// changed forgets what belongs to the position before, and stops the questions about it.
func (m *Model) changed() {
	m.cancel()
	m.ctx, m.cancel = context.WithCancel(m.parent)
	m.id++
	m.pick, m.draft, m.show, m.thinking, m.asked, m.hint = nil, nil, nil, false, false, ""
	m.frozen = false
}

// say tells the human something; fail tells what went wrong.
func (m *Model) say(text string) { m.note, m.failed = text, false }
func (m *Model) fail(text string) {
	m.note, m.failed = text, true
}

// proceed begins what comes next where the record stands.
func (m *Model) proceed() tea.Cmd {
	m.changed()
	s := m.record.State()
	switch {
	case m.record.Over():
	case m.record.RoundOver():
		if m.watching() && !m.paused {
			return m.restThen()
		}
	case !m.human(s.Player):
		if m.watching() && m.paused {
			return nil
		}
		return m.ask()
	case s.Phase != mancala.Sow:
		if g, ok := m.record.Game().(*kiothi.Game); ok {
			m.draft = newDraft(g, s)
		}
	default:
		m.pick = newPicker(m.record.Game(), s, m.bottom)
	}
	return nil
}

// play plays a turn and shows it. What a human built on the board need not be shown again.
func (m *Model) play(actions []mancala.Action, shown bool) tea.Cmd {
	turn, err := m.record.Play(actions...)
	if err != nil {
		m.refuse(err)
		return nil
	}
	m.changed()
	m.say("")
	if m.speed == Off || shown {
		return m.settled()
	}
	show, err := newShowing(m.record.Game(), turn)
	if err != nil {
		return m.settled()
	}
	m.show = show
	return m.tick()
}

// settled goes on after a turn: at once, or after a rest when agents are being watched.
func (m *Model) settled() tea.Cmd {
	if !m.watching() || m.record.Over() {
		return m.proceed()
	}
	m.changed()
	if m.paused {
		return nil
	}
	return m.restThen()
}

// moveOn begins the next round, or what else comes next.
func (m *Model) moveOn() tea.Cmd {
	if m.record.RoundOver() {
		if err := m.record.Next(); err != nil {
			m.fail(err.Error())
			return nil
		}
		m.say("")
	}
	return m.proceed()
}

// undo goes back to before a human's last turn, or before the last turn when agents are being watched, which then pauses.
func (m *Model) undo() tea.Cmd {
	if m.draft != nil && m.draft.back() {
		m.say("")
		return nil
	}
	if !m.record.Undo(func(p mancala.Player) bool { return m.watching() || m.human(p) }) {
		m.fail("there is no move of yours to take back")
		return nil
	}
	m.paused = m.watching()
	m.say("taken back")
	return m.proceed()
}
