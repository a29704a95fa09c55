package env_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func newSource(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// A recipe makes environments that are alike.
type recipe struct {
	game    mancala.Game
	options env.Options
}

func (r recipe) env(tb testing.TB) *env.Env {
	tb.Helper()
	e, err := env.New(r.game, r.options)
	must(tb, err)
	return e
}

// mixes lists, by game, environments that may share a vector: every rule set that fits, with rewards, limits and positions
// of their own.
func mixes(tb testing.TB) map[string][]recipe {
	tb.Helper()
	mixed := map[string][]recipe{}
	for i, r := range rules {
		if strings.HasPrefix(r.rules, "five-holes") {
			continue // another shape
		}
		g, err := games.Open(r.game, r.rules)
		if err != nil {
			tb.Fatal(err)
		}
		reward, err := env.ParseReward(env.RewardNames[i%len(env.RewardNames)], g)
		if err != nil {
			tb.Fatal(err)
		}
		o := env.Options{Reward: reward}
		switch i % 3 {
		case 1:
			o.StepLimit = 20 + 5*i
		case 2:
			s := g.Start()
			playRandomly(tb, g, &s, 2)
			o.Position = g.Format(&s)
		}
		mixed[r.game] = append(mixed[r.game], recipe{g, o})
	}
	return mixed
}

// playRandomly plays actions from a state, fewer if it ends.
func playRandomly(tb testing.TB, g mancala.Game, s *mancala.State, actions int) {
	tb.Helper()
	rng := newSource(9)
	for range actions {
		legal := g.AppendLegal(nil, s)
		if len(legal) == 0 {
			return
		}
		if _, err := g.Play(s, legal[rng.IntN(len(legal))]); err != nil {
			tb.Fatal(err)
		}
	}
}

// newMix returns a vector, its buffers, and room for its actions.
func newMix(tb testing.TB, n int, mix []recipe, o env.VectorOptions) (*env.Vector, *env.Buffers, []int32) {
	tb.Helper()
	var envs []*env.Env
	for _, r := range mix {
		envs = append(envs, r.env(tb))
	}
	v, err := env.NewVector(n, envs, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(v.Close)
	return v, env.NewBuffers(v), make([]int32, n)
}

// briefly returns a number of steps, and fewer in tests that are to be short, as those with the race detector.
func briefly(steps int) int {
	if testing.Short() {
		return max(steps/8, 40)
	}
	return steps
}

// must ends a test at an error.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// stepRandomly makes a step of random legal actions.
func stepRandomly(tb testing.TB, v *env.Vector, b *env.Buffers, actions []int32) {
	tb.Helper()
	must(tb, v.SampleActions(actions))
	must(tb, v.Step(actions, b))
}

// A twin plays a row's game in an Env and says what the vector should say.
type twin struct {
	env     *env.Env
	seed    uint64
	episode uint64
	mode    env.Autoreset
	over    bool
	final   *env.Timestep // of the game that ended in this step
}

func (w *twin) reset() env.Timestep {
	w.over = false
	return w.env.Reset(env.EpisodeSeed(w.seed, w.episode))
}

// step plays the row's action. It returns what the player to act sees, and what the step did.
func (w *twin) step(t *testing.T, a int32) (view, did env.Timestep, actor int32) {
	t.Helper()
	w.final = nil
	if w.over {
		w.episode++
		view = w.reset()
		return view, view, env.NoPlayer
	}
	if own, err := w.env.SampleAction(); err != nil || int32(own) != a {
		t.Fatalf("the vector samples %d, the environment %d, %v", a, own, err)
	}
	actor = int32(w.env.State().Player)
	did, err := w.env.Step(mancala.Action(a))
	must(t, err)
	did.Observation = slices.Clone(did.Observation)
	view = did
	if did.Terminated || did.Truncated {
		final := did
		w.final = &final
		if w.mode == env.SameStep {
			w.episode++
			view = w.reset()
		} else {
			w.over = true
		}
	}
	return view, did, actor
}

// checkRow compares a row of the buffers with what its twin says.
func checkRow(t *testing.T, i int, v *env.Vector, b *env.Buffers, w *twin, view, did env.Timestep, actor int32) {
	t.Helper()
	size, actions := v.ObservationSpace().Size(), v.ActionSpace().N
	mask := make([]bool, actions)
	w.env.ActionMask(mask)
	type said struct {
		Observation []float32
		Mask        []bool
		Player      int32
		Reward      float32
		Both        [2]float32
		Actor       int32
		Ends        [2]bool
		Stores      [2]int32
		Info        [4]int32
		Captured    [2]int32
		Flags       [2]bool
		Final       []float32
		FinalPlayer int32
	}
	f := &b.Infos
	got := said{
		b.Observations[i*size : (i+1)*size], b.Masks[i*actions : (i+1)*actions], b.Players[i],
		b.Rewards[i], [2]float32(b.BothRewards[2*i:]), b.Actors[i], [2]bool{b.Terminated[i], b.Truncated[i]},
		[2]int32(f.Stores[2*i:]), [4]int32{f.Reasons[i], f.Laps[i], f.Steps[i], f.Turns[i]}, [2]int32(f.Captured[2*i:]),
		[2]bool{f.Cut[i], f.TurnOver[i]}, nil, 0,
	}
	turn := did.Info.Turn
	want := said{
		view.Observation, mask, int32(view.Info.Player),
		float32(did.Reward), [2]float32{float32(did.Rewards[0]), float32(did.Rewards[1])}, actor, [2]bool{did.Terminated, did.Truncated},
		[2]int32{int32(did.Info.Stores[0]), int32(did.Info.Stores[1])},
		[4]int32{int32(did.Info.Reason), turn.Laps, int32(did.Info.Steps), int32(did.Info.Turns)},
		[2]int32{int32(turn.Captured[0]), int32(turn.Captured[1])}, [2]bool{turn.Cut, did.Info.TurnOver}, nil, 0,
	}
	if w.final != nil {
		got.Final, got.FinalPlayer = b.FinalObservations[i*size:(i+1)*size], b.FinalPlayers[i]
		want.Final, want.FinalPlayer = w.final.Observation, int32(w.final.Info.Player)
	}
	rest := func(s said) said { s.Observation, s.Mask, s.Final = nil, nil, nil; return s }
	if !slices.Equal(got.Observation, want.Observation) || !slices.Equal(got.Mask, want.Mask) ||
		!slices.Equal(got.Final, want.Final) || !reflect.DeepEqual(rest(got), rest(want)) {
		diff := cmp.Diff(want, got) // for people; it is slow
		t.Fatalf("row %d (%s), episode %d (-environment +vector):\n%s", i, v.Game(i).Rules(), w.episode, diff)
	}
	if state := w.env.State(); v.State(i) != state {
		t.Fatalf("row %d is at %+v, its environment at %+v", i, v.State(i), state)
	}
}

func TestEachRowPlaysTheGamesOfAnEnvironment(t *testing.T) {
	for name, mix := range mixes(t) {
		for _, mode := range []env.Autoreset{env.SameStep, env.NextStep, env.Disabled} {
			t.Run(name+"/"+mode.String(), func(t *testing.T) {
				const n = 73 // not a multiple of anything
				v, b, actions := newMix(t, n, mix, env.VectorOptions{Autoreset: mode, Workers: 2})
				seeds := env.Seeds(5, n)
				must(t, v.Reset(seeds, b))
				twins := make([]*twin, n)
				for i := range twins {
					twins[i] = &twin{env: mix[i%len(mix)].env(t), seed: seeds[i], mode: mode}
					start := twins[i].reset()
					checkRow(t, i, v, b, twins[i], start, start, env.NoPlayer)
				}
				ended := 0
				over := make([]bool, n)
				for range briefly(250) {
					must(t, v.SampleActions(actions))
					must(t, v.Step(actions, b))
					for i, w := range twins {
						view, did, actor := w.step(t, actions[i])
						checkRow(t, i, v, b, w, view, did, actor)
						if w.final != nil {
							ended++
						}
						over[i] = w.over
					}
					if mode == env.Disabled && slices.Contains(over, true) {
						must(t, v.ResetRows(over, b))
						for i, w := range twins {
							if w.over {
								w.final = nil
								w.episode++
								start := w.reset()
								checkRow(t, i, v, b, w, start, start, env.NoPlayer)
							}
						}
					}
				}
				if ended < 2*n && !testing.Short() {
					t.Errorf("%d games ended in %d rows: too few to show anything", ended, n)
				}
			})
		}
	}
}

func TestResultsDoNotDependOnTheWorkers(t *testing.T) {
	for name, mix := range mixes(t) {
		t.Run(name, func(t *testing.T) {
			const n = 300
			type machine struct {
				v       *env.Vector
				b       *env.Buffers
				actions []int32
			}
			var machines []machine
			for _, workers := range []int{1, 2, 3, 8} {
				v, b, actions := newMix(t, n, mix, env.VectorOptions{Workers: workers})
				must(t, v.Reset(env.Seeds(1, n), b))
				machines = append(machines, machine{v, b, actions})
			}
			for step := range briefly(200) {
				for i, m := range machines {
					stepRandomly(t, m.v, m.b, m.actions)
					if !equal(m.b, machines[0].b) || !slices.Equal(m.actions, machines[0].actions) {
						t.Fatalf("step %d differs between 1 worker and number %d of 1, 2, 3, 8", step, i)
					}
				}
			}
		})
	}
}

// games returns the actions of all rows over some steps, [row][step].
func gamesOf(t *testing.T, v *env.Vector, seeds []uint64, steps int) [][]int32 {
	t.Helper()
	actions := make([]int32, v.Len())
	played := make([][]int32, v.Len())
	must(t, v.Reset(seeds, new(env.Buffers)))
	for range steps {
		stepRandomly(t, v, new(env.Buffers), actions)
		for i, a := range actions {
			played[i] = append(played[i], a)
		}
	}
	return played
}

func TestARowDependsOnItsSeedAlone(t *testing.T) {
	for name, mix := range mixes(t) {
		t.Run(name, func(t *testing.T) {
			v, _, _ := newMix(t, 64, mix[:1], env.VectorOptions{})
			seeds := env.Seeds(1, 64)
			played := gamesOf(t, v, seeds, 120)
			if again := gamesOf(t, v, seeds, 120); !reflect.DeepEqual(played, again) {
				t.Error("the same seeds give other games after another reset")
			}
			for i := range played {
				for j := range i {
					if slices.Equal(played[i], played[j]) {
						t.Errorf("rows %d and %d play the same", i, j)
					}
				}
			}
			few, _, _ := newMix(t, 2, mix[:1], env.VectorOptions{})
			got := gamesOf(t, few, []uint64{seeds[40], seeds[7]}, 120)
			if !reflect.DeepEqual(got, [][]int32{played[40], played[7]}) {
				t.Error("a row plays otherwise in another place, among other rows")
			}
		})
	}
}

func TestNoTwoGamesShareASeed(t *testing.T) {
	seen := map[uint64]bool{}
	for _, run := range []uint64{0, 1, 2} {
		for _, row := range env.Seeds(run, 100) {
			for k := range uint64(100) {
				seen[env.EpisodeSeed(row, k)] = true
			}
		}
	}
	if len(seen) != 3*100*100 {
		t.Errorf("%d different seeds for 30000 games", len(seen))
	}
}

// TestMaskIsWhatStepOfAVectorAccepts gives every row an action of any kind: the step fails exactly when there is one that
// the masks exclude, and then it names all of them, and nothing has happened.
func TestMaskIsWhatStepOfAVectorAccepts(t *testing.T) {
	for name, mix := range mixes(t) {
		for _, mode := range []env.Autoreset{env.SameStep, env.NextStep} {
			t.Run(name+"/"+mode.String(), func(t *testing.T) {
				const n = 130
				v, b, actions := newMix(t, n, mix, env.VectorOptions{Autoreset: mode, Workers: 2})
				must(t, v.Reset(env.Seeds(2, n), b))
				width := v.ActionSpace().N
				rng := newSource(3)
				refused := 0
				for step := range briefly(400) {
					must(t, v.SampleActions(actions))
					tries := slices.Clone(actions)
					var want []int // rows
					for i := range tries {
						// Early rows are tried more often, so that steps with one, some and many illegal actions come up.
						if step%4 != 0 && rng.IntN(8+4*i) == 0 {
							tries[i] = int32(rng.IntN(width+2) - 1)
						}
						legal := tries[i] >= 0 && int(tries[i]) < width && b.Masks[i*width+int(tries[i])]
						if over := mode == env.NextStep && (b.Terminated[i] || b.Truncated[i]); !legal && !over {
							want = append(want, i)
						}
					}
					before := clone(b)
					states := statesOf(v)
					err := v.Step(tries, b)
					if len(want) == 0 {
						must(t, err)
						continue
					}
					refused++
					var got *env.StepError
					if !errors.As(err, &got) {
						t.Fatalf("step %d: %v, want a StepError about rows %v", step, err, want)
					}
					var rows []int
					for _, r := range got.Rows {
						rows = append(rows, r.Row)
						var illegal *mancala.IllegalError
						if r.Action != tries[r.Row] || !errors.As(r.Err, &illegal) || int32(illegal.Action) != r.Action {
							t.Errorf("row %d was given action %d, and the error is about %+v", r.Row, tries[r.Row], r)
						}
					}
					if !slices.Equal(rows, want) {
						t.Fatalf("step %d: the error lists rows %v, the masks exclude the actions of %v", step, rows, want)
					}
					if !equal(before, b) {
						t.Fatalf("the step that was refused wrote (-before +after):\n%s", cmp.Diff(before, b))
					}
					if !slices.Equal(statesOf(v), states) {
						t.Fatal("the step that was refused changed a position")
					}
					must(t, v.Step(actions, b)) // goes on as if nothing had been
				}
				if refused < 50 && !testing.Short() {
					t.Errorf("%d steps were refused: too few to show anything", refused)
				}
			})
		}
	}
}

func statesOf(v *env.Vector) []mancala.State {
	states := make([]mancala.State, v.Len())
	for i := range states {
		states[i] = v.State(i)
	}
	return states
}

// fieldsOf lists the slices of buffers.
func fieldsOf(b *env.Buffers) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	for _, s := range []struct {
		prefix string
		value  reflect.Value
	}{{"", reflect.ValueOf(b).Elem()}, {"Infos.", reflect.ValueOf(&b.Infos).Elem()}} {
		for i := range s.value.NumField() {
			if f := s.value.Field(i); f.Kind() == reflect.Slice {
				fields[s.prefix+s.value.Type().Field(i).Name] = f
			}
		}
	}
	return fields
}

// equal compares buffers as reflect.DeepEqual does, only fast.
func equal(a, b *env.Buffers) bool {
	other := fieldsOf(b)
	for name, f := range fieldsOf(a) {
		same := false
		switch x := f.Interface().(type) {
		case []float32:
			same = slices.Equal(x, other[name].Interface().([]float32))
		case []int32:
			same = slices.Equal(x, other[name].Interface().([]int32))
		case []bool:
			same = slices.Equal(x, other[name].Interface().([]bool))
		}
		if !same {
			return false
		}
	}
	return true
}

func clone(b *env.Buffers) *env.Buffers {
	c := new(env.Buffers)
	to := fieldsOf(c)
	for name, f := range fieldsOf(b) {
		to[name].Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f))
	}
	return c
}

