package bridge

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env"
	"kiothi/env/mancala"
)

// settings returns settings that a test changes.
func settings(game string, rows int) Settings {
	return Settings{Game: game, Rows: rows, Autoreset: "SameStep", Workers: 1, Reward: "outcome",
		Opponent: "greedy", Seat: "alternating", Illegal: "raise"}
}

// newVersus makes a versus with its buffers.
func newVersus(t *testing.T, s Settings) (*Versus, *env.Buffers) {
	t.Helper()
	rows, err := s.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rows.Close)
	n, size, actions := rows.Len(), rows.ObservationSpace().Size(), rows.ActionSpace().N
	return rows.(*Versus), &env.Buffers{
		Observations: make([]float32, n*size), Masks: make([]bool, n*actions), Players: make([]int32, n),
		Rewards: make([]float32, n), BothRewards: make([]float32, 2*n), Actors: make([]int32, n),
		Terminated: make([]bool, n), Truncated: make([]bool, n),
		FinalObservations: make([]float32, n*size), FinalPlayers: make([]int32, n),
		Infos: env.Infos{Stores: make([]int32, 2*n), Reasons: make([]int32, n), Steps: make([]int32, n), Turns: make([]int32, n)},
	}
}

// play steps random actions and calls visit after the reset and each step.
func play(t *testing.T, v *Versus, b *env.Buffers, steps int, visit func()) {
	t.Helper()
	seeds := make([]uint64, v.Len())
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	if err := v.Reset(seeds, b); err != nil {
		t.Fatal(err)
	}
	visit()
	actions := make([]int32, v.Len())
	for range steps {
		if err := v.SampleActions(actions); err != nil {
			t.Fatal(err)
		}
		if err := v.Step(actions, b); err != nil {
			t.Fatal(err)
		}
		visit()
	}
}

func TestALearnerSeesOnlyItsOwnTurns(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		v, b := newVersus(t, settings(game, 8))
		ended, actions := 0, v.ActionSpace().N
		play(t, v, b, 400, func() {
			for i, r := range v.rows {
				s := r.State()
				if s.Player != r.seat || b.Players[i] != int32(r.seat) {
					t.Fatalf("%s row %d: %s is to move and Players says %d, want the learner %s", game, i, s.Player, b.Players[i], r.seat)
				}
				legal := r.Game().AppendLegal(nil, &s)
				for a := range actions {
					if got, want := b.Masks[i*actions+a], slices.Contains(legal, mancala.Action(a)); got != want {
						t.Fatalf("%s row %d: the mask of action %d is %v, want %v", game, i, a, got, want)
					}
				}
				if b.Terminated[i] {
					ended++
					if b.BothRewards[2*i] != -b.BothRewards[2*i+1] || b.Rewards[i] != b.BothRewards[2*i+int(b.FinalPlayers[i])] {
						t.Fatalf("%s row %d: rewards %v and %v for seat %d", game, i, b.Rewards[i], b.BothRewards[2*i:2*i+2], b.FinalPlayers[i])
					}
				}
			}
		})
		if ended == 0 {
			t.Errorf("%s: no game ended", game)
		}
	}
}

