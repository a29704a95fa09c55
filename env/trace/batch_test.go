package trace_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// run answers a batch and returns the answers, one a line.
func run(t *testing.T, input string) (answers []string, failed int) {
	t.Helper()
	var out bytes.Buffer
	failed, err := trace.Batch(strings.NewReader(input), &out, open)
	if err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if text == "" {
		return nil, failed
	}
	if !strings.HasSuffix(text, "\n") {
		t.Errorf("the last answer does not end its line: %q", text)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), failed
}

// good is a line that is played to its end.
const good = `{"game":"rio-kadalis","rules":"standard","position":"1,0,0,0,0,0/0,0,0,0,0,1 - 23-23 S sow 0","actions":[0]}`

// goodAnswer is its answer.
const goodAnswer = `[{"ply":0,"position":"1,0,0,0,0,0/0,0,0,0,0,1 - 23-23 S sow 0","player":0,"legal":[0],"over":false,` +
	`"reason":"","stores":[23,23],"laps":0,"captured":[0,0],"cut":false},` +
	`{"ply":1,"position":"0,1,0,0,0,0/0,0,0,0,0,1 - 23-23 N sow 1","player":1,"legal":[5],"over":false,` +
	`"reason":"","stores":[23,23],"laps":1,"captured":[0,0],"cut":false}]`

func TestBatchAnswersEachLine(t *testing.T) {
	for name, input := range map[string]string{
		"line feeds":              good + "\n" + good + "\n",
		"no line feed at the end": good + "\n" + good,
		"carriage returns":        good + "\r\n" + good + "\r\n",
		"blank lines":             "\n" + good + "\n\n  \r\n" + good + "\n\n",
		"spaces around":           "  " + good + "\t\n" + good + " ",
		"a very long line":        strings.Replace(good, "{", "{"+strings.Repeat(" ", 1<<20), 1) + "\n" + good,
	} {
		t.Run(name, func(t *testing.T) {
			answers, failed := run(t, input)
			if failed != 0 || len(answers) != 2 || answers[0] != goodAnswer || answers[1] != goodAnswer {
				t.Errorf("%d lines failed; the answers are\n%s", failed, strings.Join(answers, "\n"))
			}
		})
	}
}

func TestBatchOfNothing(t *testing.T) {
	if answers, failed := run(t, ""); len(answers) != 0 || failed != 0 {
		t.Errorf("%d lines failed; the answers are %q", failed, answers)
	}
}

func TestBatchTakesDefaults(t *testing.T) {
	answers, failed := run(t, `{"game":"rio-kadalis","actions":[]}`)
	if failed != 0 || len(answers) != 1 || !strings.Contains(answers[0], `"position":"4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"`) {
		t.Errorf("without rules and position, the answer is %q", answers)
	}
}

func TestBatchPlaysGamesThatWereCutShort(t *testing.T) {
	for _, truncated := range []string{"true", "false"} {
		answers, failed := run(t, strings.Replace(good, "}", `,"truncated":`+truncated+"}", 1))
		if failed != 0 || len(answers) != 1 || answers[0] != goodAnswer {
			t.Errorf("truncated %s: %d lines failed, the answer is %q", truncated, failed, answers)
		}
	}
}

