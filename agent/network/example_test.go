// This file is the package's use in a page.

package network_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"kiothi/agent/network"
	"kiothi/agent/network/weights"
)

// A network learns that of two legal actions the second is right, and that the
// margin falls into the first bin.
func Example() {
	config := weights.Config{Inputs: 4, Width: 32, Blocks: 1, Actions: 3, Bins: 5, ValueWidth: 16}
	w, err := weights.New(config, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		log.Fatal(err)
	}
	trainer, err := network.NewTrainer(w, network.DefaultOptimizerConfig(), 1)
	if err != nil {
		log.Fatal(err)
	}
	defer trainer.Close()
	copy(trainer.Input(0), []float32{1, 0, 0.5, 1})
	copy(trainer.Mask(0), []float32{1, 0, 1})
	copy(trainer.PolicyTarget(0), []float32{0, 0, 1})
	copy(trainer.MarginTarget(0), []float32{1, 0, 0, 0, 0})
	for range 100 {
		if _, err := trainer.Step(0.01); err != nil {
			log.Fatal(err)
		}
	}

	inference, err := network.NewInference(w, 1)
	if err != nil {
		log.Fatal(err)
	}
	copy(inference.Input(0), []float32{1, 0, 0.5, 1})
	if err := inference.Evaluate(1); err != nil {
		log.Fatal(err)
	}
	policy, margin := inference.Policy(0), inference.Margin(0)
	fmt.Println(policy[2] > policy[0]+3, margin[0] > margin[1]+3)
	// Output: true true
}
