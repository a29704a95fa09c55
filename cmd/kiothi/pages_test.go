package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

// This file runs the commands that the pages show, and compares what they print. The pages are rewritten by
//
//	go test ./cmd/kiothi -run Pages -update

var update = flag.Bool("update", false, "rewrite what commands print on the pages")

// consoles finds the blocks of commands, each after a "$ ", with what they print.
var consoles = regexp.MustCompile("(?s)\n```console\n(.*?)\n```\n")

func TestPagesShowWhatCommandsPrint(t *testing.T) {
	commands := 0
	for _, path := range []string{"../../env/kiothi/README.md", "../../env/riokadalis/README.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := strings.ReplaceAll(string(text), "\r\n", "\n")
		made := consoles.ReplaceAllStringFunc(page, func(block string) string {
			out := "\n```console\n"
			for line := range strings.SplitSeq(consoles.FindStringSubmatch(block)[1], "\n") {
				command, ok := strings.CutPrefix(line, "$ kiothi ")
				if !ok {
					continue
				}
				commands++
				var args []string
				for _, word := range words.FindAllString(command, -1) {
					args = append(args, strings.Trim(word, `"'`))
				}
				out += line + "\n" + succeed(t, "", args...)
			}
			return out + "```\n"
		})
		if *update {
			if err := os.WriteFile(path, []byte(made), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if made != page {
			t.Errorf("%s shows something else than its commands print; look at the difference after: go test ./cmd/kiothi -run Pages -update", path)
		}
	}
	if commands < 2 {
		t.Errorf("%d commands stand on the pages, want some on each", commands)
	}
}
