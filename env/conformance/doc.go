// Package conformance checks environments and engines, as the checkers of Gymnasium and PettingZoo do: Check plays random
// games in an environment and holds it to its contract, and CheckTrace compares another program's engine with ours over
// the trace (rules, section 6).
//
// Both return a report with a result for each check. A failure says what was expected, what was found, and which command
// shows it again.
package conformance
