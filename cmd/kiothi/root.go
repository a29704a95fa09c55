package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kiothi/env/games"
)

// This file is the command line as a whole: the commands, the help, and the version.

// newRoot returns the command line with all commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "kiothi",
		Short: "Train, measure and play Kiothi and Rio Kadalis",
		Long: `Kiothi trains, measures and plays two African mancala games: Kiothi, of the Meru
in Kenya, and Rio Kadalis, of Somalia.

Results go to standard output, everything else to standard error. The exit
status is 0, 1 after a failure, and 2 when the command line is wrong.`,
		Example: `  kiothi train --preset quick
  kiothi play --agent greedy
  kiothi evaluate greedy random --games 200
  kiothi trace --game rio-kadalis --actions 2,2
  kiothi help rules`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("kiothi {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.AddCommand(
		newTrain(a),
		newWatch(a),
		newPlay(a),
		newShow(a),
		newEvaluate(a),
		newCheck(a),
		newTrace(a),
		newPerft(a),
		newBench(a),
		newExport(a),
		newGames(a),
		newEngine(a),
		newFit(a),
		newDistill(a),
		newSolve(a),
		newVerify(a),
		newEndgame(a),
		newPlot(a),
		newServe(a),
		&cobra.Command{
			Use:   "rules",
			Short: "The games, their rule sets and options",
			Long: `Every command that plays takes --game and --rules. A rule set is a name, or a
name with options overridden: --rules mancala-world,bonus=run,lifts=0+2

` + games.Help(),
		},
		&cobra.Command{
			Use:   "agents",
			Short: "The agents that can play, and how they are written",
			Long: `An agent is written NAME[:ARGUMENT][,option=value...], for example greedy, or
zero:runs/first,sims=64. The first colon ends the name; a comma inside an argument
or a value is written twice. Nothing else is special: C:\my runs\first is a path
as it stands. The options below stand with their defaults, or with a word in
capitals where the default is none, or depends on others.

` + a.kinds.Help(),
		},
	)
	root.SetHelpCommand(newHelp())
	tightenCompletion(root)
	return root
}

// tightenCompletion adds cobra's command completion and makes it refuse what it does not know, instead of showing its help
// in place of the script that was asked for.
func tightenCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = onlyCommands
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		for _, shell := range cmd.Commands() {
			shell.Args = noArguments
		}
	}
}

// newHelp replaces cobra's help command, which takes an unknown topic for a success.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command or topic]",
		Short: "Help about a command or a topic",
		Long:  "Shows the help of a command or of a topic.",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, child := range cmd.Root().Commands() {
					names = append(names, child.Name())
				}
				return unknownUsage("topic", args[len(args)-max(len(rest), 1)], names)
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// version returns the module's version with the commit that the program was built from.
func version() string {
	text := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		text = info.Main.Version
	}
	if c := commit(); c != "" {
		text += ", commit " + c
	}
	return fmt.Sprintf("%s, %s %s/%s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commit returns the commit that the program was built from, as far as the build recorded it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, modified := "", ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			commit = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				modified = " with local changes"
			}
		}
	}
	if commit == "" {
		return ""
	}
	return commit + modified
}
