package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kiothi/train/arena"
)

// This file is the result of evaluate as text: at length for two agents, as tables of at most 120 columns for more.

// reportWidth is the width of the text.
const reportWidth = 120

// matchText describes a match of two agents.
func (r *report) matchText() string {
	m := r.table.Matches[0]
	var text strings.Builder
	line := func(label, format string, values ...any) {
		fmt.Fprintf(&text, "  %-10s "+format+"\n", append([]any{label}, values...)...)
	}
	fmt.Fprintf(&text, "%s against %s\n", m.Agents[0], m.Agents[1])
	line("match", "%d games of %s %s from both seats", m.Games, m.Game, m.Rules)
	line("openings", "%s", r.openings())
	if m.Games == 0 {
		line("score", "none, for no pair of games was finished")
		return text.String()
	}
	tally := func(t arena.Tally) string {
		return fmt.Sprintf("%d won, %d drawn, %d lost", t.Wins, t.Draws, t.Losses)
	}
	line("score", "%.1f %% (95 %% interval %.1f %% to %.1f %%)", 100*m.Score, 100*m.Low, 100*m.High)
	if t := r.table.Ratings; t != nil {
		sign := 1.0
		if r.table.Anchor == 0 {
			sign = -1 // the rating is the other agent's
		}
		elo := t.Elo[1-r.table.Anchor]
		low, high := sign*elo.Low, sign*elo.High
		line("rating", "%+.0f Elo (95 %% interval %+.0f to %+.0f), better with a likelihood of %.1f %%",
			sign*elo.Value, min(low, high), max(low, high), 100*t.Superiority[0][1])
	}
	if m.SPRT != nil {
		line("test", "%s", sprtText(m.SPRT, m.Games))
	}
	line("games", "%s", tally(m.Total))
	line("as South", "%s", tally(m.South))
	line("as North", "%s", tally(m.North))
	exactlyTwo := func(side int) string {
		return fmt.Sprintf("%.1f %% (%.1f %% to %.1f %%)",
			100*float64(m.WarriorWins[side])/float64(m.Games), 100*m.WarriorLow[side], 100*m.WarriorHigh[side])
	}
	line("warriors", "%d won by exactly two seeds, %s of the games, %d lost so, %s", m.WarriorWins[0], exactlyTwo(0), m.WarriorWins[1], exactlyTwo(1))
	if m.Warrior > 1 {
		line("points", "%g to %g, such a win counting %d", m.Points[0], m.Points[1], m.Warrior)
	}
	line("margin", "%+.1f seeds a game (95 %% interval %+.1f to %+.1f)", m.MeanMargin, m.MarginLow, m.MarginHigh)
	line("length", "%.1f turns a game; %d games ended by the clock; %d relays cut", m.MeanTurns, m.Exhausted, m.CutTurns)
	line("distinct", "%d of %d games", m.Distinct, m.Games)
	if 2*m.Distinct < m.Games {
		line("warning", "games repeat, so the interval is narrower than the match deserves")
	}
	for i := range r.table.Standings {
		label := "cost"
		if i > 0 {
			label = ""
		}
		s := &r.table.Standings[i]
		line(label, "%s: %s", s.Agent, costText(&s.Cost))
	}
	text.WriteString(r.forfeitsText())
	return text.String()
}

// costText says what a move cost.
func costText(c *arena.Cost) string {
	text := fmt.Sprintf("%s ms a move", short(c.MillisecondsEach()))
	if c.Nodes > 0 {
		text = short(c.NodesEach()) + " nodes, " + text
	}
	if c.Simulations > 0 {
		text = short(c.SimulationsEach()) + " simulations, " + text
	}
	return text
}

// sprtText says what a sequential test came to.
func sprtText(s *arena.SPRTResult, games int) string {
	verdict := fmt.Sprintf("undecided after %d games between %g and %g Elo", games, s.Elo0, s.Elo1)
	switch {
	case s.Accepted():
		verdict = fmt.Sprintf("H1 accepted after %d games: at least %g Elo, not %g", games, s.Elo1, s.Elo0)
	case s.Decided():
		verdict = fmt.Sprintf("H0 accepted after %d games: no more than %g Elo, not %g", games, s.Elo0, s.Elo1)
	}
	return fmt.Sprintf("%s (LLR %.2f, bounds %.2f and %.2f)", verdict, s.LLR, s.Lower, s.Upper)
}

