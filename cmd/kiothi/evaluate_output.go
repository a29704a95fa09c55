package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"kiothi/env/mancala"
	"kiothi/train/arena"
	"kiothi/train/plot"
	"kiothi/train/rating"
)

// This file is the forms in which evaluate gives its result: text, JSON, CSV, and files of games.

// outputFlags is the flags that say what is printed and written.
type outputFlags struct {
	json                bool
	csv, plot           string
	gamesOut, gamesText string
	force               bool
}

func (f *outputFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the result as JSON")
	flags.StringVar(&f.csv, "csv", "", "file to write a line of CSV an agent to, - for standard output in place of the text")
	flags.StringVar(&f.plot, "plot", "", "picture of the ratings to write, .png or .svg, with one of the matches beside it, or a folder for all")
	flags.StringVar(&f.gamesOut, "games-out", "", "file to write the games to, for kiothi trace --batch")
	flags.StringVar(&f.gamesText, "games-text", "", "file to write the games to as text")
	bindForce(cmd, &f.force, "what is in the files")
}

// check refuses flags that do not go together.
func (f *outputFlags) check(cmd *cobra.Command) error {
	if err := pathsGiven(cmd, "csv", "plot", "games-out", "games-text"); err != nil {
		return err
	}
	if f.json && f.csv == "-" {
		return usage("--json and --csv - both print to standard output: give --csv a file, or leave one out")
	}
	if err := plot.CheckEnding(f.plot); err != nil {
		return usage("--plot: %w", err)
	}
	var paths []flagPath
	for _, file := range f.wanted() {
		paths = append(paths, flagPath{file.flag, file.path})
	}
	return separate(paths...)
}

// A reportWriter writes a tournament in some form.
type reportWriter func(w io.Writer, g mancala.Game, r *report) error

// A wantedFile is a file that was asked for.
type wantedFile struct {
	flag, path string
	write      reportWriter
}

// wanted returns the files that were asked for.
func (f *outputFlags) wanted() (files []wantedFile) {
	add := func(flag, path string, write reportWriter) {
		if path != "" {
			files = append(files, wantedFile{flag, path, write})
		}
	}
	if f.csv != "-" {
		add("csv", f.csv, func(w io.Writer, _ mancala.Game, r *report) error { return r.writeCSV(w) })
	}
	add("games-out", f.gamesOut, func(w io.Writer, _ mancala.Game, r *report) error { return r.table.WriteGames(w) })
	add("games-text", f.gamesText, func(w io.Writer, g mancala.Game, r *report) error { return r.table.WriteText(w, g) })
	return append(files, pictureFiles(f.plot)...)
}

// A reportFile is a file that is begun, with what goes into it.
type reportFile struct {
	*begunFile
	write reportWriter
}

// reportFiles are the files that are begun.
type reportFiles []reportFile

// begin begins the files that were asked for.
func (f *outputFlags) begin() (files reportFiles, err error) {
	if err := makePictureFolder(f.plot); err != nil {
		return nil, fmt.Errorf("--plot: %w", err)
	}
	for _, want := range f.wanted() {
		file, err := beginFile(want.flag, want.path, replacing{force: f.force})
		if err != nil {
			files.abort()
			return nil, err
		}
		files = append(files, reportFile{file, want.write})
	}
	return files, nil
}

// write writes and finishes all files.
func (fs reportFiles) write(g mancala.Game, r *report) error {
	var errs []error
	for _, f := range fs {
		errs = append(errs, f.finish(func(w io.Writer) error { return f.write(w, g, r) }))
	}
	return errors.Join(errs...)
}

// abort removes the files that are not finished.
func (fs reportFiles) abort() {
	for _, f := range fs {
		f.abort()
	}
}

// print prints the result.
func (f *outputFlags) print(w io.Writer, r *report) error {
	switch {
	case f.json:
		return r.writeJSON(w)
	case f.csv == "-":
		return r.writeCSV(w)
	}
	text := r.tableText()
	if len(r.table.Standings) == 2 {
		text = r.matchText()
	}
	_, err := io.WriteString(w, text)
	return err
}

// matchJSON is a match of two agents in JSON.
type matchJSON struct {
	*arena.Result
	Costs   [2]arena.Cost   `json:"costs"`
	Anchor  int             `json:"anchor"`
	Ratings *rating.Ratings `json:"ratings,omitempty"`
}

// writeJSON writes all that is known: of two agents their match, of more the table with all matches.
func (r *report) writeJSON(w io.Writer) error {
	var value any = r.table
	if s := r.table.Standings; len(s) == 2 {
		value = matchJSON{r.table.Matches[0], [2]arena.Cost{s[0].Cost, s[1].Cost}, r.table.Anchor, r.table.Ratings}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// writeCSV writes a line an agent, the strongest first. Its score against agent 3 is in the column against_3.
func (r *report) writeCSV(w io.Writer) error {
	t := r.table
	out := csv.NewWriter(w)
	heading := []string{"number", "agent", "elo", "elo_low", "elo_high", "games", "score", "score_low", "score_high", "won", "drawn", "lost",
		"points", "warriors_won", "warriors_lost", "distinct", "mean_turns", "mean_margin"}
	for _, reason := range arena.ForfeitReasons {
		heading = append(heading, "forfeits_"+string(reason))
	}
	heading = append(heading, "answers", "simulations_a_move", "nodes_a_move", "milliseconds_a_move")
	for i := range t.Standings {
		heading = append(heading, fmt.Sprintf("against_%d", i+1))
	}
	_ = out.Write(heading) // Flush remembers the error
	for _, i := range r.agents() {
		s := &t.Standings[i]
		line := []string{strconv.Itoa(i + 1), s.Agent}
		if t.Ratings != nil {
			elo := t.Ratings.Elo[i]
			line = append(line, decimal(elo.Value), decimal(elo.Low), decimal(elo.High))
		} else {
			line = append(line, "", "", "")
		}
		line = append(line, strconv.Itoa(s.Games), decimal(s.Score), decimal(s.Low), decimal(s.High),
			strconv.Itoa(s.Total.Wins), strconv.Itoa(s.Total.Draws), strconv.Itoa(s.Total.Losses), decimal(s.Points),
			strconv.Itoa(s.WarriorWins), strconv.Itoa(s.WarriorLosses), strconv.Itoa(s.Distinct), decimal(s.MeanTurns), decimal(s.MeanMargin))
		for _, reason := range arena.ForfeitReasons {
			line = append(line, strconv.Itoa(s.Forfeits[reason]))
		}
		line = append(line, strconv.FormatInt(s.Cost.Answers, 10),
			decimal(s.Cost.SimulationsEach()), decimal(s.Cost.NodesEach()), decimal(s.Cost.MillisecondsEach()))
		for j := range t.Standings {
			cell := ""
			if score, ok := t.Against(i, j); ok {
				cell = decimal(score)
			}
			line = append(line, cell)
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// decimal writes a number for programs.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
