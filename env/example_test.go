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