// A row is to be an env.Versus in every respect that the buffers tell.
func TestARowIsAVersus(t *testing.T) {
	for _, c := range []struct {
		game, seat string
		limit      int
	}{{"kiothi", "south", 0}, {"kiothi", "random", 20}, {"rio-kadalis", "north", 0}, {"rio-kadalis", "random", 9}} {
		s := settings(c.game, 4)
		s.Seat, s.StepLimit = c.seat, c.limit
		v, b := newVersus(t, s)
		seat, err := env.ParseSeat(c.seat)
		if err != nil {
			t.Fatal(err)
		}
		var single []*env.Versus
		var last []env.Timestep
		episodes := make([]uint64, v.Len())
		mask := make([]bool, v.ActionSpace().N)
		reset := func(i int) {
			if last[i], err = single[i].Reset(t.Context(), env.EpisodeSeed(uint64(i), episodes[i])); err != nil {
				t.Fatal(err)
			}
			last[i].Observation = slices.Clone(last[i].Observation)
			episodes[i]++
		}
		for i := range v.Len() {
			opponent, err := openAgent(v.Game(i), "greedy")
			if err != nil {
				t.Fatal(err)
			}
			one, err := env.NewVersus(v.Game(i), opponent, env.VersusOptions{Options: env.Options{StepLimit: c.limit}, Seat: seat})
			if err != nil {
				t.Fatal(err)
			}
			single, last = append(single, one), append(last, env.Timestep{})
			reset(i)
		}
		actions := make([]int32, v.Len())
		if err := v.Reset([]uint64{0, 1, 2, 3}, b); err != nil {
			t.Fatal(err)
		}
		for range 300 {
			size := v.ObservationSpace().Size()
			for i, one := range single {
				one.ActionMask(mask)
				if !slices.Equal(b.Observations[i*size:(i+1)*size], last[i].Observation) || !slices.Equal(b.Masks[i*len(mask):(i+1)*len(mask)], mask) {
					t.Fatalf("%+v row %d: observation or mask differ", c, i)
				}
				a, err := one.SampleAction()
				if err != nil {
					t.Fatal(err)
				}
				actions[i] = int32(a)
			}
			if err := v.Step(actions, b); err != nil {
				t.Fatal(err)
			}
			for i, one := range single {
				want, err := one.Step(t.Context(), mancala.Action(actions[i]))
				if err != nil {
					t.Fatal(err)
				}
				learner := int32(one.Learner())
				got := []any{b.Rewards[i], b.Terminated[i], b.Truncated[i], b.Actors[i], b.Infos.Steps[i], b.Infos.Turns[i], b.Infos.Stores[2*i], b.Infos.Reasons[i]}
				all := []any{float32(want.Reward), want.Terminated, want.Truncated, learner, int32(want.Info.Steps), int32(want.Info.Turns), int32(want.Info.Stores[0]), int32(want.Info.Reason)}
				if diff := cmp.Diff(all, got); diff != "" {
					t.Fatalf("%+v row %d (-want +got):\n%s", c, i, diff)
				}
				last[i] = want
				last[i].Observation = slices.Clone(want.Observation)
				if want.Terminated || want.Truncated {
					if !slices.Equal(b.FinalObservations[i*size:(i+1)*size], want.Observation) || b.FinalPlayers[i] != learner {
						t.Fatalf("%+v row %d: final observations differ", c, i)
					}
					reset(i)
				}
			}
		}
	}
}

func TestSeatsAlternateFromGameToGame(t *testing.T) {
	v, b := newVersus(t, settings("rio-kadalis", 4))
	seen := make([][]int32, v.Len())
	play(t, v, b, 120, func() {
		for i := range v.rows {
			if b.Actors[i] == env.NoPlayer || b.Terminated[i] {
				seen[i] = append(seen[i], b.Players[i])
			}
		}
	})
	for i, seats := range seen {
		for k, seat := range seats {
			if want := int32((i + k) % 2); seat != want {
				t.Fatalf("row %d plays game %d in seat %d, want %d", i, k, seat, want)
			}
		}
	}
}

func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	var want [][]float32
	for _, workers := range []int{1, 2, 3} {
		s := settings("kiothi", 4*fewRows)
		s.Workers = workers
		v, b := newVersus(t, s)
		at := 0
		play(t, v, b, 60, func() {
			got := slices.Concat(b.Observations, b.Rewards, b.FinalObservations)
			if workers == 1 {
				want = append(want, got)
			} else if !slices.Equal(want[at], got) {
				t.Fatalf("%d workers: step %d differs from one worker's", workers, at)
			}
			at++
		})
	}
}

func TestAnObservationIsTheLearnersAlsoAtTheEnd(t *testing.T) {
	s := settings("rio-kadalis", 1)
	s.Autoreset = "Disabled"
	for _, seat := range []string{"south", "north"} {
		s.Seat = seat
		v, b := newVersus(t, s)
		actions := make([]int32, 1)
		for game := range uint64(20) {
			if err := v.Reset([]uint64{game}, b); err != nil {
				t.Fatal(err)
			}
			for !b.Terminated[0] {
				if err := v.SampleActions(actions); err != nil {
					t.Fatal(err)
				}
				if err := v.Step(actions, b); err != nil {
					t.Fatal(err)
				}
			}
			state := v.State(0)
			mine := v.rows[0].seat
			row := state.Rows[mine]
			for c := range 6 {
				if got, want := b.FinalObservations[c]*48, float32(row.At(c)); got != want {
					t.Fatalf("as %s, the final observation has %v stones in own hole %d, want %v", seat, got, c, want)
				}
			}
		}
	}
}