// short writes a number for people, with about three digits.
func short(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.9995:
		return fmt.Sprintf("%.3f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	case x < 999_950:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1fM", x/1e6)
}

// optional writes a number that many agents have none of.
func optional(x float64) string {
	if x == 0 {
		return "-"
	}
	return short(x)
}

// tableText describes a tournament of more than two agents.
func (r *report) tableText() string {
	t := r.table
	var text strings.Builder
	fmt.Fprintf(&text, "%d agents, %d matches, %d games of %s %s from both seats\n", len(t.Standings), len(t.Matches), t.Games, t.Game, t.Rules)
	fmt.Fprintf(&text, "openings %s\n", r.openings())
	if t.Games == 0 {
		text.WriteString("no pair of games was finished\n")
		return text.String()
	}
	text.WriteByte('\n')
	r.writeStandings(&text)
	r.writeCosts(&text)
	r.writeGrid(&text, "Score of the row against the column, in %", func(i, j int) (string, bool) {
		score, ok := t.Against(i, j)
		return fmt.Sprintf("%.1f", 100*score), ok
	})
	if t.Ratings != nil {
		r.writeGrid(&text, "Likelihood that the row is stronger than the column, in %", func(i, j int) (string, bool) {
			return fmt.Sprintf("%.1f", 100*t.Ratings.Superiority[i][j]), i != j
		})
	}
	text.WriteString(r.forfeitsText())
	return text.String()
}

// writeStandings writes the results of all agents.
func (r *report) writeStandings(text *strings.Builder) {
	t := r.table
	points := ""
	if t.Warrior > 1 {
		points = fmt.Sprintf("%9s", "points")
	}
	fmt.Fprintf(text, "  # %7s %15s %7s %15s %6s %5s %6s %8s %6s %7s %9s%s\n", "Elo", "95 % interval", "score", "95 % interval",
		"won", "drawn", "lost", "distinct", "turns", "margin", "warriors", points)
	for _, i := range r.agents() {
		s := &t.Standings[i]
		elo, interval := "-", "-"
		if t.Ratings != nil {
			e := t.Ratings.Elo[i]
			elo = fmt.Sprintf("%+.0f", e.Value)
			if i != t.Anchor {
				interval = fmt.Sprintf("%+.0f to %+.0f", e.Low, e.High)
			} else {
				elo, interval = "0", "anchor"
			}
		}
		if t.Warrior > 1 {
			points = fmt.Sprintf("%9g", s.Points)
		}
		fmt.Fprintf(text, "%3d %7s %15s %7.1f %15s %6d %5d %6d %8d %6.1f %+7.1f %9s%s\n", i+1, elo, interval,
			100*s.Score, fmt.Sprintf("%.1f to %.1f", 100*s.Low, 100*s.High), s.Total.Wins, s.Total.Draws, s.Total.Losses,
			s.Distinct, s.MeanTurns, s.MeanMargin, fmt.Sprintf("%d:%d", s.WarriorWins, s.WarriorLosses), points)
	}
	text.WriteString("Scores in %. Warriors are wins by exactly two seeds, won and lost.")
	if t.Warrior > 1 {
		fmt.Fprintf(text, " Such a win counts %d points.", t.Warrior)
	}
	text.WriteByte('\n')
	if t.Ratings != nil {
		fmt.Fprintf(text, "Elo by maximum likelihood, agent %d being 0.\n", t.Anchor+1)
	} else {
		fmt.Fprintf(text, "No ratings: %v.\n", r.unrated)
	}
	for i := range t.Standings {
		if s := &t.Standings[i]; 2*s.Distinct < s.Games {
			text.WriteString("Games repeat, so that intervals are narrower than they deserve to be.\n")
			break
		}
	}
	text.WriteByte('\n')
}

