package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kiothi/agent/players"
)

func TestAWrongCommandLineIsExplainedInOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args string
		want string
	}{
		{"plya", `unknown command "plya", did you mean "play"? Valid commands: bench`},
		{"bench envs", `bench: unknown command "envs", did you mean "env"?`},
		{"help trce", `unknown topic "trce", did you mean "trace"?`},
		{"--verison", `unknown flag "--verison", did you mean "--version"?`},
		{"trace --gmae kiothi", `trace: unknown flag "--gmae", did you mean "--game"? Valid flags: --actions, --batch`},
		{"trace -g kiothi", `trace: unknown flag "-g"`},
		{"trace --game", "trace: flag needs an argument: --game"},
		{"trace 604", `trace: takes no arguments, found "604"`},
		{"trace --game kiotih", `unknown game "kiotih", did you mean "kiothi"? Valid games: kiothi, rio-kadalis`},
		{"trace --rules mancala-wrld", `unknown rule set "mancala-wrld", did you mean "mancala-world"?`},
		{"trace --rules mancala-world,bnous=run", `unknown option "bnous", did you mean "bonus"?`},
		{"trace --rules mancala-world,bonus=two", "valid values: three, run"},
		{"trace --actions 604,x", `"x" is not an action id`},
		{"trace --position nonsense", `position "nonsense": found 1 fields, expected 6`},
		{"trace --position ", "found 1 fields"},
		{"trace --batch --game kiothi", "leave --game out"},
		{"export kiothi-quick --out x --without nmp", `export: --without: unknown part "nmp". Valid parts: npm, web`},
		{"export --web x --without npm", "neither a network nor --out nor --without"},
		{"perft", "perft: --depth is missing, expected as in kiothi perft --depth 3"},
		{"perft --depth -1", "perft: --depth: found -1, expected 0 or more"},
		{"perft --depth two", `flag --depth: "two" is not a whole number`},
		{"perft --depth 99999999999999999999", "99999999999999999999 is too large or too small"},
		{"perft --divide=maybe", `flag --divide: "maybe" is neither true nor false`},
		{"evaluate", "evaluate: needs two agents or more, as in kiothi evaluate greedy random; found 0"},
		{"evaluate greedy", "evaluate: needs two agents or more"},
		{"evaluate greedy random greedy --games 400000", "3 matches of 400000 games: expected at most 1000000 games in all"},
		{"evaluate greedy random --plot a.bmp", "evaluate: --plot: a.bmp: expected a name that ends in .png or .svg, or a folder"},
		{"evaluate greedy random greedy --sprt 0,10", "evaluate: --sprt is for a match of two agents, found 3"},
		{"evaluate greedy random --sprt 10,0", "evaluate: --sprt: elo0 is 10 and elo1 is 0"},
		{"evaluate greedy random --sprt 10", `evaluate: --sprt: "10" has 1 numbers`},
		{"evaluate greedy random --sprt ", "evaluate: --sprt is empty"},
		{"evaluate greedy random --move-time 0s", "evaluate: --move-time: 0s, expected a time above 0"},
		{"evaluate greedy random --move-time 5", `flag --move-time: "5" is not a length of time`},
		{"evaluate greedy random --json --csv -", "both print to standard output"},
		{"evaluate greedy random --csv a --games-out a", "evaluate: --csv and --games-out are both a, expected two files"},
		{"evaluate greedy random --workers -1", `flag --workers: "-1" is not a whole number from 0 up`},
		{"evaluate greedy random --workers 99999999999", "flag --workers: 99999999999 is too large"},
		{"distill games --workers -1", `flag --workers: "-1" is not`},
		{"distill learn --workers -1", `flag --workers: "-1" is not`},
		{"fit --workers -1", `flag --workers: "-1" is not`},
		{"evaluate greedi random", `unknown agent "greedi", did you mean "greedy"?`},
		{"evaluate greedy random,sims=3", `unknown option "sims": random has no options`},
		{"evaluate greedy random --games 7", "expected an even number"},
		{"evaluate greedy random --games many", `flag --games: "many" is not a whole number`},
		{"evaluate greedy random --seed -1", `flag --seed: "-1" is not a whole number from 0 up`},
		{"evaluate greedy random --warrior 3", "expected 1, 2 or 10"},
		{"evaluate greedy random --openings randm", `unknown opening "randm", did you mean "random"? Valid openings: random, own; and there is no file of that name`},
		{"evaluate greedy random --progress plan", `unknown progress mode "plan", did you mean "plain"?`},
		{"evaluate greedy random --games-out ", "evaluate: --games-out is empty, expected a path"},
		{"train --resume ", "train: --resume is empty, expected a path"},
		{"train --dir ", "train: --dir is empty, expected a path"},
		{"train --config ", "train: --config is empty, expected a path"},
		{"check --games 0", "check: 0 games, expected 1 or more"},
		{"check --game chess", `unknown game "chess"`},
		{"check --game rio-kadalis --rules mancala-world", `unknown rule set "mancala-world"`},
		{"check --trace ", "check: --trace: it is empty, expected a program"},
		{"check --trace 'x", "check: --trace: 'x: a quote ' is never closed"},
		{"check --trace x --timeout 0s", "check: a timeout of 0s, expected a positive length of time"},
		{"check --timeout 1s", "check: --timeout is for the program of --trace"},
		{"check --engine ", "check: --engine: it is empty, expected a program"},
		{"check --engine x --trace y", "check: --engine and --trace are two checks, expected one of them"},
		{"check --engine x --timeout 0s", "check: a timeout of 0s, expected a positive length of time"},
		{"engine --agent greedi", `unknown agent "greedi", did you mean "greedy"?`},
		{"engine --game chess", `unknown game "chess"`},
		{"engine --seed 9223372036854775808", "engine: a seed of 9223372036854775808, expected at most 9223372036854775807"},
		{"evaluate engine random", "engine needs an argument; it is written engine:COMMAND"},
		{"evaluate engine:x,movetime=1us random", "option movetime: 1µs is less than a millisecond"},
		{"evaluate engine:x,set=Hash random", `option set: "Hash" is not of the form NAME=VALUE`},
		{"evaluate engine:'x random", "a quote ' is never closed"},
		{"show --moves e3", `show: turn 1 of --moves, by South: `},
		{"show --color blue", `unknown value of --color "blue"`},
		{"show --svg ", "show: --svg is empty, expected a path"},
		{"play --seat west", `unknown seat "west"`},
		{"play --agent greedy --agent random --seat south", "leave --seat out"},
		{"play --agent a --agent b --agent c", "play: there are two seats, found 3 agents"},
		{"play --seat both --agent greedy", "leaves no seat"},
		{"play --agent nobody", `unknown agent "nobody"`},
		{"bench env --runs 0", "expected positive numbers"},
		{"bench env --game chess", `unknown game "chess"`},
		{"bench env --time soon", `flag --time: "soon" is not a length of time, such as 300ms`},
		{"bench env --time 1", `flag --time: "1" is not a length of time`},
		{"watch", "watch: needs the folder of a run"},
		{"watch a b", "found 2 arguments"},
		{"watch ", "watch: an argument is empty, expected a path"},
		{"games ", "games: an argument is empty, expected a path"},
		{"verify ", "verify: an argument is empty, expected a path"},
		{"plot a  --out x.png", "plot: an argument is empty, expected a path"},
		{"distill learn  --dir x", "distill learn: an argument is empty, expected a path"},
		{"export  --out x", "export: an argument is empty, expected a path"},
		{"export --web ", "export: --web is empty, expected a path"},
		{"export a --out ", "export: --out is empty, expected a path"},
		{"watch . --listen 8080", `watch: --listen: address "8080": missing port in address, expected HOST:PORT, such as localhost:8080`},
		{"watch . --listen localhost:web", `"web" is no port`},
		{"train --listen localhost", `train: --listen: address "localhost": missing port in address`},
		{"completion bsh", `completion: unknown command "bsh", did you mean "bash"?`},
		{"completion bash now", `completion bash: takes no arguments, found "now"`},
		{"evaluate greedy random --games 9223372036854775806", "expected an even number from 2 to 1000000"},
		{"bench net --runs 0", "bench net: 0 runs of 100ms, expected positive numbers"},
		{"bench net --batch 32,0", "bench net: --batch: 0 is not from 1 to 65536"},
		{"bench net --batch 32,many", `flag --batch: "32,many" is not a whole number`},
		{"bench net --workers 1025", "bench net: --workers: 1025 is not from 1 to 1024"},
		{"bench net --workers=", `flag --workers: "" is not a whole number`},
		{"bench net --preset smal", `unknown preset "smal", did you mean "small"? Valid presets: quick, small, strong`},
		{"bench net --width 0", "key network.width: found 0, expected a whole number from 1 to 4096"},
		{"bench net --blas avx", `bench net: --blas: unknown kernel "avx", did you mean`},
		{"bench net --rules five-holes", `unknown rule set "five-holes"`},
		{"evaluate alphabeta random", "expected exactly one of the options depth, movetime, nodes, found none"},
		{"evaluate alphabeta:depth=3,nodes=9 random", "found depth and nodes"},
		{"evaluate alphabeta:dept=3 random", `unknown option "dept", did you mean "depth"? Valid options: depth, movetime, nodes, hash`},
		{"evaluate alphabeta:3 random", "alphabeta takes no argument; it is written alphabeta:depth=N"},
		{"evaluate alphabeta:movetime=5 random", `option movetime: "5" is not a positive length of time`},
		{"evaluate uct:sims=0 random", "option sims: 0 is not from 1 to 100000000"},
		{"evaluate mixed:greedi random", `agent "greedi": unknown agent "greedi", did you mean "greedy"?`},
		{"evaluate mixed:greedy,eps=2 random", "option eps: 2 is not from 0 to 1"},
		{"bench search --positions 0", "bench search: 0 positions for 100ms each, expected positive numbers"},
		{"fit --depth 0", "a depth of 0, expected 1 to 64"},
		{"solve --memory 0", "solve: a memory of 0 MiB, expected 1 to 65536"},
		{"fit --out ", "fit: --out is empty, expected a path"},
		{"bench selfplay --time 0s", "bench selfplay: 5 runs of 0s, expected positive numbers"},
		{"bench selfplay --games 0", "key selfplay.games_per_stream: found 0, expected"},
		{"bench selfplay --blas GO", "Valid kernels: auto, "},
	} {
		stdout, stderr, status := kiothi(t, "", strings.Split(c.args, " ")...)
		if status != statusUsage || stdout != "" {
			t.Errorf("kiothi %s: status %d and output %q, want status %d and none", c.args, status, stdout, statusUsage)
		}
		cmd, _, err := newRoot(&app{kinds: players.Kinds()}).Find(strings.Split(c.args, " "))
		if err != nil {
			t.Fatal(err)
		}
		begin := "kiothi: "
		if cmd.HasParent() {
			begin = "kiothi: " + strings.TrimPrefix(cmd.CommandPath(), "kiothi ") + ": "
		}
		if !strings.HasPrefix(stderr, begin) || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("kiothi %s says %q, want one line that begins with %q and has %q", c.args, stderr, begin, c.want)
		}
		wantNameOnce(t, cmd, stderr)
	}
}

