package riokadalis_test

import "testing"

// TestRulesText checks that the name of a rule set keeps only what differs.
func TestRulesText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "standard",
		"standard":                              "standard",
		"standard,holes=6,lap_limit=10000":      "standard",
		"clockwise,direction=clockwise":         "clockwise",
		"standard,lap_limit=5,holes=5":          "standard,holes=5,lap_limit=5",
		"clockwise,no_capture_limit=7":          "clockwise,no_capture_limit=7",
		"five-holes,direction=clockwise":        "five-holes,direction=clockwise",
		"clockwise,direction=counter-clockwise": "clockwise,direction=counter-clockwise",
	} {
		if got := mustNew(t, text).Rules(); got != want {
			t.Errorf("%q is the rule set %q, expected %q", text, got, want)
		}
	}
}

func TestGameIsDescribed(t *testing.T) {
	six, five := mustNew(t, "standard"), mustNew(t, "five-holes,no_capture_limit=30")
	if six.Name() != "rio-kadalis" || six.Width() != 6 || six.Seeds() != 48 || six.Actions() != 6 || six.ClockLimit() != 100 {
		t.Errorf("standard: %s, %d holes, %d stones, %d actions, clock to %d", six.Name(), six.Width(), six.Seeds(), six.Actions(), six.ClockLimit())
	}
	if five.Width() != 5 || five.Seeds() != 40 || five.Actions() != 5 || five.ClockLimit() != 30 {
		t.Errorf("five-holes: %d holes, %d stones, %d actions, clock to %d", five.Width(), five.Seeds(), five.Actions(), five.ClockLimit())
	}
}
