package env_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/mancala/enginetest"
)

// This file holds the pages of the games to the code: their tables are generated from it, and their examples are played.

// A page describes a game for those who read nothing else.
type page struct {
	game, path, board string
	position          string // of the picture
	kinds             map[string]kind
}

// A kind describes the actions whose texts have one form.
type kind struct {
	what    string
	example int // an id
}

var pages = []page{
	{"kiothi", "kiothi/README.md", "kiothi/board.svg",
		"0,4,1,1,8,1,0,8,1,3/2,1,4,0,0,2,2,7,5,0 behjCHI 5-5 S sow 0",
		map[string]kind{
			"a1": {"sow `k` seeds from own pit `r`: the id is `60·r + k - 1`", 242},
			"+a": {"lift own pit `r` in the opening: the id is `600 + r`", 604},
			"=":  {"stop lifting", 610},
			">a": {"place one seed in pit `r`, own or enemy: the id is `611 + r`", 613},
		}},
	{"rio-kadalis", "riokadalis/README.md", "riokadalis/board.svg",
		"0,3,6,1,2,5/1,0,7,2,3,2 - 8-8 S sow 0",
		map[string]kind{"a": {"sow own hole `r`: the id is `r`", 2}}},
}

// headings are what every page has, in this order.
var headings = []string{"Description", "Action space", "Observation space", "Starting state", "Transitions", "Rewards",
	"End of the episode", "Arguments", "Version history", "Sources"}

func (p page) entry(t *testing.T) games.Entry {
	t.Helper()
	e, err := games.Find(p.game)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (p page) read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func TestEveryGameHasAPage(t *testing.T) {
	var have []string
	for _, p := range pages {
		have = append(have, p.game)
	}
	if !slices.Equal(have, games.Names()) {
		t.Errorf("pages of %v, want of %v", have, games.Names())
	}
}

func TestPagesHaveTheSameHeadings(t *testing.T) {
	for _, p := range pages {
		var found []string
		for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(p.read(t), -1) {
			found = append(found, heading[1])
		}
		if !slices.Equal(found, headings) {
			t.Errorf("%s has the headings %q, want %q", p.path, found, headings)
		}
	}
}

// generated finds the parts of a page that are generated: the marker before, the name, the text, the marker after.
var generated = regexp.MustCompile(`(?s)(<!-- generated: ([a-z]+) -->)(.*?)(<!-- end -->)`)

func TestTablesOfPagesAreThoseOfTheCode(t *testing.T) {
	for _, p := range pages {
		var names []string
		made := generated.ReplaceAllStringFunc(p.read(t), func(part string) string {
			groups := generated.FindStringSubmatch(part)
			names = append(names, groups[2])
			return groups[1] + p.generate(t, groups[2]) + groups[4]
		})
		if want := []string{"spaces", "actions", "planes", "rules", "encoding"}; !slices.Equal(names, want) {
			t.Errorf("%s has the generated parts %v, want %v", p.path, names, want)
		}
		sameAsFile(t, p.path, made)
	}
}

// generate makes a part of a page.
func (p page) generate(t *testing.T, name string) string {
	switch name {
	case "spaces":
		return p.spaces(t)
	case "actions":
		return p.actions(t)
	case "planes":
		return p.planes(t)
	case "rules":
		return p.rules(t)
	case "encoding":
		return fmt.Sprint(mancala.ActionEncoding)
	}
	t.Fatalf("%s: nothing is generated that is called %q", p.path, name)
	return ""
}

// table writes a table, its first row the head.
func table(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		for j := range row {
			row[j] = strings.ReplaceAll(row[j], "|", "\\|")
		}
		fmt.Fprintf(&b, "\n| %s |", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString("\n|" + strings.Repeat("---|", len(row)))
		}
	}
	return b.String() + "\n"
}

