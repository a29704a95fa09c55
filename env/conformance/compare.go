package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"kiothi/env/mancala"
)

// This file compares one answer of another engine with ours.

// fieldDocs describes the fields of a state, in their order.
var fieldDocs = []struct{ name, doc string }{
	{"ply", "the actions played so far"},
	{"position", "the board as it lies, before any sweep at the end"},
	{"player", "who is to move"},
	{"legal", "the legal actions, ascending, none when the game is over"},
	{"over", "whether the game is over"},
	{"reason", "why it is over"},
	{"stores", "South's and North's, after the sweep when it is over"},
	{"laps", "laps of the turn just made, 0 in the opening and at the start"},
	{"captured", "seeds that the turn just made put into the stores, before any sweep"},
	{"cut", "whether the turn's relay was cut"},
}

// compare compares an answer with what our engine says.
func (c *traceCheck) compare(g *tracedGame, answer []byte) {
	c.results["answers"].Trials++
	expected := fmt.Sprintf("a JSON array of %d states", len(g.want))
	var states []map[string]json.RawMessage
	if err := json.Unmarshal(answer, &states); err != nil {
		c.failGame("answers", g, expected, short(answer))
		return
	}
	for ply := range min(len(states), len(g.want)) {
		if !c.compareState(g, ply, states[ply]) {
			return // what follows a wrong state is wrong for its reason
		}
	}
	if len(states) != len(g.want) {
		c.failGame("answers", g, expected, fmt.Sprintf("one of %d", len(states)))
	}
}

// compareState compares a state field by field and reports whether all agree.
func (c *traceCheck) compareState(g *tracedGame, ply int, state map[string]json.RawMessage) bool {
	agree := true
	fail := func(name, expected, found string) {
		agree = false
		c.fail(name, g, Failure{Expected: expected, Found: found, Where: g.set.String() + ", " + describeState(g, ply),
			Reproduce: c.echo(jsonText(until(g.line, ply)))})
	}
	want := reflect.ValueOf(g.want[ply])
	c.results["fields"].Trials++
	for i, field := range fieldDocs {
		c.results[field.name].Trials++
		raw, ok := state[field.name]
		if !ok {
			fail("fields", fmt.Sprintf("the field %q", field.name), "a state without it")
			continue
		}
		found := reflect.New(want.Field(i).Type())
		err := json.Unmarshal(raw, found.Interface())
		if err == nil && reflect.DeepEqual(found.Elem().Interface(), want.Field(i).Interface()) {
			continue
		}
		expected, shown := jsonText(want.Field(i).Interface()), short(raw)
		if field.name == "legal" && err == nil {
			expected, shown = legalDifference(g.want[ply].Legal, found.Elem().Interface().([]mancala.Action))
		}
		fail(field.name, expected, shown)
	}
	for _, name := range slices.Sorted(maps.Keys(state)) {
		if !slices.ContainsFunc(fieldDocs, func(f struct{ name, doc string }) bool { return f.name == name }) {
			fail("fields", "no fields but those of the trace", fmt.Sprintf("the field %q", name))
		}
	}
	return agree
}

// notAnError says what keeps an answer from being an error at a ply; it is empty when it is one.
func notAnError(answer []byte, ply int) string {
	var e struct {
		Error *string `json:"error"`
		Ply   *int    `json:"ply"`
	}
	if err := json.Unmarshal(answer, &e); err != nil || e.Error == nil || *e.Error == "" || e.Ply == nil || *e.Ply != ply {
		return short(answer)
	}
	return ""
}

// describeState says where in a game a state is.
func describeState(g *tracedGame, ply int) string {
	if ply == 0 {
		return "its first state"
	}
	return fmt.Sprintf("ply %d, after action %d in %s", ply, g.line.Actions[ply-1], g.want[ply-1].Position)
}

// legalDifference says what one list of actions has that the other has not.
func legalDifference(want, found []mancala.Action) (expected, shown string) {
	without := func(a, b []mancala.Action) []mancala.Action {
		return slices.DeleteFunc(slices.Clone(a), func(x mancala.Action) bool { return slices.Contains(b, x) })
	}
	missing, extra := without(want, found), without(found, want)
	if len(missing) == 0 && len(extra) == 0 {
		return jsonText(want), jsonText(found) + ", which is in another order, or no list, or has one twice"
	}
	return jsonText(want), fmt.Sprintf("%s: missing are %s, too many are %s", short([]byte(jsonText(found))), jsonText(missing), jsonText(extra))
}

// jsonText writes a value as JSON.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// short returns a text to show, cut when it is long.
func short(text []byte) string {
	const most = 300
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "?") + "…"
	}
	return strings.ToValidUTF8(string(text), "?")
}

// commandText writes a command as a shell reads it.
func commandText(command []string) string {
	texts := slices.Clone(command)
	for i, word := range texts {
		if word == "" || strings.ContainsAny(word, " \t\"'\\$&|<>;*?()") {
			texts[i] = `'` + strings.ReplaceAll(word, `'`, `'\''`) + `'`
		}
	}
	return strings.Join(texts, " ")
}