// wantNameOnce checks that an error does not say a second time which command it is of.
func wantNameOnce(t *testing.T, cmd *cobra.Command, stderr string) {
	t.Helper()
	_, rest, found := strings.Cut(stderr, "kiothi: "+prefix(cmd))
	if !found || cmd.HasParent() && strings.Contains(" "+rest, " "+cmd.Name()+": ") {
		t.Errorf("%s says %q, want the command's name once", cmd.CommandPath(), stderr)
	}
}

func TestAFailureHasTheNameOfItsCommandOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{
		"solve --game rio-kadalis --memory 1 --progress none", "solve --resume none", "verify none", "games none", "plot none --out x.png",
		"export none --out x", "train --resume none", "play --load none", "evaluate greedy random --openings none --progress none",
		"distill learn none --dir x", "distill games --dir x --net none", "bench search --net none", "show --svg none/x", "fit --out none/x",
		"endgame --stones 2 --out none/x", "evaluate --oracle none greedy",
	} {
		stdout, stderr, status := kiothi(t, "", strings.Fields(args)...)
		if status == statusOK || stderr == "" {
			t.Errorf("kiothi %s: status %d, %q, %q, want a failure", args, status, stdout, stderr)
		}
		cmd, _, err := newRoot(&app{kinds: players.Kinds()}).Find(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		wantNameOnce(t, cmd, stderr)
	}
}