// TestBatchGoesOnAfterAFailure puts each failing line between two good ones.
func TestBatchGoesOnAfterAFailure(t *testing.T) {
	for line, want := range map[string]struct {
		ply   int
		error string
	}{
		`{`:                                      {0, "not a JSON object"},
		`[]`:                                     {0, "not a JSON object"},
		`[{"game":"rio-kadalis","actions":[]}]`:  {0, "not a JSON object such as {\"game\":\"kiothi\",\"rules\":\"mancala-world\",\"actions\":[604]}: found an array"},
		`null`:                                   {0, "found null"},
		`604`:                                    {0, "found a number"},
		`"604"`:                                  {0, "found a string"},
		`true`:                                   {0, "found a truth value"},
		`{}`:                                     {0, `the field "game" is missing`},
		`{"game":"rio-kadalis","actions":[]} {}`: {0, "not a JSON object"},
		`{"rules":"standard","actions":[]}`:      {0, `the field "game" is missing`},
		`{"game":"rio-kadalis"}`:                 {0, `the field "actions" is missing`},
		`{"game":"rio-kadalis","actions":null}`:  {0, `the field "actions" is null`},
		`{"game":"rio-kadalis","actions":[],"position":null}`:                                                         {0, `the field "position" is null`},
		`{"game":"rio-kadalis","actions":[null]}`:                                                                     {0, `the field "actions": found null, expected an action id`},
		`{"game":"rio-kadalis","actions":[0,1.5]}`:                                                                    {0, `the field "actions": found 1.5, expected an action id`},
		`{"game":"rio-kadalis","actions":[1.0]}`:                                                                      {0, `the field "actions": found 1.0, expected an action id`},
		`{"game":"rio-kadalis","actions":[1e0]}`:                                                                      {0, `the field "actions": found 1e0, expected an action id`},
		`{"game":"rio-kadalis","actions":["1"]}`:                                                                      {0, `the field "actions": found "1", expected an action id`},
		`{"game":"rio-kadalis","actions":[4294967296]}`:                                                               {0, `the field "actions": found 4294967296, expected an action id`},
		`{"game":"rio-kadalis","actions":[[1]]}`:                                                                      {0, `the field "actions": found [1], expected an action id`},
		`{"game":"rio-kadalis","actions":"1"}`:                                                                        {0, `the field "actions": found a string, expected an array of action ids`},
		`{"game":"rio-kadalis","actions":{}}`:                                                                         {0, `the field "actions": found an object, expected an array of action ids`},
		`{"game":1,"actions":[]}`:                                                                                     {0, `the field "game": found a number, expected a string`},
		`{"game":"rio-kadalis","rules":[],"actions":[]}`:                                                              {0, `the field "rules": found an array, expected a string`},
		`{"game":"rio-kadalis","actions":[],"position":false}`:                                                        {0, `the field "position": found a truth value, expected a string`},
		`{"game":"rio-kadalis","actions":[0],"actions":[1]}`:                                                          {0, `the field "actions" is given twice`},
		`{"game":"kiothi","actions":[],"game":"rio-kadalis"}`:                                                         {0, `the field "game" is given twice`},
		`{"game":"rio-kadalis","actions":[],"position":""}`:                                                           {0, "found 1 fields, expected 6"},
		`{"game":"rio-kadalis","actions":[],"positions":""}`:                                                          {0, `unknown field "positions", did you mean "position"?`},
		`{"game":"rio-kadalis","actions":[],"Position":""}`:                                                           {0, `unknown field "Position"`},
		`{"game":"rio-kadali","actions":[]}`:                                                                          {0, `unknown game "rio-kadali", did you mean "rio-kadalis"?`},
		`{"game":"rio-kadalis","rules":"standart","actions":[]}`:                                                      {0, `unknown rule set "standart", did you mean "standard"?`},
		`{"game":"rio-kadalis","rules":"standard","actions":[6]}`:                                                     {0, "ply 0: illegal action 6 (6): there is no such action"},
		`{"game":"rio-kadalis","rules":"standard","actions":[1,-1]}`:                                                  {1, "ply 1: illegal action -1 (-1): there is no such action"},
		strings.Replace(good, "[0]", "[0,5,2]", 1):                                                                    {2, "ply 2: illegal action 2 (c): the hole is empty"},
		strings.Repeat("x", trace.MaxLine):                                                                            {0, "the line is longer than"},
		`{"game":"rio-kadalis","actions":[` + strings.Repeat(" ", 1<<20) + "}":                                        {0, "not a JSON object"},
		`{"game":"rio-kadalis","actions":[],"truncated":1}`:                                                           {0, `the field "truncated": found a number, expected a truth value`},
		`{"game":"rio-kadalis","position":"0,0,0,0,0,1/0,0,0,0,0,0 - 20-20 S sow 99","actions":[5],"truncated":true}`: {0, "marked as truncated, but it is over (exhausted)"},
		`{"game":"rio-kadalis","actions":[],"position":"4,4/4,4 - 0-0 S sow 0"}`:                                      {0, "found 2 pits in South's row, expected 6"},
	} {
		answers, failed := run(t, good+"\n"+line+"\n"+good+"\n")
		shown := line[:min(len(line), 80)]
		if failed != 1 || len(answers) != 3 || answers[0] != goodAnswer || answers[2] != goodAnswer {
			t.Errorf("%s: %d lines failed, %d answers", shown, failed, len(answers))
			continue
		}
		var answer struct {
			Error *string `json:"error"`
			Ply   *int    `json:"ply"`
		}
		if err := json.Unmarshal([]byte(answers[1]), &answer); err != nil || answer.Error == nil || answer.Ply == nil {
			t.Errorf("%s: the answer is %s, %v", shown, answers[1], err)
			continue
		}
		if *answer.Ply != want.ply || !strings.Contains(*answer.Error, want.error) {
			t.Errorf("%s: the answer is %s, expected ply %d and an error that says %q", shown, answers[1], want.ply, want.error)
		}
	}
}

