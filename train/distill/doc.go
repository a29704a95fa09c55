// Package distill learns the small network that judges positions for alpha-beta search (package nnue) from games that
// alpha-beta plays against itself. What the search found out and how the games ended go into the network, so that the next
// search begins with what the one before it had to look for.
//
// A generation is two steps. [Games] plays, and writes the games to files; [Learn] reads them and learns. The next generation
// plays with the network of the one before. Both steps can be stopped and go on, and give the same bytes for the same seed
// and any number of workers.
package distill
