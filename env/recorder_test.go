package env_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// episodes keeps copies of the episodes that it is told of.
type episodes []env.Episode

func (e *episodes) add(ended *env.Episode) {
	kept := *ended
	kept.Actions = slices.Clone(ended.Actions)
	*e = append(*e, kept)
}

// replay plays recorded games with the batch of kiothi trace, and compares each end with the episode.
func replay(t *testing.T, record string, told episodes) {
	t.Helper()
	var out bytes.Buffer
	failed, err := trace.Batch(strings.NewReader(record), &out, games.Open)
	if err != nil || failed != 0 {
		t.Fatalf("%d games of the record cannot be played, %v:\n%s", failed, err, out.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(told) {
		t.Fatalf("%d games recorded, %d played", len(lines), len(told))
	}
	marked := strings.Split(record, "\n")
	for i, line := range lines {
		var steps []trace.Step
		must(t, json.Unmarshal([]byte(line), &steps))
		last, e := steps[len(steps)-1], told[i]
		stores := last.Stores
		if e.Start.Player == mancala.North && steps[0].Player == mancala.South {
			stores[0], stores[1] = stores[1], stores[0] // the sides are changed
		}
		if last.Ply != len(e.Actions) || last.Over == e.Truncated || last.Reason != e.Reason.String() || stores != e.Stores {
			t.Errorf("game %d ends with %+v in the record, and ended with %+v", i, last, e)
		}
		if strings.Contains(marked[i], `"truncated":true`) != e.Truncated {
			t.Errorf("game %d, truncated %v, is recorded as %s", i, e.Truncated, marked[i])
		}
	}
}

// keeper is a Recorder that also keeps what it is told.
type keeper struct {
	*env.Recorder
	text *bytes.Buffer
	told *episodes
}

func newKeeper() keeper {
	text := new(bytes.Buffer)
	return keeper{env.NewRecorder(text), text, new(episodes)}
}

func (k keeper) add(e *env.Episode) { k.Recorder.Add(e); k.told.add(e) }

func (k keeper) check(t *testing.T) {
	t.Helper()
	must(t, k.Flush())
	if k.Games() != len(*k.told) {
		t.Errorf("%d games written, %d told of", k.Games(), len(*k.told))
	}
	replay(t, k.text.String(), *k.told)
}

func TestRecordedGamesCanBePlayedAgain(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		middle := g.Start()
		playRandomly(t, g, &middle, 7)
		for _, o := range []env.Options{{}, {StepLimit: 25}, {Position: g.Format(&middle)}} {
			k := newKeeper()
			o.Ended = k.add
			play(t, newEnv(t, g, o), 5, func(env.Timestep) {})
			v := newVersus(t, g, env.VersusOptions{Options: o, Seat: env.AlternatingSeat})
			for seed := range uint64(4) {
				playVersus(t, v, seed, func(mancala.Action, env.Timestep) {})
			}
			if k.Games() != 9 {
				t.Errorf("%d games recorded, want 9", k.Games())
			}
			k.check(t)
		}
	})
}

func TestARecordOfAVectorIsTheSameForAnyWorkers(t *testing.T) {
	for name, mix := range mixes(t) {
		for _, mode := range []env.Autoreset{env.SameStep, env.NextStep} {
			t.Run(name+"/"+mode.String(), func(t *testing.T) {
				const n = 150
				var texts []string
				for _, workers := range []int{1, 4} {
					k := newKeeper()
					var recorded []recipe
					for _, r := range mix[:len(mix)-1] { // one kind does not ask to be told
						r.options.Ended = k.add
						recorded = append(recorded, r)
					}
					v, b, actions := newMix(t, n, append(recorded, mix[len(mix)-1]), env.VectorOptions{Workers: workers, Autoreset: mode})
					seeds := env.Seeds(6, n)
					must(t, v.Reset(seeds, b))
					ended := 0
					next := make([]uint64, n) // episode
					for range 300 {
						told := len(*k.told)
						stepRandomly(t, v, b, actions)
						var rows []int
						for _, e := range (*k.told)[told:] {
							rows = append(rows, e.Row)
						}
						var want []int
						for i := range n {
							if b.Terminated[i] || b.Truncated[i] {
								if i%len(mix) != len(mix)-1 {
									want = append(want, i)
									e := (*k.told)[told+len(want)-1]
									if e.Seed != env.EpisodeSeed(seeds[i], next[i]) || len(e.Actions) != int(b.Infos.Steps[i]) ||
										e.Turns != int(b.Infos.Turns[i]) || e.Truncated != b.Truncated[i] || e.Learner != env.NoPlayer {
										t.Fatalf("row %d, episode %d is told as %+v", i, next[i], e)
									}
								}
								next[i]++
							}
						}
						if !slices.Equal(rows, want) {
							t.Fatalf("told of the rows %v, ended have %v", rows, want)
						}
						ended += len(want)
					}
					if ended < n {
						t.Errorf("%d games ended: too few to show anything", ended)
					}
					k.check(t)
					texts = append(texts, k.text.String())
				}
				if texts[0] != texts[1] {
					t.Error("1 and 4 workers record differently")
				}
			})
		}
	}
}

