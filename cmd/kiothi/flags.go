package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/train/progress"
)

// This file is the flags that several commands share.

// A gameFlag is --game and --rules.
type gameFlag struct{ game, rules string }

// bind adds the flags to a command.
func (f *gameFlag) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.game, "game", games.Names()[0], "game: "+strings.Join(games.Names(), " or "))
	cmd.Flags().StringVar(&f.rules, "rules", "", "rule set, such as mancala-world,bonus=run (default: the game's first; see kiothi help rules)")
	complete(cmd, "game", func() []string { return games.Names() })
	complete(cmd, "rules", func() []string {
		var names []string
		if e, err := games.Find(f.game); err == nil {
			for _, set := range e.Sets {
				names = append(names, set.Name+"\t"+set.Doc)
			}
		}
		return names
	})
}

// open opens the game that the flags name.
func (f *gameFlag) open() (mancala.Game, error) {
	g, err := games.Open(f.game, f.rules)
	return g, asUsage(err)
}

// complete makes the shell complete a flag's value from a list.
func complete(cmd *cobra.Command, flag string, words func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("kiothi: completion of a flag that is not there: " + err.Error())
	}
}

// completeAgents makes the shell complete arguments by the names of agents.
func (a *app) completeAgents(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.kinds.Names(), cobra.ShellCompDirectiveNoSpace
}

// A positionFlag is --position.
type positionFlag struct{ text string }

func (f *positionFlag) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.text, "position", "", "position to start from, as the trace prints it (default: the game's start)")
}

// parse reads the position. The white space and the quotes around it that a copy may have brought along are no part of it.
func (f *positionFlag) parse(cmd *cobra.Command, g mancala.Game) (mancala.State, error) {
	if !cmd.Flags().Changed("position") {
		return g.Start(), nil
	}
	text := strings.TrimSpace(f.text)
	for _, quote := range []string{`"`, "'"} {
		if inside, ok := strings.CutPrefix(text, quote); ok && strings.HasSuffix(inside, quote) {
			text = strings.TrimSuffix(inside, quote)
		}
	}
	s, err := g.Parse(text)
	return s, asUsage(err)
}

// A progressFlag is --progress.
type progressFlag struct{ text string }

func (f *progressFlag) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.text, "progress", "auto", "how to show progress: "+strings.Join(progress.ModeNames, ", ")+" (auto: a bar on a terminal, else plain lines)")
	complete(cmd, "progress", func() []string { return progress.ModeNames })
}

// reporter returns what shows progress on standard error.
func (f *progressFlag) reporter(a *app) (*progress.Reporter, error) {
	mode, err := progress.ParseMode(f.text)
	if err != nil {
		return nil, asUsage(err)
	}
	return progress.New(progress.Options{Mode: mode, Out: a.err}), nil
}

// bindSeed adds --seed.
func bindSeed(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "seed of all chance: the same seed gives the same games")
}

// bindWorkers adds --workers, 0 or more.
func bindWorkers(cmd *cobra.Command, workers *int) {
	cmd.Flags().Var((*workersValue)(workers), "workers", "number of threads (default: one a processor)")
}

// workersValue is the value of --workers.
type workersValue int

// String implements pflag.Value.
func (v *workersValue) String() string { return strconv.Itoa(int(*v)) }

// Set implements pflag.Value.
func (v *workersValue) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 31)
	if err == nil {
		*v = workersValue(n)
	}
	return err
}

// Type implements pflag.Value.
func (v *workersValue) Type() string { return "uint" }

// alias lets a flag be given under another name, too, which no help mentions.
func alias(cmd *cobra.Command, other, name string) {
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == other {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}
