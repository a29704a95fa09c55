package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The README shows the examples that lie in an exported folder, which .ci/export runs there, and so does the folder's own.
func TestTheReadmeShowsTheExamplesOfAFolder(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(text), "\r\n", "\n")
	_, section, _ := strings.Cut(page, "\n## A bot for other programs\n")
	section, _, _ = strings.Cut(section, "\n## ")
	command := regexp.MustCompile(`(?m)^    kiothi (export .*--out bot)$`).FindStringSubmatch(section)
	if command == nil {
		t.Fatal("the README does not say how a folder is made")
	}
	t.Chdir(t.TempDir())
	succeed(t, "", strings.Fields(command[1])...)
	own, err := os.ReadFile(filepath.Join("bot", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Glob("bot/examples/example*")
	if err != nil || len(examples) != 4 {
		t.Fatalf("the examples are %v, %v; want four", examples, err)
	}
	for _, name := range examples {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		block := map[string]string{".py": "```python\n", ".mjs": "```js\n"}[filepath.Ext(name)] + strings.ReplaceAll(string(code), "\r\n", "\n") + "```\n"
		for whose, page := range map[string]string{"the README": section, "the folder's README": string(own)} {
			if !strings.Contains(page, block) || !strings.Contains(page, filepath.Base(name)) {
				t.Errorf("%s does not show %s as it is", whose, name)
			}
		}
	}
}