func TestAnAbandonedGameIsNotRecorded(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	k := newKeeper()
	e := newEnv(t, g, env.Options{Ended: k.add})
	e.Reset(1)
	_, err = e.Step(0)
	must(t, err)
	play(t, e, 1, func(env.Timestep) {})
	k.check(t)
	if k.Games() != 1 {
		t.Errorf("%d games recorded, want 1", k.Games())
	}
}

var errFull = errors.New("the disk is full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestARecordThatCannotBeWritten(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	r := env.NewRecorder(fullDisk{})
	e := newEnv(t, g, env.Options{Ended: r.Add})
	play(t, e, 200, func(env.Timestep) {})
	for range 2 {
		if err := r.Flush(); !errors.Is(err, errFull) {
			t.Errorf("Flush: %v, want %v", err, errFull)
		}
	}
}

func TestStatisticsCountWhatHappened(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		var s env.Statistics
		var told episodes
		reward, err := env.ParseReward("margin", g)
		must(t, err)
		o := env.Options{Reward: reward, StepLimit: 60, Ended: func(e *env.Episode) { s.Add(e); told.add(e) }}
		play(t, newEnv(t, g, o), 40, func(env.Timestep) {})
		v := newVersus(t, g, env.VersusOptions{Options: o, Seat: env.AlternatingSeat})
		var learner env.Score
		for seed := range uint64(20) {
			playVersus(t, v, seed, func(_ mancala.Action, step env.Timestep) {
				learner.Return += step.Reward
				switch {
				case !step.Terminated:
				case step.Reward > 0:
					learner.Wins++
				case step.Reward < 0:
					learner.Losses++
				default:
					learner.Draws++
				}
			})
		}
		if s.Learner != learner {
			t.Errorf("the learner's score is %+v, want %+v", s.Learner, learner)
		}
		if s.Episodes != 60 || s.Wins[0]+s.Wins[1]+s.Draws+s.Truncated != 60 || s.Returns[0] != -s.Returns[1] {
			t.Errorf("of 60 games: %+v", s)
		}
		var want env.Statistics
		for _, e := range told {
			want.Steps.Total += len(e.Actions)
			want.Turns.Total += e.Turns
			want.CutTurns += e.Cut
			if e.Truncated {
				want.Truncated++
			}
			if e.Reason == mancala.Exhausted {
				want.Exhausted++
			}
			want.Steps.Longest = max(want.Steps.Longest, len(e.Actions))
		}
		if s.Steps.Total != want.Steps.Total || s.Turns.Total != want.Turns.Total || s.CutTurns != want.CutTurns ||
			s.Truncated != want.Truncated || s.Exhausted != want.Exhausted || s.Steps.Longest != want.Steps.Longest {
			t.Errorf("got %+v, want %+v", s, want)
		}
	})
}

func TestStatisticsOfSingleGames(t *testing.T) {
	for name, c := range map[string]struct {
		episode env.Episode
		want    env.Statistics
		line    string
	}{
		"a win": {env.Episode{Learner: 0, Stores: [2]int{30, 18}, Rewards: [2]float64{1, -1}, Turns: 2, Actions: make([]mancala.Action, 5)},
			env.Statistics{Episodes: 1, Steps: env.Lengths{Total: 5, Shortest: 5, Longest: 5}, Turns: env.Lengths{Total: 2, Shortest: 2, Longest: 2},
				Wins: [2]int{1, 0}, Returns: [2]float64{1, -1}, Learner: env.Score{Wins: 1, Return: 1}},
			"1 games of 5.0 steps and 2.0 turns: South won 1, North 0, 0 drawn"},
		"a warrior's victory": {env.Episode{Learner: 0, Stores: [2]int{29, 31}, Rewards: [2]float64{-10, 10}},
			env.Statistics{Episodes: 1, Wins: [2]int{0, 1}, Warriors: [2]int{0, 1}, Returns: [2]float64{-10, 10}, Learner: env.Score{Losses: 1, Return: -10}},
			"1 games of 0.0 steps and 0.0 turns: South won 0, North 1, 0 drawn"},
		"a draw by the clock, with a cut": {env.Episode{Learner: env.NoPlayer, Stores: [2]int{24, 24}, Reason: mancala.Exhausted, Cut: 3},
			env.Statistics{Episodes: 1, Draws: 1, Exhausted: 1, CutTurns: 3},
			"1 games of 0.0 steps and 0.0 turns: South won 0, North 0, 1 drawn, 1 ended by the clock, 3 turns cut"},
		"a game cut short is no draw": {env.Episode{Learner: 1, Truncated: true},
			env.Statistics{Episodes: 1, Truncated: 1},
			"1 games of 0.0 steps and 0.0 turns: South won 0, North 0, 0 drawn, 1 truncated"},
	} {
		var got env.Statistics
		got.Add(&c.episode)
		if got != c.want || got.String() != c.line {
			t.Errorf("%s: %+v, want %+v\n%s", name, got, c.want, fmt.Sprint(&got))
		}
	}
}