func TestABufferThatIsNilIsNotWanted(t *testing.T) {
	const n = 70
	mix := mixes(t)["kiothi"]
	run := func(b *env.Buffers) *env.Buffers {
		v, _, actions := newMix(t, n, mix, env.VectorOptions{})
		must(t, v.Reset(env.Seeds(4, n), b))
		for range 90 {
			stepRandomly(t, v, b, actions)
		}
		return b
	}
	v, all, _ := newMix(t, n, mix, env.VectorOptions{})
	fields := fieldsOf(run(all))
	run(new(env.Buffers))
	for name, want := range fields {
		alone := new(env.Buffers)
		fieldsOf(alone)[name].Set(fieldsOf(env.NewBuffers(v))[name])
		if got := fieldsOf(run(alone))[name]; !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Errorf("%s alone differs from %s among all", name, name)
		}
	}
}

func TestBuffersMustFit(t *testing.T) {
	v, b, actions := newMix(t, 3, mixes(t)["rio-kadalis"][:1], env.VectorOptions{})
	must(t, v.Reset(env.Seeds(1, 3), b))
	for name := range fieldsOf(b) {
		bad := env.NewBuffers(v)
		f := fieldsOf(bad)[name]
		f.Set(f.Slice(0, f.Len()-1))
		want := "buffer " + name + " has"
		for call, err := range map[string]error{"Reset": v.Reset(env.Seeds(1, 3), bad), "Step": v.Step(actions, bad), "ResetRows": v.ResetRows(make([]bool, 3), bad)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s with a short %s: %v, want an error with %q", call, name, err, want)
			}
		}
	}
	for want, err := range map[string]error{
		"2 seeds for 3 rows":       v.Reset(env.Seeds(1, 2), b),
		"2 actions for 3 rows":     v.Step(actions[:2], b),
		"room for 2 actions":       v.SampleActions(actions[:2]),
		"2 entries say":            v.ResetRows(make([]bool, 2), b),
		"buffers are nil: NewBuff": v.Step(actions, nil),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func TestNewVectorRefusesWhatDoesNotFit(t *testing.T) {
	open := func(game, rules string) *env.Env {
		g, err := games.Open(game, rules)
		must(t, err)
		return newEnv(t, g, env.Options{})
	}
	kiothi, rio, five := open("kiothi", ""), open("rio-kadalis", ""), open("rio-kadalis", "five-holes")
	for _, c := range []struct {
		n    int
		envs []*env.Env
		o    env.VectorOptions
		want string
	}{
		{1, nil, env.VectorOptions{}, "no environments"},
		{1, []*env.Env{nil}, env.VectorOptions{}, "environment 0 of 1 is nil"},
		{0, []*env.Env{rio}, env.VectorOptions{}, "0 rows for 1 environments"},
		{1, []*env.Env{rio, rio}, env.VectorOptions{}, "1 rows for 2 environments"},
		{4, []*env.Env{rio, rio, five}, env.VectorOptions{}, "environment 0 is rio-kadalis standard, with observations [4 2 6], and environment 2 is rio-kadalis five-holes, with observations [4 2 5]"},
		{2, []*env.Env{kiothi, rio}, env.VectorOptions{}, "expected one shape"},
		{1, []*env.Env{rio}, env.VectorOptions{Workers: -1}, "-1 workers"},
		{1, []*env.Env{rio}, env.VectorOptions{Autoreset: 3}, "autoreset mode 3"},
	} {
		if v, err := env.NewVector(c.n, c.envs, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, %v, want an error with %q", v, err, c.want)
		}
	}
}

func TestDisabledLeavesGamesThatAreOverToTheCaller(t *testing.T) {
	v, b, actions := newMix(t, 2, mixes(t)["rio-kadalis"][:1], env.VectorOptions{Autoreset: env.Disabled})
	must(t, v.Reset(env.Seeds(1, 2), b))
	for !b.Terminated[0] && !b.Terminated[1] {
		stepRandomly(t, v, b, actions)
	}
	must(t, v.SampleActions(actions))
	err := v.Step(actions, b)
	var refused *env.StepError
	if !errors.As(err, &refused) || !errors.Is(err, env.ErrNotRunning) {
		t.Fatalf("a step with a game that is over: %v, want ErrNotRunning", err)
	}
	over := make([]bool, 2)
	for _, r := range refused.Rows {
		over[r.Row] = true
	}
	if !slices.Equal(over, b.Terminated) {
		t.Errorf("the error is about %v, over are %v", over, b.Terminated)
	}
	must(t, v.ResetRows(over, b))
	stepRandomly(t, v, b, actions)
}

func TestAVectorIsResetFirstAndClosedLast(t *testing.T) {
	v, b, actions := newMix(t, 200, mixes(t)["rio-kadalis"], env.VectorOptions{Workers: 3})
	calls := func() map[string]error {
		return map[string]error{"Step": v.Step(actions, b), "SampleActions": v.SampleActions(actions), "ResetRows": v.ResetRows(make([]bool, 200), b)}
	}
	for call, err := range calls() {
		if !errors.Is(err, env.ErrNotRunning) {
			t.Errorf("%s before Reset: %v, want ErrNotRunning", call, err)
		}
	}
	must(t, v.Reset(env.Seeds(1, 200), b))
	stepRandomly(t, v, b, actions)
	v.Close()
	v.Close()
	for call, err := range calls() {
		if !errors.Is(err, env.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", call, err)
		}
	}
	if err := v.Reset(env.Seeds(1, 200), b); !errors.Is(err, env.ErrClosed) {
		t.Errorf("Reset after Close: %v, want ErrClosed", err)
	}
	if err := v.Step(nil, nil); !errors.Is(err, env.ErrClosed) {
		t.Errorf("Step of nothing after Close: %v, want ErrClosed", err)
	}
}

func TestAStepErrorNamesRowsActionsAndReasons(t *testing.T) {
	v, b, actions := newMix(t, 8, mixes(t)["rio-kadalis"][:1], env.VectorOptions{})
	must(t, v.Reset(env.Seeds(1, 8), b))
	for i := 1; i < 8; i++ {
		actions[i] = int32(10 * i)
	}
	err := v.Step(actions, b)
	want := "no row was stepped, because 7 could not be: row 1, action 10: illegal action 10"
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "; and 2 more") {
		t.Errorf("got %v, want %s…; and 2 more", err, want)
	}
}

func TestAutoresetModesHaveTheNamesOfGymnasium(t *testing.T) {
	for _, mode := range []env.Autoreset{env.SameStep, env.NextStep, env.Disabled} {
		if got, err := env.ParseAutoreset(mode.String()); err != nil || got != mode {
			t.Errorf("%v reads back as %v, %v", mode, got, err)
		}
	}
	if got := env.Autoreset(9).String(); got != "Autoreset(9)" {
		t.Errorf("what is no mode is written %q", got)
	}
	if _, err := env.ParseAutoreset("SameStp"); err == nil || !strings.Contains(err.Error(), `did you mean "SameStep"`) {
		t.Errorf("a slip: %v", err)
	}
}

func TestStepOfAVectorAllocatesNothing(t *testing.T) {
	for name, mix := range mixes(t) {
		for _, workers := range []int{1, 3} {
			v, b, actions := newMix(t, 256, mix, env.VectorOptions{Workers: workers})
			must(t, v.Reset(env.Seeds(1, 256), b))
			if n := testing.AllocsPerRun(briefly(300), func() { stepRandomly(t, v, b, actions) }); n != 0 {
				t.Errorf("%s, %d workers: %v allocations a step", name, workers, n)
			}
		}
	}
}
