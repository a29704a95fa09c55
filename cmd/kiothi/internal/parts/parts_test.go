package parts

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"kiothi/agent/export"
	"kiothi/agent/model"
	"kiothi/agent/release"
	_ "kiothi/models"
)

// partsOf returns the parts of a network, by their names.
func partsOf(t *testing.T, d *model.Description) map[string]export.Part {
	t.Helper()
	list, err := For(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]export.Part{}
	for _, p := range list {
		byName[p.Name] = p
		for _, name := range slices.Concat(keys(p.Files), keys(p.Copies)) {
			if !strings.HasPrefix(name, p.Name+"/") && !strings.HasPrefix(name, "examples/") {
				t.Errorf("the part %s has a file %s elsewhere", p.Name, name)
			}
		}
	}
	return byName
}

func keys[V any](m map[string]V) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

func TestThePackageCarriesTheBot(t *testing.T) {
	p := partsOf(t, &model.Description{Game: "kiothi", Rules: "mancala-world"})["npm"]
	if !bytes.HasPrefix(p.Files["npm/kiothi.wasm"], []byte("\x00asm")) {
		t.Error("the module is none")
	}
	for _, name := range []string{"npm/package.json", "npm/kiothi.mjs", "npm/kiothi.d.ts", "npm/bot.mjs", "npm/README.md", "npm/example/node.mjs", "examples/check-npm.mjs"} {
		if len(p.Files[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
	if p.Copies["npm/bot/model.json"] != "model.json" || p.Copies["npm/bot/model.safetensors"] != "model.safetensors" {
		t.Errorf("the bot is %v", p.Copies)
	}
	example := string(p.Files["examples/example-npm.mjs"])
	if !strings.Contains(p.Section, "```js\n"+example+"```\n") || strings.Count(example, "\n") > 13 {
		t.Errorf("the README tells\n%s", p.Section)
	}
}

// The page knows the bot, whether it is one that the program carries or not.
func TestThePageIsMadeForTheBot(t *testing.T) {
	text, err := fs.ReadFile(release.Files(), "kiothi-quick/model.json")
	if err != nil {
		t.Fatal(err)
	}
	var carried model.Description
	if err := json.Unmarshal(text, &carried); err != nil {
		t.Fatal(err)
	}
	other := carried
	other.Checksum, other.Rules = "other", "wikipedia-it"
	for _, c := range []struct {
		d    *model.Description
		name string
	}{{&carried, "kiothi-quick"}, {&other, "bot"}} {
		p := partsOf(t, c.d)["web"]
		var list []struct {
			Name, Game, Rules, Agent string
			Featured                 bool
			Files                    []string
		}
		if err := json.Unmarshal(p.Files["web/models.json"], &list); err != nil {
			t.Fatal(err)
		}
		featured := 0
		for _, m := range list {
			for _, file := range m.Files {
				name := path.Join("web/models", m.Name, file)
				if p.Files[name] == nil && p.Copies[name] != file {
					t.Errorf("%s: there is no %s", c.name, name)
				}
			}
			if m.Featured {
				featured++
				if m.Name != c.name || m.Game != c.d.Game || m.Rules != c.d.Rules {
					t.Errorf("the page is made for %+v, want %s of %s", m, c.name, c.d.Rules)
				}
			}
		}
		if featured != 1 || (len(p.Copies) > 0) != (c.name == "bot") {
			t.Errorf("%s: the page is made for %d bots, and copies %v", c.name, featured, p.Copies)
		}
	}
}

func TestPartsAreLeftOut(t *testing.T) {
	list, err := For(&model.Description{}, []string{"npm"})
	if err != nil || len(list) != 1 || list[0].Name != "web" {
		t.Errorf("without npm there are %d parts, %v", len(list), err)
	}
	if err := Check([]string{"web", "wbe"}); err == nil || !strings.Contains(err.Error(), `unknown part "wbe". Valid parts: npm, web`) {
		t.Errorf("the error is %v", err)
	}
}