// commands returns a command and all below it, without those that cobra adds.
func commands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		if child.Name() != "completion" && child.Name() != "help" {
			list = append(list, commands(child)...)
		}
	}
	return list
}

func TestEveryCommandAndFlagIsDocumented(t *testing.T) {
	for _, cmd := range commands(newRoot(&app{kinds: players.Kinds()})) {
		if cmd.Short == "" || cmd.Long == "" {
			t.Errorf("%s has no description", cmd.CommandPath())
		}
		if cmd.Runnable() && !cmd.HasSubCommands() && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s has no description", cmd.CommandPath(), f.Name)
			}
		})
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		if help := succeed(t, "", args...); !strings.Contains(help, strings.SplitN(cmd.Long, "\n", 2)[0]) {
			t.Errorf("kiothi %s shows\n%s", strings.Join(args, " "), help)
		}
	}
	for _, topic := range []string{"rules", "agents", "trace", "bench env"} {
		if help := succeed(t, "", append([]string{"help"}, strings.Fields(topic)...)...); help == "" {
			t.Errorf("kiothi help %s shows nothing", topic)
		}
	}
}

// words splits a line as a shell does, as far as the examples need it.
var words = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// shorter is what shortens the examples of commands that take long.
var shorter = map[string][]string{
	"kiothi bench env":      {"--runs", "1", "--time", "1ms"},
	"kiothi check":          {"--games", "1"},
	"kiothi bench net":      tinyBenchNet,
	"kiothi bench selfplay": tinyBenchSelfPlay,
	"kiothi bench search":   tinyBenchSearch,
	"kiothi evaluate":       {"--games", "2"},
	"kiothi distill games":  {"--games", "40", "--shard", "20", "--depth", "1"},
	"kiothi distill learn":  {"--hidden", "64", "--epochs", "1", "--batch", "64"},
	"kiothi fit":            append([]string{"--out", "weights.json", "--force"}, tinyFit...),
}

