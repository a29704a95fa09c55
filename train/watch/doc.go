// Package watch shows a run on a page: its curves, as they grow, and the newest game of self-play on a board.
//
// It reads the files of the run and nothing else, so that it can follow a run of another process as well as one of its own,
// and changes and locks nothing. The page is in the program and asks nobody but it.
//
//	GET /         the page, and beside it its scripts and styles
//	GET /updates  what is new of the run, as server-sent events (type Update)
//	GET /game     a game of the newest iteration (type Game); ?number=3 is the third, without it the last
package watch
