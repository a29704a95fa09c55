package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"kiothi/env/trace"
)

func steps(t *testing.T, lines string) []trace.Step {
	t.Helper()
	var list []trace.Step
	for line := range strings.Lines(lines) {
		var step trace.Step
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatal(err)
		}
		list = append(list, step)
	}
	return list
}

func TestTracePrintsAnObjectAState(t *testing.T) {
	out := succeed(t, "", "trace", "--game", "rio-kadalis", "--actions", "2,0")
	list := steps(t, out)
	if len(list) != 3 || list[0].Position != "4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0" || list[2].Ply != 2 {
		t.Errorf("got\n%s", out)
	}
	for _, field := range []string{"ply", "position", "player", "legal", "over", "reason", "stores", "laps", "captured", "cut"} {
		if !strings.Contains(out, `"`+field+`":`) {
			t.Errorf("there is no field %s in\n%s", field, out)
		}
	}
	if start := succeed(t, "", "trace"); len(steps(t, start)) != 1 {
		t.Errorf("without actions the trace is\n%s", start)
	}
}

func TestTraceGoesOnFromItsOwnPositions(t *testing.T) {
	for _, c := range [][2]string{{"rio-kadalis", "2,0,3"}, {"kiothi", "604,607,611,611,614"}} {
		whole := steps(t, succeed(t, "", "trace", "--game", c[0], "--actions", c[1]))
		for i, step := range whole {
			rest := strings.Join(strings.Split(c[1], ",")[i:], ",")
			for _, position := range []string{step.Position, " " + step.Position + "\r\n", `"` + step.Position + `"`, "'" + step.Position + "'"} {
				again := steps(t, succeed(t, "", "trace", "--game", c[0], "--position", position, "--actions", rest))
				if len(again) != len(whole)-i || again[len(again)-1].Position != whole[len(whole)-1].Position {
					t.Errorf("%s from %q: the trace ends in another position", c[0], position)
				}
			}
		}
	}
}

func TestTraceStopsAtAnIllegalActionAndSaysWhy(t *testing.T) {
	for _, c := range []struct {
		game, actions string
		states        int
		want          []string
	}{
		{"rio-kadalis", "2,77", 2, []string{"ply 1", "77"}},
		{"rio-kadalis", "-1", 1, []string{"ply 0", "-1"}},
		{"kiothi", "604,604", 2, []string{"ply 1", "illegal action 604 (+e)"}},
		{"kiothi", "0", 1, []string{"ply 0", "illegal action 0 (a1)"}},
	} {
		stdout, stderr, status := kiothi(t, "", "trace", "--game", c.game, "--actions", c.actions)
		if status != statusFailure || len(steps(t, stdout)) != c.states || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s %s: status %d, error %q, states\n%s", c.game, c.actions, status, stderr, stdout)
		}
		for _, want := range c.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s %s: the error %q lacks %q", c.game, c.actions, stderr, want)
			}
		}
	}
}

func TestTraceBatchAnswersEachLineAsTraceDoes(t *testing.T) {
	in := `{"game":"rio-kadalis","rules":"standard","actions":[2,0]}
{"game":"kiothi","rules":"mancala-world","actions":[604,604]}
not JSON
{"game":"kiothi","actions":[604,607]}`
	stdout, stderr, status := kiothi(t, in, "trace", "--batch")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if status != statusFailure || len(lines) != 4 || !strings.Contains(stderr, "2 of the games") {
		t.Fatalf("status %d, error %q, answers\n%s", status, stderr, stdout)
	}
	single := strings.Split(strings.TrimSpace(succeed(t, "", "trace", "--game", "rio-kadalis", "--actions", "2,0")), "\n")
	if want := "[" + strings.Join(single, ",") + "]"; lines[0] != want {
		t.Errorf("the batch answers\n%s\nwant\n%s", lines[0], want)
	}
	if !strings.HasPrefix(lines[1], `{"error":`) || !strings.HasSuffix(lines[1], `"ply":1}`) || !strings.HasPrefix(lines[2], `{"error":`) {
		t.Errorf("the failures are answered\n%s\n%s", lines[1], lines[2])
	}
	if all := succeed(t, strings.Split(in, "\n")[0]+"\r\n", "trace", "--batch"); strings.TrimSpace(all) != lines[0] {
		t.Errorf("a line that ends in CRLF is answered\n%s", all)
	}
}

func TestPerftCountsAndDivides(t *testing.T) {
	for _, args := range [][]string{{"--game", "rio-kadalis", "--depth", "4"}, {"--depth", "3"}, {"--game", "rio-kadalis", "--depth", "0"}} {
		total := strings.TrimSpace(succeed(t, "", append([]string{"perft"}, args...)...))
		lines := strings.Split(strings.TrimSpace(succeed(t, "", append([]string{"perft", "--divide"}, args...)...)), "\n")
		last := len(lines) - 1
		sum := 0
		for _, line := range lines[:last] {
			fields := strings.Fields(line)
			if len(fields) != 3 {
				t.Fatalf("%v: the line %q, want id, text and count", args, line)
			}
			n, err := strconv.Atoi(fields[2])
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if lines[last] != "total "+total || last > 0 && strconv.Itoa(sum) != total {
			t.Errorf("%v: total %s, divided into %v", args, total, lines)
		}
	}
	if got := succeed(t, "", "perft", "--game", "rio-kadalis", "--depth", "1"); got != "6\n" {
		t.Errorf("Rio Kadalis begins with %q actions, want 6", got)
	}
}
