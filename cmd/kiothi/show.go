package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kiothi/env"
	"kiothi/env/durable"
	"kiothi/env/mancala"
)

// This file is the command show.

func newShow(a *app) *cobra.Command {
	var game gameFlag
	var position positionFlag
	var moves, svg, color string
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Draw a position as text or as a picture",
		Long: `Draws a position: the game's start, or the one of --position, after the turns of
--moves, which are written as in play. The pits that the last of these turns
changed stand out, and on a terminal the row of the player to move and the
protected pits do, too.

With --svg, the position is also written as a picture into a file, or with
--svg - the picture alone to standard output.`,
		Example: `  kiothi show
  kiothi show --game rio-kadalis --moves "c F b"
  kiothi show --moves "eh:a3c2J5 EH:A3C2j5 j4" --svg board.svg
  kiothi show --game rio-kadalis --position "4,0,5,5,5,5/4,4,4,4,4,4 - 0-0 N sow 1" --svg - > board.svg`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := pathsGiven(cmd, "svg"); err != nil {
				return err
			}
			drawing := env.Drawing{}
			var err error
			if drawing.Color, err = colorWanted(color, a.out); err != nil {
				return err
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			s, err := position.parse(cmd, g)
			if err != nil {
				return err
			}
			if drawing.Changed, err = playTurns(g, &s, strings.Fields(moves)); err != nil {
				return err
			}
			picture := func(w io.Writer) error {
				_, err := io.WriteString(w, drawing.SVG(g, &s))
				return err
			}
			if svg == "-" {
				return picture(a.out)
			}
			if svg != "" {
				if err := pictures.check(svg); err != nil {
					return fmt.Errorf("--svg: %w", err)
				}
				if err := durable.WriteFile(svg, picture); err != nil {
					return fmt.Errorf("--svg: %w", err)
				}
			}
			_, err = io.WriteString(a.out, drawing.Text(g, &s))
			return err
		},
	}
	game.bind(cmd)
	position.bind(cmd)
	cmd.Flags().StringVar(&moves, "moves", "", "turns to play first, separated by spaces")
	cmd.Flags().StringVar(&svg, "svg", "", "file to write a picture to; - is standard output")
	cmd.Flags().StringVar(&color, "color", "auto", "whether text has colours: "+strings.Join(colorNames, ", ")+" (auto: on a terminal, unless NO_COLOR is set)")
	complete(cmd, "color", func() []string { return colorNames })
	return cmd
}

// playTurns plays turns, or single actions of an opening turn, and returns the pits that the last one changed.
func playTurns(g mancala.Game, s *mancala.State, texts []string) (changed uint32, err error) {
	for i, text := range texts {
		actions, err := g.ParseTurn(s, text)
		before := *s
		for _, a := range actions {
			if err == nil {
				_, err = g.Play(s, a)
			}
		}
		if err != nil {
			return 0, usage("turn %d of --moves, by %s: %w", i+1, before.Player, err)
		}
		changed = env.Changed(&before, s, g.Width())
	}
	return changed, nil
}

var colorNames = []string{"auto", "always", "never"}

// colorWanted decides by the flag --color, and where it leaves it open by what is at the other end of w.
func colorWanted(flag string, w io.Writer) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return env.ColorOn(showsEscapes(w), os.Getenv), nil
	}
	return false, unknownUsage("value of --color", flag, colorNames)
}

// showsEscapes reports whether w is a terminal that understands ANSI escapes, and makes it do so where it must be asked.
func showsEscapes(w io.Writer) bool {
	if watched, ok := w.(*watched); ok {
		w = watched.Writer
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && enableEscapes(file)
}
