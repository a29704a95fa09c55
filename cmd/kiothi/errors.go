package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kiothi/agent"
	"kiothi/env/choice"
	"kiothi/env/webserver"
)

// This file turns mistakes in the command line into one clear line, and errors into exit statuses.

// The exit statuses.
const (
	statusOK      = 0
	statusFailure = 1
	statusUsage   = 2
)

// A usageError is a mistake in the command line, as opposed to a failure of what it asked for.
type usageError struct{ error }

// Unwrap returns the mistake.
func (e usageError) Unwrap() error { return e.error }

// usage makes a usageError.
func usage(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

// unknownUsage is the usageError for a word that is not one of the valid ones.
func unknownUsage(kind, got string, valid []string) error {
	return usageError{choice.Unknown(kind, got, valid)}
}

// asUsage marks an error as a mistake in the command line. It passes nil on.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// status returns the exit status for the outcome of a command.
func status(err error) int {
	var wrong usageError
	var spec *agent.SpecError
	var address *webserver.AddressError
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &wrong), errors.As(err, &spec), errors.As(err, &address):
		return statusUsage
	}
	return statusFailure
}

// prefix returns how an error of a command begins: with its name, unless it is the program itself.
func prefix(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ") + ": "
}

// flagError explains a flag that cobra could not read.
func flagError(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		given := "--" + missing.GetSpecifiedName()
		if short := missing.GetSpecifiedShortnames(); short != "" {
			given = "-" + short
		}
		return unknownUsage("flag", given, names)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usage("flag --%s: %w", invalid.GetFlag().Name, valueError(invalid))
	}
	return asUsage(err)
}

// valueError says what is wrong with a flag's value, without the words of package strconv.
func valueError(invalid *pflag.InvalidValueError) error {
	kind := invalid.GetFlag().Value.Type()
	if kind == "duration" {
		return fmt.Errorf("%q is not a length of time, such as 300ms or 2s", invalid.GetValue())
	}
	var number *strconv.NumError
	if !errors.As(invalid, &number) {
		return fmt.Errorf("%q: %w", invalid.GetValue(), invalid.Unwrap())
	}
	switch {
	case errors.Is(number, strconv.ErrRange):
		return fmt.Errorf("%s is too large or too small", invalid.GetValue())
	case strings.HasPrefix(kind, "float"):
		return fmt.Errorf("%q is not a number", invalid.GetValue())
	case kind == "bool":
		return fmt.Errorf("%q is neither true nor false", invalid.GetValue())
	case strings.HasPrefix(kind, "uint"):
		return fmt.Errorf("%q is not a whole number from 0 up", invalid.GetValue())
	}
	return fmt.Errorf("%q is not a whole number", invalid.GetValue())
}

// required refuses a command line without a flag that the command cannot do without, which the example shows.
func required(cmd *cobra.Command, example string, flags ...string) error {
	for _, name := range flags {
		if !cmd.Flags().Changed(name) {
			return usage("--%s is missing, expected as in %s", name, example)
		}
	}
	return nil
}

// pathsGiven refuses flags for paths that are given without one, as by a shell variable that is not set: taken as left out,
// they would make the command do something else than it was asked for.
func pathsGiven(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return usage("--%s is empty, expected a path", name)
		}
	}
	return nil
}

// pathArguments refuses arguments that are paths if one of them is empty, for the reason of pathsGiven.
func pathArguments(args []string) error {
	for _, path := range args {
		if path == "" {
			return usage("an argument is empty, expected a path")
		}
	}
	return nil
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("takes no arguments, found %q", args[0])
	}
	return nil
}

// onlyCommands refuses arguments of a command that only groups others.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name())
		}
	}
	return unknownUsage("command", args[0], names)
}
