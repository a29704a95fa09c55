package kiothi

import "kiothi/env/mancala"

func (g *Game) refusal(s *mancala.State, a mancala.Action) string    { return "x" }
func (g *Game) ActionText(s *mancala.State, a mancala.Action) string { return "" }
