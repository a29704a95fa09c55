// Package api is the JSON interface over HTTP: states, legal moves, and what an agent plays and thinks. It keeps nothing: a request
// carries the whole game. It is described by openapi.json, which it serves, too.
//
// Whoever reaches the server may ask, so that everything is bounded: what is read, how long it takes, how much thinks at once and
// how much memory that takes. No request reaches the file system or another program. Who reaches the server is for
// webserver.Guard to say.
package api
