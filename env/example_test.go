package env_test

import (
	"fmt"
	"log"

	"kiothi/env"
	"kiothi/env/games"
)

// A game of random moves, as the README shows it.
func Example() {
	game, err := games.Open("kiothi", "mancala-world")
	if err != nil {
		log.Fatal(err)
	}
	e, err := env.New(game, env.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for step := e.Reset(1); !step.Terminated; {
		action, err := e.SampleAction() // or choose among e.Legal(), or by e.ActionMask
		if err != nil {
			log.Fatal(err)
		}
		if step, err = e.Step(action); err != nil {
			log.Fatal(err)
		}
		if step.Terminated {
			fmt.Println(step.Info.Stores, step.Rewards, step.Info.Reason)
		}
	}
	fmt.Println(e.ObservationSpace(), e.ActionSpace())
	// Output:
	// [34 26] [1 -1] stuck
	// Box(0, 1, [10 2 10], float32) Discrete(631)
}

// A thousand games that step together, and start again by themselves.
func ExampleVector() {
	game, err := games.Open("rio-kadalis", "")
	if err != nil {
		log.Fatal(err)
	}
	var statistics env.Statistics
	like, err := env.New(game, env.Options{Ended: statistics.Add})
	if err != nil {
		log.Fatal(err)
	}
	v, err := env.NewVector(1024, []*env.Env{like}, env.VectorOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	b := env.NewBuffers(v)
	actions := make([]int32, v.Len())
	if err := v.Reset(env.Seeds(1, v.Len()), b); err != nil {
		log.Fatal(err)
	}
	for range 100 {
		// A policy chooses actions by b.Observations and b.Masks; here they are random.
		if err := v.SampleActions(actions); err != nil {
			log.Fatal(err)
		}
		if err := v.Step(actions, b); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(&statistics)
	// Output: 935 games of 47.0 steps and 47.0 turns: South won 275, North 368, 292 drawn
}
