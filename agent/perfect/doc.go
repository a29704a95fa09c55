// Package perfect holds a player that plays what is proved.
//
// It solves the position that it is asked about (package solve), with a table of end games and, for the starts of Rio Kadalis,
// a book: the certificates of the starts, which hold a reply to everything on both sides.
//
// What it promises: it never plays to a result below the best one that it has proved for itself. From the starts of Rio Kadalis
// that is the best result there is, whoever plays against it. Elsewhere it searches a limited number of positions, so that its
// time is bounded; where these do not suffice to prove anything, it plays as alphabeta does, and promises nothing.
package perfect
