package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// openSubject returns our own environment of a game.
func openSubject(t *testing.T, game, rules string) Subject {
	t.Helper()
	g, err := games.Open(game, rules)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Of(g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOurEnvironmentsConform(t *testing.T) {
	for _, e := range games.All() {
		sets := TraceSets(e)
		if testing.Short() {
			sets = sets[:len(e.Sets)]
		}
		for _, set := range sets {
			t.Run(set.String(), func(t *testing.T) {
				r, err := Check(t.Context(), openSubject(t, set.Game, set.Rules), Options{Seed: 3, Games: 2})
				if err != nil {
					t.Fatal(err)
				}
				if r.Failed() > 0 || len(r.Results) != len(checks) {
					t.Errorf("%d of %d checks failed", r.Failed(), len(r.Results))
					if err := r.Print(t.Output()); err != nil {
						t.Error(err)
					}
				}
				for _, result := range r.Results {
					if result.Trials == 0 {
						t.Errorf("%s tried nothing", result.Name)
					}
				}
			})
		}
	}
}

// A faulty environment does as the one within, but for its fault.
type faulty struct {
	Environment
	*fault
	episode int
	player  mancala.Player // to move before the last step
}

// A fault is what an environment, its observer or its game does wrong. What is nil is right.
type fault struct {
	options  func(env.Options) env.Options // before New
	refusal  func(error) error             // what New refuses
	box      func(*env.Box)
	discrete func(*env.Discrete)
	reset    func(*faulty, *env.Timestep)
	step     func(*faulty, mancala.Action) (env.Timestep, error) // in place of Step
	stepped  func(*faulty, mancala.Action, *env.Timestep, error) error
	mask     func(*faulty, []bool)
	legal    func(*faulty, []mancala.Action) []mancala.Action
	sample   func(*faulty) (mancala.Action, error)
	state    func(*faulty, *mancala.State)
	game     func(mancala.Game) mancala.Game
	observer func(Observer) Observer
}

// plant returns the subject with a fault.
func (f *fault) plant(s Subject) Subject {
	right := s.New
	s.New = func(o env.Options) (Environment, error) {
		if f.options != nil {
			o = f.options(o)
		}
		e, err := right(o)
		if err != nil && f.refusal != nil {
			if err = f.refusal(err); err == nil {
				e, err = right(env.Options{})
			}
		}
		if err != nil {
			return nil, err
		}
		return &faulty{Environment: e, fault: f}, nil
	}
	if f.game != nil {
		s.Game = f.game(s.Game)
	}
	if f.observer != nil {
		s.Observer = f.observer(s.Observer)
	}
	return s
}

func (f *faulty) ObservationSpace() env.Box {
	b := f.Environment.ObservationSpace()
	if f.box != nil {
		b.Planes = slices.Clone(b.Planes)
		f.box(&b)
	}
	return b
}

func (f *faulty) ActionSpace() env.Discrete {
	d := f.Environment.ActionSpace()
	if f.discrete != nil {
		f.discrete(&d)
	}
	return d
}

func (f *faulty) Reset(seed uint64) env.Timestep {
	t := f.Environment.Reset(seed)
	f.episode++
	if f.reset != nil {
		f.reset(f, &t)
	}
	return t
}

func (f *faulty) Step(a mancala.Action) (env.Timestep, error) {
	step := f.Environment.Step
	if f.step != nil {
		step = func(a mancala.Action) (env.Timestep, error) { return f.fault.step(f, a) }
	}
	f.player = f.Environment.State().Player
	t, err := step(a)
	if f.stepped != nil {
		err = f.stepped(f, a, &t, err)
	}
	return t, err
}

func (f *faulty) ActionMask(dst []bool) {
	f.Environment.ActionMask(dst[:min(len(dst), f.Environment.ActionSpace().N)])
	if f.mask != nil {
		f.mask(f, dst)
	}
}

func (f *faulty) Legal() []mancala.Action {
	legal := f.Environment.Legal()
	if f.legal != nil {
		legal = f.legal(f, slices.Clone(legal))
	}
	return legal
}

func (f *faulty) SampleAction() (mancala.Action, error) {
	if f.sample != nil {
		return f.sample(f)
	}
	return f.Environment.SampleAction()
}

func (f *faulty) State() mancala.State {
	s := f.Environment.State()
	if f.state != nil {
		f.state(f, &s)
	}
	return s
}

// after returns a fault of the timesteps that Step returns, as long as it accepts the action.
func after(change func(f *faulty, t *env.Timestep)) fault {
	return fault{stepped: func(f *faulty, _ mancala.Action, t *env.Timestep, err error) error {
		if err == nil {
			change(f, t)
		}
		return err
	}}
}

// stepsAfterTruncation returns a fault that says that a game is cut short, and lets it go on.
func stepsAfterTruncation() fault {
	limit := 0
	return fault{
		options: func(o env.Options) env.Options {
			limit, o.StepLimit = o.StepLimit, min(o.StepLimit, 0)
			return o
		},
		stepped: func(_ *faulty, _ mancala.Action, t *env.Timestep, err error) error {
			t.Truncated = limit > 0 && t.Info.Steps >= limit
			return err
		},
	}
}

// textGame is a game with wrong texts.
type textGame struct {
	mancala.Game
	format, action func(string) string
	turn           func(string) string
}

func (g textGame) Format(s *mancala.State) string {
	if g.format == nil {
		return g.Game.Format(s)
	}
	return g.format(g.Game.Format(s))
}

func (g textGame) ActionText(s *mancala.State, a mancala.Action) string {
	if g.action == nil {
		return g.Game.ActionText(s, a)
	}
	return g.action(g.Game.ActionText(s, a))
}

func (g textGame) TurnText(s *mancala.State, turn []mancala.Action) string {
	if g.turn == nil {
		return g.Game.TurnText(s, turn)
	}
	return g.turn(g.Game.TurnText(s, turn))
}

// lastPlane is where the clock is observed.
func lastPlane(t *env.Timestep, width int) []float32 {
	return t.Observation[len(t.Observation)-2*width:]
}

// absolute is an observer that forgets from whose chair it looks.
type absolute struct{ Observer }

func (a absolute) State(observation []float32, _ mancala.Player) (mancala.State, error) {
	return a.Observer.State(observation, mancala.South)
}

// plantedFaults lists environments that are broken in one way each, the check that must find it, and words of what it says.
var plantedFaults = []struct {
	what  string
	fault fault
	check string
	want  []string
}{
	{"a value above the bounds", after(func(_ *faulty, t *env.Timestep) { t.Observation[3] = 1.5 }), "spaces", []string{"from 0 to 1", "1.5 in plane 0 (seeds), row 0, column 3"}},
	{"a value that is no number", after(func(_ *faulty, t *env.Timestep) { t.Observation[0] = float32(math.NaN()) }), "spaces", []string{"NaN in plane 0"}},
	{"an observation cut short", after(func(_ *faulty, t *env.Timestep) { t.Observation = t.Observation[1:] }), "spaces", []string{"values"}},
	{"an action too many", fault{discrete: func(d *env.Discrete) { d.N++ }}, "spaces", []string{"the game's 6 actions", "Discrete(7)"}},
	{"a shape of another order", fault{box: func(b *env.Box) { slices.Reverse(b.Shape) }}, "spaces", []string{"[planes, 2, W]", "[6 2 4]"}},
	{"bounds of another kind", fault{box: func(b *env.Box) { b.High = 60 }}, "spaces", []string{"from 0 to 1", "Box(0, 60"}},
	{"two planes of one name", fault{box: func(b *env.Box) { b.Planes[1].Name = b.Planes[0].Name }}, "spaces", []string{`plane 1 is called "seeds"`}},
	{"a plane without a description", fault{box: func(b *env.Box) { b.Planes[0].Doc = "" }}, "spaces", []string{`plane 0 is called "seeds"`}},

	{"the position of the options is not used", fault{options: func(o env.Options) env.Options { o.Position = ""; return o }}, "start", []string{"starts from the position", "it starts from"}},
	{"a position that is none is taken", fault{refusal: func(err error) error {
		if strings.Contains(err.Error(), "nonsense") {
			return nil
		}
		return err
	}}, "start", []string{`an error for the position "nonsense"`, "an environment"}},
	{"a position that is over is taken", fault{refusal: func(error) error { return nil }}, "start", []string{"no environment, since the position is over"}},
	{"no position is taken", fault{options: func(o env.Options) env.Options {
		if o.Position != "" {
			o.Position = "?"
		}
		return o
	}}, "start", []string{"an environment that starts from the position", "the error"}},

	{"another action is played than was asked for", fault{step: func(f *faulty, a mancala.Action) (env.Timestep, error) {
		if legal := f.Environment.Legal(); slices.Contains(legal, a) {
			a = legal[0]
		}
		return f.Environment.Step(a)
	}}, "transitions", []string{"leads from", `"4,4,4,4,4,4/`}},
	{"laps counted wrongly", after(func(_ *faulty, t *env.Timestep) { t.Info.Turn.Laps++ }), "transitions", []string{"info of the turn", "Laps:"}},
	{"a seed vanishes", fault{state: func(f *faulty, s *mancala.State) {
		if s.Rows[1].At(2) > 0 {
			s.Rows[1] = s.Rows[1].With(2, s.Rows[1].At(2)-1)
		}
	}}, "transitions", []string{"48 seeds", "47"}},

	{"the mask lacks an action", fault{mask: func(_ *faulty, mask []bool) { mask[slices.Index(mask, true)] = false }}, "mask", []string{"the mask is true for action 0 (a)", "false"}},
	{"the mask allows too much", fault{mask: func(_ *faulty, mask []bool) { mask[3] = true }}, "mask", []string{"the mask is false for action 3"}},
	{"the list descends", fault{legal: func(_ *faulty, l []mancala.Action) []mancala.Action { slices.Reverse(l); return l }}, "mask", []string{"ascending", "[5 4 3 2 1 0]"}},
	{"Step takes what is illegal", fault{stepped: func(f *faulty, _ mancala.Action, t *env.Timestep, err error) error {
		if illegal := (*mancala.IllegalError)(nil); errors.As(err, &illegal) {
			return nil
		}
		return err
	}}, "mask", []string{"Step refuses action -1 (-1)", "it was played"}},
	{"Step refuses what is legal", fault{step: func(f *faulty, a mancala.Action) (env.Timestep, error) {
		if a == 5 {
			return env.Timestep{}, errors.New("not the last hole")
		}
		return f.Environment.Step(a)
	}}, "mask", []string{"Step accepts action 5", "not the last hole"}},

	{"a refusal of another kind", fault{stepped: func(_ *faulty, _ mancala.Action, _ *env.Timestep, err error) error {
		if illegal := (*mancala.IllegalError)(nil); errors.As(err, &illegal) {
			return errors.New("no")
		}
		return err
	}}, "illegal", []string{"*mancala.IllegalError", "action -1", "the error: no"}},
	{"a refusal without a reason", fault{stepped: func(_ *faulty, a mancala.Action, _ *env.Timestep, err error) error {
		if illegal := (*mancala.IllegalError)(nil); errors.As(err, &illegal) {
			return &mancala.IllegalError{Action: a, Text: "a"}
		}
		return err
	}}, "illegal", []string{"its text and the reason", "Reason:}"}},
	{"an illegal action passes the turn", fault{stepped: func(f *faulty, _ mancala.Action, _ *env.Timestep, err error) error {
		if illegal := (*mancala.IllegalError)(nil); errors.As(err, &illegal) {
			legal := f.Environment.Legal()
			if _, err := f.Environment.Step(legal[0]); err != nil {
				return err
			}
		}
		return err
	}}, "illegal", []string{"changes nothing", "the state is now"}},
	{"an illegal action counts as a step", fault{
		reset: func(f *faulty, _ *env.Timestep) { f.episode = 0 },
		stepped: func(f *faulty, _ mancala.Action, t *env.Timestep, err error) error {
			if err != nil {
				f.episode++
			} else {
				t.Info.Steps += f.episode
			}
			return err
		}}, "illegal", []string{"the same timestep", "Steps:1", "Steps:"}},

	{"who acts next is who acted", after(func(f *faulty, t *env.Timestep) { t.Info.Player = f.player }), "turns", []string{"North, who is to move", "South"}},
	{"turns are never over", after(func(_ *faulty, t *env.Timestep) { t.Info.TurnOver = false }), "turns", []string{"turn over: true"}},
	{"steps are counted from 0", after(func(_ *faulty, t *env.Timestep) { t.Info.Steps-- }), "turns", []string{"1 steps since the reset", "0"}},
	{"turns are not counted", after(func(_ *faulty, t *env.Timestep) { t.Info.Turns = 0 }), "turns", []string{"1 turns since the reset"}},
	{"the stores are exchanged", after(func(_ *faulty, t *env.Timestep) { slices.Reverse(t.Info.Stores[:]) }), "turns", []string{"stores ["}},

	{"no game terminates", after(func(_ *faulty, t *env.Timestep) { t.Terminated = false }), "termination", []string{"terminated: true"}},
	{"games terminate early", after(func(_ *faulty, t *env.Timestep) { t.Terminated = t.Terminated || t.Info.Steps > 5 }), "termination", []string{"terminated: false"}},
	{"a game ends for no reason", after(func(_ *faulty, t *env.Timestep) { t.Info.Reason = mancala.Running }), "termination", []string{`the reason "exhausted"`}},
	{"the sweep is left out", after(func(f *faulty, t *env.Timestep) {
		s := f.Environment.State()
		t.Info.Stores = [2]int{int(s.Stores[0]), int(s.Stores[1])}
	}), "termination", []string{"final stores that hold all 48 seeds"}},
	{"a game is cut short without a limit", after(func(_ *faulty, t *env.Timestep) { t.Truncated = t.Info.Steps == 4 }), "termination", []string{"no truncation without a step limit"}},

	{"the limit is a step late", fault{options: func(o env.Options) env.Options {
		if o.StepLimit > 0 {
			o.StepLimit++
		}
		return o
	}}, "truncation", []string{"with a step limit of", "truncated true", "truncated false"}},
	{"the end by the rules is called truncation", after(func(_ *faulty, t *env.Timestep) { t.Truncated = t.Truncated || t.Terminated }), "truncation", []string{"terminated true, truncated false", "truncated true"}},
	{"a game that is cut short is rewarded", after(func(_ *faulty, t *env.Timestep) {
		if t.Truncated {
			t.Rewards, t.Reward = [2]float64{1, -1}, 1
		}
	}), "truncation", []string{"no reward", "1 of [1 -1]"}},

	{"a reward on the way", after(func(_ *faulty, t *env.Timestep) {
		if !t.Terminated {
			t.Rewards, t.Reward = [2]float64{.5, -.5}, .5
		}
	}), "rewards", []string{"no reward before the end", "0.5"}},
	{"only the winner is rewarded", after(func(_ *faulty, t *env.Timestep) {
		for p := range t.Rewards {
			t.Rewards[p] = max(t.Rewards[p], 0)
		}
	}), "rewards", []string{"add up to zero"}},
	{"the loser is rewarded", after(func(_ *faulty, t *env.Timestep) { slices.Reverse(t.Rewards[:]); t.Reward = -t.Reward }), "rewards", []string{"whose margin is"}},
	{"the reward of the other player", after(func(_ *faulty, t *env.Timestep) { t.Reward = -t.Reward }), "rewards", []string{"who made the step"}},

	{"steps after the end", fault{stepped: func(_ *faulty, _ mancala.Action, _ *env.Timestep, err error) error {
		if errors.Is(err, env.ErrNotRunning) {
			return nil
		}
		return err
	}}, "end", []string{"env.ErrNotRunning for a step before the first reset", "the error: <nil>"}},
	{"steps after truncation", stepsAfterTruncation(), "end", []string{"env.ErrNotRunning for a step after truncation"}},
	{"actions after the end", fault{mask: func(_ *faulty, mask []bool) {
		if !slices.Contains(mask, true) {
			mask[0] = true
		}
	}}, "end", []string{"no legal action", "the mask allows action 0"}},
	{"samples after the end", fault{sample: func(f *faulty) (mancala.Action, error) {
		if a, err := f.Environment.SampleAction(); err == nil {
			return a, nil
		}
		return 0, nil
	}}, "end", []string{"for a sample", "the error: <nil>"}},

	{"a second game counts on", after(func(f *faulty, t *env.Timestep) {
		if f.episode > 1 {
			t.Info.Steps += 10
		}
	}), "reset", []string{"after a reset, step 1", "counted as 11"}},
	{"a reset says that the game is over", fault{reset: func(f *faulty, t *env.Timestep) { t.Terminated = f.episode > 1 }}, "reset", []string{"the first reset's timestep", "terminated false"}},
	{"a reset shows the last game", fault{reset: func(f *faulty, t *env.Timestep) {
		if f.episode > 1 {
			lastPlane(t, 6)[0] = 0.5
		}
	}}, "reset", []string{"observation value 36 is 0, and 0.5"}},

	{"samples by chance alone", fault{sample: func(f *faulty) (mancala.Action, error) {
		legal := f.Environment.Legal()
		if len(legal) == 0 {
			return 0, env.ErrNotRunning
		}
		return legal[rand.IntN(len(legal))], nil
	}}, "determinism", []string{"again with the same seed"}},
	{"samples without chance", fault{sample: func(f *faulty) (mancala.Action, error) {
		legal := f.Environment.Legal()
		if len(legal) == 0 {
			return 0, env.ErrNotRunning
		}
		return legal[0], nil
	}}, "determinism", []string{"different games with the seeds 1 to 8", "the same game each time"}},
	{"samples that are illegal", fault{sample: func(f *faulty) (mancala.Action, error) {
		if len(f.Environment.Legal()) == 0 {
			return 0, env.ErrNotRunning
		}
		return 6, nil
	}}, "determinism", []string{"out of the legal actions", "action 6"}},

	{"the clock is not observed", after(func(_ *faulty, t *env.Timestep) { clear(lastPlane(t, 6)) }), "lossless", []string{"rebuilt", "sow 0"}},
	{"an observation that contradicts itself", after(func(_ *faulty, t *env.Timestep) {
		lastPlane(t, 6)[3] += 0.25
		t.Observation[0] = 1
		t.Observation[1] = 1
	}), "lossless", []string{"can be rebuilt", "the error"}},

	{"the seats are told apart", after(func(f *faulty, t *env.Timestep) {
		if t.Info.Player == mancala.North {
			slices.Reverse(t.Observation[:12])
		}
	}), "seats", []string{"the sides changed", "observation value"}},
	{"an observer that forgets the chair", fault{observer: func(o Observer) Observer { return absolute{o} }}, "seats", []string{"for the other player, the observation means", "N sow", "S sow"}},

	{"positions without their clock", fault{game: func(g mancala.Game) mancala.Game {
		return textGame{Game: g, format: func(text string) string { return text[:strings.LastIndexByte(text, ' ')] + " 0" }}
	}}, "texts", []string{"reads back", "sow 0"}},
	{"actions that are written alike", fault{game: func(g mancala.Game) mancala.Game {
		return textGame{Game: g, action: func(string) string { return "a" }}
	}}, "texts", []string{`both written "a"`}},
	{"turns that do not read back", fault{game: func(g mancala.Game) mancala.Game {
		return textGame{Game: g, turn: func(text string) string { return text + "!" }}
	}}, "texts", []string{"the turn", "reads back", "the error"}},

	{"a panic", fault{stepped: func(_ *faulty, _ mancala.Action, t *env.Timestep, err error) error {
		if t.Info.Steps == 3 {
			panic("a bug")
		}
		return err
	}}, "turns", []string{"no panic", "panic: a bug", "check_test.go"}},
}

func TestEachPlantedFaultIsFound(t *testing.T) {
	caught := map[string]bool{}
	for _, c := range plantedFaults {
		t.Run(c.what, func(t *testing.T) {
			r, err := Check(t.Context(), c.fault.plant(openSubject(t, "rio-kadalis", "standard")), Options{Seed: 1, Games: 3})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(r.Results, func(result Result) bool { return result.Name == c.check })
			if at < 0 {
				t.Fatalf("there is no check %q", c.check)
			}
			if r.Results[at].Passed() {
				t.Fatalf("the check %q passed", c.check)
			}
			f := r.Results[at].Failures[0]
			for _, want := range c.want {
				if !strings.Contains(f.Expected+"\n"+f.Found, want) {
					t.Errorf("the failure says nothing of %q:\n%s", want, f.String())
				}
			}
			if f.Expected == "" || f.Found == "" || len(f.Reproduce) == 0 || !strings.HasPrefix(f.Reproduce[0], "kiothi check --game rio-kadalis --rules standard --seed ") {
				t.Errorf("a part is missing:\n%s", f.String())
			}
			caught[c.check] = true
		})
	}
	for _, c := range checks {
		if !caught[c.name] {
			t.Errorf("no planted fault is caught by %q", c.name)
		}
	}
}

// TestTheOpeningsTurnsHaveSeveralSteps plants a fault that only Kiothi's opening shows: a turn that is over at every step.
func TestTheOpeningsTurnsHaveSeveralSteps(t *testing.T) {
	f := after(func(_ *faulty, t *env.Timestep) { t.Info.TurnOver = true })
	r, err := Check(t.Context(), f.plant(openSubject(t, "kiothi", "")), Options{Seed: 1, Games: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range r.Results {
		if result.Passed() == (result.Name == "turns") && result.Name != "reset" && result.Name != "illegal" {
			t.Errorf("%s passed: %v", result.Name, result.Passed())
		}
	}
}

func TestAFailureIsReproducedByItsCommand(t *testing.T) {
	f := after(func(f *faulty, t *env.Timestep) {
		if t.Info.Steps == 20 {
			t.Info.Player ^= 1
		}
	})
	subject := f.plant(openSubject(t, "rio-kadalis", "clockwise"))
	turns := func(o Options) Failure {
		r, err := Check(t.Context(), subject, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range r.Results {
			if result.Name == "turns" && !result.Passed() {
				return result.Failures[0]
			}
		}
		t.Fatal("the fault is not found")
		return Failure{}
	}
	first := turns(Options{Seed: 40, Games: 5})
	var seed uint64
	if _, err := fmt.Sscanf(first.Where, "seed %d,", &seed); err != nil {
		t.Fatalf("%v: no seed in %q", err, first.Where)
	}
	again := turns(Options{Seed: seed, Games: 1})
	if again.String() != first.String() {
		t.Errorf("the failure\n%s\nis reproduced as\n%s", first.String(), again.String())
	}
	if !strings.Contains(first.Where, "ply 20, position") || !strings.HasPrefix(first.Reproduce[1], "kiothi trace --game rio-kadalis --rules clockwise --actions ") {
		t.Errorf("the failure does not say where it is:\n%s", first.String())
	}
}

func TestAReportPrintsALineACheck(t *testing.T) {
	r := Report{Title: "a game", Results: []Result{
		{Name: "one", Doc: "the first", Trials: 1},
		{Name: "two", Doc: "the second", Trials: 7, Failures: []Failure{{Expected: "x", Found: "y\nz", Where: "ply 3", Reproduce: []string{"do this", "and that"}}}},
		{Name: "three", Doc: "the third"},
	}}
	var b strings.Builder
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `a game
  ok    one          the first (tried once)
  FAIL  two          the second (tried 7 times)
        expected   x
        found      y
                   z
        at         ply 3
        reproduce  do this
                   and that
  -     three        the third (not tried, because of what failed)
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if r.Failed() != 1 {
		t.Errorf("%d failed, want 1", r.Failed())
	}
}

func TestCheckStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, openSubject(t, "kiothi", ""), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want that of the context", err)
	}
}