// writeCosts writes what each agent is called and what its moves cost, by number.
func (r *report) writeCosts(text *strings.Builder) {
	const heading = "  #  sims/move  nodes/move  ms/move  forfeits  agent\n"
	text.WriteString(heading)
	indent := strings.Index(heading, "agent")
	for i := range r.table.Standings {
		s := &r.table.Standings[i]
		forfeits := "-"
		if n := s.Forfeited(); n > 0 {
			forfeits = strconv.Itoa(n)
		}
		fmt.Fprintf(text, "%3d  %9s  %10s  %7s  %8s  ", i+1, optional(s.Cost.SimulationsEach()), optional(s.Cost.NodesEach()),
			short(s.Cost.MillisecondsEach()), forfeits)
		for j, part := range broken(s.Agent, reportWidth-indent) {
			if j > 0 {
				text.WriteString(strings.Repeat(" ", indent))
			}
			text.WriteString(part + "\n")
		}
	}
	text.WriteByte('\n')
}

// broken cuts a text into parts of at most width characters; an empty text is one part.
func broken(text string, width int) []string {
	runes := []rune(text)
	var parts []string
	for part := range slices.Chunk(runes, width) {
		parts = append(parts, string(part))
	}
	if parts == nil {
		return []string{""}
	}
	return parts
}

// gridColumns is how many agents fit into the width of a grid.
const gridColumns = (reportWidth - 3) / 6

// writeGrid writes a table of all agents against all, the strongest first, in as many parts as the width needs.
func (r *report) writeGrid(text *strings.Builder, title string, cell func(i, j int) (string, bool)) {
	order := r.agents()
	text.WriteString(title + "\n")
	for columns := range slices.Chunk(order, gridColumns) {
		text.WriteString("  #")
		for _, j := range columns {
			fmt.Fprintf(text, "%6d", j+1)
		}
		text.WriteByte('\n')
		for _, i := range order {
			fmt.Fprintf(text, "%3d", i+1)
			for _, j := range columns {
				word, ok := cell(i, j)
				if !ok {
					word = "-"
				}
				fmt.Fprintf(text, "%6s", word)
			}
			text.WriteByte('\n')
		}
		text.WriteByte('\n')
	}
}

// shownForfeits is how many forfeits of a reason the text lists.
const shownForfeits = 3

// forfeitsText lists the games that were lost without being played to their end, by agent and reason.
func (r *report) forfeitsText() string {
	t := r.table
	var text strings.Builder
	for i := range t.Standings {
		for _, reason := range arena.ForfeitReasons {
			if n := t.Standings[i].Forfeits[reason]; n > 0 {
				fmt.Fprintf(&text, "%s forfeited %s by %s:\n", r.called(i), plural(n, "game"), reasonText(reason))
				r.writeForfeits(&text, i, reason)
			}
		}
	}
	return text.String()
}

// writeForfeits tells the first forfeits of an agent for a reason.
func (r *report) writeForfeits(text *strings.Builder, agent int, reason arena.ForfeitReason) {
	shown := 0
	for match, m := range r.table.Matches {
		first, second := r.table.Pair(match)
		for _, f := range m.Forfeits {
			if f.Reason != reason || [2]int{first, second}[f.Loser] != agent {
				continue
			}
			if shown++; shown > shownForfeits {
				fmt.Fprintf(text, "  and more, which --json and --games-text list\n")
				return
			}
			detail := f.Detail
			if width := reportWidth - 35; utf8.RuneCountInString(detail) > width {
				detail = string([]rune(detail)[:width-1]) + "…"
			}
			fmt.Fprintf(text, "  against %s, game %d: %s\n    %s\n", r.called([2]int{second, first}[f.Loser]), f.Game, detail, f.Position)
		}
	}
}

// called returns how the text calls an agent: by its name where there are two, and otherwise by its number.
func (r *report) called(agent int) string {
	if len(r.table.Standings) == 2 {
		return r.table.Standings[agent].Agent
	}
	return fmt.Sprintf("agent %d", agent+1)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// reasonText says why a game was forfeited.
func reasonText(reason arena.ForfeitReason) string {
	switch reason {
	case arena.IllegalAction:
		return "an illegal action"
	case arena.Failure:
		return "an error"
	case arena.Panic:
		return "a panic"
	}
	return "taking too long"
}
