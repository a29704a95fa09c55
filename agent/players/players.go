// Package players lists the sorts of player that the programs offer: the one place that knows them all.
package players

import (
	"slices"

	"kiothi/agent"
	"kiothi/agent/alphabeta"
	"kiothi/agent/best"
	"kiothi/agent/engine"
	"kiothi/agent/perfect"
	"kiothi/agent/scripted"
	"kiothi/agent/uct"
	"kiothi/agent/zero"

	_ "kiothi/models" // released bots
)

// Kinds returns the sorts of player, the simplest first.
func Kinds() agent.Kinds {
	kinds := slices.Concat(scripted.Kinds(), alphabeta.Kinds(), perfect.Kinds(), uct.Kinds(), zero.Kinds())
	return scripted.WithMixed(slices.Concat(kinds, best.Kinds(kinds), engine.Kinds()))
}