// TestBatchAnswersBeforeTheNextLine lets a client wait for an answer before it sends more.
func TestBatchAnswersBeforeTheNextLine(t *testing.T) {
	requests, requestEnd := io.Pipe()
	answerEnd, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := trace.Batch(requests, answers, open)
		answers.Close()
		done <- err
	}()
	lines := bufio.NewScanner(answerEnd)
	for i := range 3 {
		// The beginning of the next line must not delay the answer to this one.
		if _, err := fmt.Fprint(requestEnd, good, "\n "); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || lines.Text() != goodAnswer {
			t.Fatalf("answer %d is %q", i, lines.Text())
		}
	}
	requestEnd.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestBatchReportsBrokenPipes(t *testing.T) {
	broken := errors.New("broken")
	if _, err := trace.Batch(iotest.ErrReader(broken), io.Discard, open); !errors.Is(err, broken) {
		t.Errorf("a reader that fails gives error %v", err)
	}
	reader, writer := io.Pipe()
	reader.CloseWithError(broken)
	if _, err := trace.Batch(strings.NewReader(good), writer, open); !errors.Is(err, broken) {
		t.Errorf("a writer that fails gives error %v", err)
	}
}

// TestBatchOpensAGameOnceForItsLines counts how often neighbouring lines open a game.
func TestBatchOpensAGameOnceForItsLines(t *testing.T) {
	opened := 0
	counting := func(game, rules string) (mancala.Game, error) {
		opened++
		return open(game, rules)
	}
	other := strings.Replace(good, "standard", "clockwise", 1)
	input := strings.Join([]string{good, good, other, other, `{"game":"?","actions":[]}`, good}, "\n")
	if _, err := trace.Batch(strings.NewReader(input), io.Discard, counting); err != nil {
		t.Fatal(err)
	}
	if opened != 4 {
		t.Errorf("games were opened %d times, expected 4", opened)
	}
}

func FuzzBatch(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(good + "\r\n\n{\n" + good + "\n"))
	f.Add([]byte(`{"game":"rio-kadalis","rules":"five-holes,lap_limit=3","actions":[0,1,2,3,4]}`))
	f.Add([]byte(`{"game":"rio-kadalis","actions":[7]}`))
	f.Add([]byte(`{"game":"<&>","actions":[]}`))
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		failed, err := trace.Batch(bytes.NewReader(input), &out, open)
		if err != nil {
			t.Fatal(err)
		}
		lines, errors := 0, 0
		for line := range bytes.Lines(input) {
			if len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
		}
		for answer := range bytes.Lines(out.Bytes()) {
			lines--
			if answer[0] == '{' {
				errors++
				continue
			}
			var steps []trace.Step
			if err := json.Unmarshal(answer, &steps); err != nil || len(steps) == 0 {
				t.Fatalf("%q has the answer %q, %v", input, answer, err)
			}
		}
		if lines != 0 || errors != failed {
			t.Fatalf("%q has the answers %q: %d too few, %d errors, %d reported", input, out.String(), lines, errors, failed)
		}
	})
}

// The first of the unknown fields by name is told, every time.
func TestTheUnknownFieldThatIsToldIsAlwaysTheSame(t *testing.T) {
	for range 20 {
		answers, _ := run(t, `{"game":"rio-kadalis","actions":[],"foo":1,"bar":2,"baz":3}`)
		if len(answers) != 1 || !strings.Contains(answers[0], `unknown field \"bar\"`) {
			t.Fatalf("the answer is %s", answers)
		}
	}
}

// Whatever a line holds, its answer says what is wrong with it in a few words.
func TestTheAnswerToALongLineIsShort(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for line, want := range map[string]string{
		`{"game":"rio-kadalis","actions":[],"` + long + `":1}`:                                 `unknown field \"xxx`,
		`{"` + long + `":1,"` + long + `":1}`:                                                  "is given twice",
		`{"game":"` + long + `","actions":[]}`:                                                 "Valid games: ",
		`{"game":"rio-kadalis","rules":"` + long + `","actions":[]}`:                           "unknown rule set",
		`{"game":"rio-kadalis","rules":"standard,` + long + `","actions":[]}`:                  "not of the form",
		`{"game":"rio-kadalis","position":"` + long + `","actions":[]}`:                        "expected 6: pits",
		`{"game":"rio-kadalis","position":"` + strings.Repeat("é ", 1<<20) + `","actions":[]}`: "expected 6: pits",
	} {
		answers, failed := run(t, line)
		if failed != 1 || len(answers) != 1 || len(answers[0]) > 2000 || !strings.Contains(answers[0], want) {
			t.Errorf("the answer to %.40s has %d bytes: %.2000s; want %s", line, len(answers[0]), answers[0], want)
		}
	}
}
