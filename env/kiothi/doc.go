// Package kiothi is the engine of Kiothi, the war game of the Meru: every rule set and option of the rules page, section
// 2, with the opening split into small actions (section 4.1). A Game implements mancala.Game.
//
// Inside, a turn is seen from its mover: the own row and the enemy row are one word each, a lap is one look-up in a
// table and two additions (sow.go), and all legal sowings of a row are one word of bits (legal.go).
package kiothi