// open opens the game of the page under a rule set, and an environment of it.
func (p page) open(t *testing.T, rules string) (mancala.Game, *env.Env) {
	t.Helper()
	g, err := games.Open(p.game, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g, newEnv(t, g, env.Options{})
}

// spaces is the table of what a learner needs to know first, a row a rule set.
func (p page) spaces(t *testing.T) string {
	rows := [][]string{{"rule set", "actions", "observations", "seeds", "opens with"}}
	for _, set := range p.entry(t).Sets {
		g, e := p.open(t, set.Name)
		rows = append(rows, []string{"`" + set.Name + "`", "`" + e.ActionSpace().String() + "`", "`" + e.ObservationSpace().String() + "`",
			fmt.Sprint(g.Seeds()), fmt.Sprintf("`games.Open(%q, %q)`", p.game, set.Name)})
	}
	return table(rows...)
}

// actions is the table of action ids, a row for those whose texts have one form.
func (p page) actions(t *testing.T) string {
	g, _ := p.open(t, "")
	start := g.Start()
	form := func(a int) string {
		text := g.ActionText(&start, mancala.Action(a))
		form := regexp.MustCompile(`[a-zA-Z]`).ReplaceAllString(text, "a")
		return regexp.MustCompile(`[0-9]+`).ReplaceAllString(form, "1")
	}
	rows := [][]string{{"ids", "action", "in text, for South"}}
	for first := 0; first < g.Actions(); {
		last := first
		for last+1 < g.Actions() && form(last+1) == form(first) {
			last++
		}
		ids := fmt.Sprint(first)
		if last > first {
			ids = fmt.Sprintf("%d to %d", first, last)
		}
		k, ok := p.kinds[form(first)]
		if !ok || k.example < first || k.example > last {
			t.Fatalf("%s says nothing of actions %s, such as %s", p.path, ids, g.ActionText(&start, mancala.Action(first)))
		}
		rows = append(rows, []string{ids, k.what, fmt.Sprintf("`%s` is %d", g.ActionText(&start, mancala.Action(k.example)), k.example)})
		first = last + 1
	}
	return table(rows...)
}

// planes is the table of observation planes.
func (p page) planes(t *testing.T) string {
	_, e := p.open(t, "")
	rows := [][]string{{"plane", "name", "values"}}
	for i, plane := range e.ObservationSpace().Planes {
		rows = append(rows, []string{fmt.Sprint(i), "`" + plane.Name + "`", plane.Doc})
	}
	return table(rows...)
}

// rules are the tables of rule sets and of options.
func (p page) rules(t *testing.T) string {
	e := p.entry(t)
	sets := [][]string{{"rule set", "where it comes from"}}
	head := []string{"option", "what it decides", "values"}
	for i, set := range e.Sets {
		name := "`" + set.Name + "`"
		head = append(head, name)
		if i == 0 {
			name += " (default)"
		}
		sets = append(sets, []string{name, strings.TrimSuffix(set.Doc, ".")})
	}
	options := [][]string{head}
	for _, o := range e.Options {
		row := []string{"`" + o.Name + "`", strings.TrimSuffix(o.Doc, "."), o.Values}
		for _, value := range o.Settings {
			row = append(row, "`"+value+"`")
		}
		options = append(options, row)
	}
	return table(sets...) + table(options...)
}

// TestPlanesAreDividedByTheScaleThatTheirPageSays checks the numbers by which planes are divided, which the text of a page says.
func TestPlanesAreDividedByTheScaleThatTheirPageSays(t *testing.T) {
	for _, p := range pages {
		_, e := p.open(t, "")
		step := e.Reset(1)
		s := e.State()
		column := e.Game().Width() - 1
		seeds := s.Rows[s.Player].At(column)
		scale := float32(seeds) / step.Observation[column]
		if scale != float32(int(scale)) {
			t.Errorf("%s: the scale is %v, no whole number", p.path, scale)
		}
		if !strings.Contains(p.read(t), fmt.Sprintf("The scale is %d", int(scale))) {
			t.Errorf("%s does not say that the scale is %v", p.path, scale)
		}
	}
}

func TestEveryRuleSetHasAVersionOnItsPage(t *testing.T) {
	for _, p := range pages {
		_, history, ok := strings.Cut(p.read(t), "## Version history")
		history, _, _ = strings.Cut(history, "\n## ")
		for _, set := range p.entry(t).Sets {
			if !ok || !strings.Contains(history, "\n| `"+set.Name+"` | ") {
				t.Errorf("%s: the version history does not name %s", p.path, set.Name)
			}
		}
	}
}

func TestRewardsOfPagesExist(t *testing.T) {
	for _, p := range pages {
		for _, name := range env.RewardNames {
			if !strings.Contains(p.read(t), "`"+name+"`") {
				t.Errorf("%s does not name the reward %s", p.path, name)
			}
		}
	}
}

// TestExamplesOfPages plays the examples: the blocks of code that are marked as cases.
func TestExamplesOfPages(t *testing.T) {
	blocks := regexp.MustCompile("(?s)\n```case\n(.*?)\n```")
	for _, p := range pages {
		var cases []string
		for _, block := range blocks.FindAllStringSubmatch(p.read(t), -1) {
			cases = append(cases, block[1])
		}
		path := filepath.Join(t.TempDir(), p.game+".txt")
		if err := os.WriteFile(path, []byte(strings.Join(cases, "\n\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		open := func(rules string) (mancala.Game, error) { return games.Open(p.game, rules) }
		if n := enginetest.Cases(t, open, path); n < 10 {
			t.Errorf("%s has %d examples, want 10 or more", p.path, n)
		}
	}
}

func TestBoardsOfPages(t *testing.T) {
	for _, p := range pages {
		g, _ := p.open(t, "")
		s, err := g.Parse(p.position)
		if err != nil {
			t.Fatal(err)
		}
		if s.Total() != g.Seeds() {
			t.Errorf("%s: the picture shows %d seeds, want %d", p.board, s.Total(), g.Seeds())
		}
		sameAsFile(t, p.board, env.RenderSVG(g, &s))
	}
}

func TestTheREADMEShowsTheBoardOfTheFirstPage(t *testing.T) {
	p := pages[0]
	g, _ := p.open(t, "")
	s, err := g.Parse(p.position)
	if err != nil {
		t.Fatal(err)
	}
	readme := page{path: "../README.md"}.read(t)
	if board := env.Render(g, &s); !strings.Contains(readme, "\n```\n"+board+"```\n") {
		t.Errorf("the README does not show the board\n%s", board)
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, p := range append(pages, page{path: "../README.md"}) {
		found := links.FindAllStringSubmatch(p.read(t), -1)
		if len(found) == 0 {
			t.Errorf("%s has no links", p.path)
		}
		for _, link := range found {
			if _, err := os.Stat(filepath.Join(filepath.Dir(p.path), link[1])); err != nil {
				t.Errorf("%s: %v", p.path, err)
			}
		}
	}
}