// TestTheExamplesWork runs every example, in the order of the help, in one directory. What takes long is shortened, and
// examples with a pipe are left to other tests.
func TestTheExamplesWork(t *testing.T) {
	installed(t) // check starts the program
	t.Chdir(t.TempDir())
	saved := `{"game":"rio-kadalis","rules":"standard","actions":[2]}` // by someone who played
	if err := os.WriteFile("game.jsonl", []byte(saved), 0o644); err != nil {
		t.Fatal(err)
	}
	position := "0,3,2,0,5,9,1,1,5,4/7,7,0,4,2,4,0,1,3,2 - 0-0 S sow 4\n"
	if err := os.WriteFile("positions.txt", []byte(position), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range commands(newRoot(&app{kinds: players.Kinds()})) {
		if slices.Contains([]string{"watch", "serve", "plot"}, cmd.Name()) {
			continue // these serve until Ctrl-C, or need two runs: see their own tests
		}
		for example := range strings.SplitSeq(cmd.Example, "\n") {
			line, ok := strings.CutPrefix(strings.TrimSpace(example), "kiothi ")
			if !ok {
				continue
			}
			line, output, _ := strings.Cut(line, " > ")
			line, file, _ := strings.Cut(line, " < ")
			stdin := ""
			if file != "" {
				switch content, err := os.ReadFile(file); {
				case err == nil:
					stdin = string(content)
				case cmd.Name() == "trace":
					stdin = `{"game":"rio-kadalis","actions":[2,2]}`
				default:
					t.Fatal(err)
				}
			}
			if cmd.Name() == "engine" {
				stdin = "ugi\nquit\n"
			}
			var args []string
			for _, word := range words.FindAllString(line, -1) {
				args = append(args, strings.Trim(word, `"'`))
			}
			if args[0] == "train" { // in the examples of the program as a whole, too
				args = append(args, tinyTrain...)
			}
			if slices.Contains(args, "--listen") && args[0] == "train" {
				args = append(args, "--listen", "localhost:0") // the port of the example may be taken
			}
			if strings.HasPrefix("kiothi "+line, cmd.CommandPath()) {
				args = append(args, shorter[cmd.CommandPath()]...)
			}
			stdout := succeed(t, stdin, args...)
			if stdout == "" {
				t.Errorf("%s prints nothing", example)
			}
			if output != "" {
				if err := os.WriteFile(output, []byte(stdout), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// tinyTrain makes a training take a second at most.
var tinyTrain = sets("network.width=16", "network.blocks=1", "selfplay.streams=1", "selfplay.games_per_stream=4",
	"selfplay.games=4", "selfplay.simulations=2", "selfplay.opening_simulations=2", "training.batch=8", "training.steps=2",
	"training.window=1000", "run.iterations=1", "evaluation.games=2", "evaluation.simulations=2")

// sets writes assignments as flags.
func sets(assignments ...string) (flags []string) {
	for _, a := range assignments {
		flags = append(flags, "--set", a)
	}
	return flags
}

func TestVersionNamesTheProgramAndTheToolchain(t *testing.T) {
	if got := succeed(t, "", "--version"); !strings.HasPrefix(got, "kiothi ") || !strings.Contains(got, "go1.") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}

func TestShellsCompleteCommandsGamesRulesAndAgents(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"completion bash", "bash completion"},
		{"__complete tra", "trace"},
		{"__complete trace --game ", "rio-kadalis"},
		{"__complete trace --game rio-kadalis --rules ", "five-holes"},
		{"__complete evaluate ", "greedy"},
		{"__complete evaluate a b --openings ", "own"},
		{"__complete play --seat ", "both"},
		{"__complete evaluate a b --progress ", "plain"},
		{"__complete bench net --preset ", "strong"},
		{"__complete bench selfplay --blas ", "auto"},
	} {
		if got := succeed(t, "", strings.Split(c.args, " ")...); !strings.Contains(got, c.want) {
			t.Errorf("kiothi %s gives %q, want %q among it", c.args, got, c.want)
		}
	}
}

// One name is in the help, the other is what some type.
func TestThePageHasTwoNamesForItsAddress(t *testing.T) {
	for _, line := range []string{"watch . --listen 8080", "watch . --http 8080", "train --dir x --progress none --listen 8080", "train --dir x --progress none --http 8080"} {
		_, stderr, status := kiothi(t, "", strings.Fields(line)...)
		if status != statusUsage || !strings.Contains(stderr, `--listen: address "8080": missing port`) {
			t.Errorf("%s: status %d, error %q", line, status, stderr)
		}
	}
	for _, command := range []string{"watch", "train"} {
		if help := succeed(t, "", command, "--help"); !strings.Contains(help, "--listen") || strings.Contains(help, "--http") {
			t.Errorf("the help of %s does not have --listen alone:\n%s", command, help)
		}
	}
}

// Whoever names a file that is not there learns what kind of file was expected.
func TestAMissingFileIsToldWithWhatWasExpected(t *testing.T) {
	for line, want := range map[string]string{
		"evaluate random --game rio-kadalis --oracle nope": "expected a file that kiothi endgame wrote",
		"evaluate uct:sims=1,table=nope random":            "expected a file that kiothi endgame wrote",
		"play --load nope":                                 "expected a file in which a game was saved",
		"verify nope":                                      "expected a certificate that kiothi solve --out wrote",
		"solve --resume nope":                              "expected a file that kiothi solve --save wrote",
		"train --config nope":                              "expected a file such as kiothi train --print-config prints",
		"games nope":                                       "expected the folder of a run, or one of its files of games",
	} {
		_, stderr, status := kiothi(t, "", strings.Split(line, " ")...)
		name, _, _ := strings.Cut(line, " ")
		if status != statusFailure || !strings.HasPrefix(stderr, "kiothi: "+name+": ") || !strings.Contains(stderr, "nope: no such file or directory; "+want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("kiothi %s: status %d, %s, want a line with %q", line, status, stderr, want)
		}
	}
}