func TestAnIllegalActionRaisesOrLoses(t *testing.T) {
	s := settings("rio-kadalis", 2)
	s.Seat = "south"
	v, b := newVersus(t, s)
	if err := v.Reset([]uint64{1, 2}, b); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(b.Observations)
	err := v.Step([]int32{0, 77}, b)
	var refused *env.StepError
	if !errors.As(err, &refused) || len(refused.Rows) != 1 || refused.Rows[0].Row != 1 {
		t.Fatalf("got %v, want a StepError for row 1 alone", err)
	}
	if got := v.State(0); got != v.Game(0).Start() || !slices.Equal(before, b.Observations) {
		t.Error("a step that fails changes a row")
	}

	s.Illegal = "lose"
	s.Reward = "margin"
	v, b = newVersus(t, s)
	if err := v.Reset([]uint64{1, 2}, b); err != nil {
		t.Fatal(err)
	}
	if err := v.Step([]int32{0, 77}, b); err != nil {
		t.Fatal(err)
	}
	got := []any{b.Terminated, b.Rewards, b.BothRewards[2:], b.Infos.Reasons}
	want := []any{[]bool{false, true}, []float32{0, -1}, []float32{-1, 1}, []int32{0, ReasonIllegal}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after an illegal action (-want +got):\n%s", diff)
	}
}

func TestAutoresetModes(t *testing.T) {
	for _, mode := range []string{"NextStep", "Disabled"} {
		s := settings("rio-kadalis", 1)
		s.Autoreset = mode
		v, b := newVersus(t, s)
		if err := v.Reset([]uint64{4}, b); err != nil {
			t.Fatal(err)
		}
		actions := make([]int32, 1)
		step := func() error {
			if err := v.SampleActions(actions); err != nil {
				t.Fatal(err)
			}
			return v.Step(actions, b)
		}
		for !b.Terminated[0] {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		if slices.Contains(b.Masks, true) || !slices.Equal(b.Observations, b.FinalObservations) {
			t.Errorf("%s: the end of the game is not what is observed", mode)
		}
		err := step()
		if mode == "Disabled" {
			if !errors.Is(err, env.ErrNotRunning) {
				t.Errorf("Disabled: a step after the end gives %v", err)
			}
			if err := v.ResetRows([]bool{true}, b); err != nil {
				t.Fatal(err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		if b.Terminated[0] || b.Rewards[0] != 0 || b.Actors[0] != env.NoPlayer || !slices.Contains(b.Masks, true) {
			t.Errorf("%s: no new game stands there: terminated %v, reward %v, actor %d", mode, b.Terminated, b.Rewards, b.Actors)
		}
		if b.Players[0] != 1 {
			t.Errorf("%s: row 0 plays its second game in seat %d, want 1", mode, b.Players[0])
		}
	}
}

func TestAGameThatIsOverBeforeTheLearnerMovesIsRefused(t *testing.T) {
	s := settings("rio-kadalis", 1)
	s.Seat = "north"
	// South's only stone goes to an empty hole of its own row; North has none to move.
	s.Position = "1,0,0,0,0,0/0,0,0,0,0,0 - 24-23 S sow 0"
	v, b := newVersus(t, s)
	err := v.Reset([]uint64{1}, b)
	if f := failureOf(err); f.Kind != KindArgument || !strings.Contains(f.Message, "before the learner, North, has moved") {
		t.Errorf("got %+v", f)
	}
}

func TestWrongSettingsAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Game = "kiotih" }, `did you mean "kiothi"`},
		{func(s *Settings) { s.Rules = []string{"no-such"} }, "unknown rule set"},
		{func(s *Settings) { s.Rules = []string{"standard", "five-holes"}; s.Game = "rio-kadalis" }, "expected one shape"},
		{func(s *Settings) { s.Rows = 0 }, "expected at least one row"},
		{func(s *Settings) { s.Autoreset = "Never" }, "unknown autoreset mode"},
		{func(s *Settings) { s.Workers = -1 }, "-1 workers"},
		{func(s *Settings) { s.Reward = "much" }, "unknown reward"},
		{func(s *Settings) { s.StepLimit = -1 }, "step limit -1"},
		{func(s *Settings) { s.Position = "x" }, "position"},
		{func(s *Settings) { s.Opponent = "gredy" }, `did you mean "greedy"`},
		{func(s *Settings) { s.Seat = "East" }, "unknown seat"},
		{func(s *Settings) { s.Illegal = "ignore" }, "unknown illegal-action setting"},
	} {
		s := settings("kiothi", 4)
		c.change(&s)
		_, err := s.New()
		if err == nil {
			t.Errorf("%+v is accepted, want an error with %q", s, c.want)
			continue
		}
		if f := failureOf(err); f.Kind != KindArgument || !strings.Contains(f.Message, c.want) {
			t.Errorf("%+v: %+v, want an argument failure with %q", s, f, c.want)
		}
	}
}
