package export

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A schema is checked by the part of JSON Schema 2020-12 that ours is written in. An unknown keyword is an error, so that
// nothing is thought to be checked that is not.
type schema struct{ root map[string]any }

func (s schema) check(rule any, v any, path string) error {
	if rule == false {
		return fmt.Errorf("%s: not allowed", path)
	}
	for keyword, want := range rule.(map[string]any) {
		if err := s.keyword(rule.(map[string]any), keyword, want, v, path); err != nil {
			return err
		}
	}
	return nil
}

func (s schema) keyword(rule map[string]any, keyword string, want, v any, path string) error {
	wrong := func() error { return fmt.Errorf("%s: %v, want %s %v", path, v, keyword, want) }
	object, _ := v.(map[string]any)
	array, _ := v.([]any)
	text, isText := v.(string)
	number, isNumber := v.(float64)
	ok := true
	switch keyword {
	case "$schema", "$defs", "title", "description":
	case "$ref":
		return s.check(s.root["$defs"].(map[string]any)[strings.TrimPrefix(want.(string), "#/$defs/")], v, path)
	case "const":
		ok = v == want
	case "enum":
		ok = slices.Contains(want.([]any), v)
	case "type":
		names, several := want.([]any)
		if !several {
			names = []any{want}
		}
		ok = slices.ContainsFunc(names, func(name any) bool {
			switch name {
			case "object":
				return object != nil
			case "array":
				return array != nil
			case "string":
				return isText
			case "integer":
				return isNumber && number == float64(int64(number))
			case "number":
				return isNumber
			case "null":
				return v == nil
			}
			panic(name)
		})
	case "required":
		for _, name := range want.([]any) {
			if _, there := object[name.(string)]; !there {
				return fmt.Errorf("%s: no %s", path, name)
			}
		}
	case "properties":
		for name, rule := range want.(map[string]any) {
			if entry, there := object[name]; there {
				if err := s.check(rule, entry, path+"."+name); err != nil {
					return err
				}
			}
		}
	case "additionalProperties":
		known, _ := rule["properties"].(map[string]any)
		for name, entry := range object {
			if _, is := known[name]; !is {
				if err := s.check(want, entry, path+"."+name); err != nil {
					return err
				}
			}
		}
	case "prefixItems":
		for i, rule := range want.([]any) {
			if err := s.check(rule, array[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case "items":
		prefix, _ := rule["prefixItems"].([]any)
		for i := len(prefix); i < len(array); i++ {
			if err := s.check(want, array[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case "minItems":
		ok = len(array) >= int(want.(float64))
	case "maxItems":
		ok = len(array) <= int(want.(float64))
	case "minLength":
		ok = len(text) >= int(want.(float64))
	case "pattern":
		ok = regexp.MustCompile(want.(string)).MatchString(text)
	case "minimum":
		ok = number >= want.(float64)
	case "maximum":
		ok = number <= want.(float64)
	default:
		return fmt.Errorf("%s: unknown keyword %s", path, keyword)
	}
	if !ok {
		return wrong()
	}
	return nil
}

func decode(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTheManifestFollowsItsSchema(t *testing.T) {
	s := schema{decode(t, manifestSchema)}
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		b := newBot(t, open(t, game, ""))
		if game == "kiothi" {
			b.Strength = []Result{{"zero:x", "greedy", 400, 0.9, [2]float64{0.87, 0.93}, "random openings"}}
		}
		dir, _ := exported(t, b)
		m := decode(t, read(t, dir, ManifestFile))
		if err := s.check(s.root, m, game); err != nil {
			t.Error(err)
		}
		// The schema would notice.
		for _, change := range []func(){
			func() { m["format"] = 2.0 },
			func() { m["extra"] = "x" },
			func() { delete(m, "files") },
			func() { m["actions"].([]any)[3].(map[string]any)["south"] = "" },
			func() {
				m["models"].([]any)[1].(map[string]any)["outputs"].([]any)[0].(map[string]any)["shape"] = []any{"batch", "many"}
			},
		} {
			m = decode(t, read(t, dir, ManifestFile))
			change()
			if s.check(s.root, m, game) == nil {
				t.Error("the schema takes a broken manifest")
			}
		}
	}
}

// Every field of the manifest is in the schema: one that can be left out could be missing there unnoticed.
func TestTheSchemaKnowsEveryField(t *testing.T) {
	properties := decode(t, manifestSchema)["properties"].(map[string]any)
	kind := reflect.TypeFor[Manifest]()
	for i := range kind.NumField() {
		name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		if _, ok := properties[name]; !ok {
			t.Errorf("the schema has no %s", name)
		}
	}
	if len(properties) != kind.NumField() {
		t.Errorf("the schema has %d fields, the manifest %d", len(properties), kind.NumField())
	}
}
