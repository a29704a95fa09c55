package env

import (
	"fmt"
	"strings"

	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// A Reward turns the final margin, a player's store minus the opponent's, into that player's reward at the end of a game.
// Each is odd, r(-m) = -r(m), so that the two players' rewards add up to zero. Before the end rewards are zero.
type Reward func(margin int) float64

// Outcome is +1 for a win, 0 for a draw and -1 for a loss.
func Outcome(margin int) float64 {
	switch {
	case margin > 0:
		return 1
	case margin < 0:
		return -1
	}
	return 0
}

// Margin returns the margin divided by the number of seeds: 1 for a win that leaves the opponent nothing.
func Margin(seeds int) Reward {
	return func(margin int) float64 { return float64(margin) / float64(seeds) }
}

// Warrior is Outcome with a warrior's victory, a win by exactly two seeds, counted weight times (rules, section 2.5).
func Warrior(weight float64) Reward {
	return func(margin int) float64 {
		if margin == 2 || margin == -2 {
			return weight * Outcome(margin)
		}
		return Outcome(margin)
	}
}

// RewardNames lists the texts that ParseReward reads.
var RewardNames = []string{"outcome", "margin", "warrior:1", "warrior:2", "warrior:10"}

// ParseReward reads a reward by its name. A warrior's victory counts 1, 2 or 10 wins.
func ParseReward(text string, g mancala.Game) (Reward, error) {
	switch text {
	case "outcome":
		return Outcome, nil
	case "margin":
		return Margin(g.Seeds()), nil
	case "warrior:1":
		return Warrior(1), nil
	case "warrior:2":
		return Warrior(2), nil
	case "warrior:10":
		return Warrior(10), nil
	}
	if strings.HasPrefix(text, "warrior") {
		return nil, fmt.Errorf("reward %q: a warrior's victory counts 1, 2 or 10 wins, expected warrior:1, warrior:2 or warrior:10", text)
	}
	return nil, choice.Unknown("reward", text, RewardNames)
}
