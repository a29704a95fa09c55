package checkpoint

import (
	"fmt"
	"regexp"
)

// This file is the names of snapshots, which sort by age.

// MaxNumber is the largest iteration or step in a name.
const MaxNumber = 999_999

var namePattern = regexp.MustCompile(`^[0-9]{6}(-[0-9]{6})?$`)

// Name returns the name of the snapshot taken after an iteration, such as "000012", or of one taken in the iteration
// after it, at a positive step: "000012-000340". Names sort by iteration, then step. Numbers are from 0 to MaxNumber.
func Name(iteration, step int) string {
	if step == 0 {
		return fmt.Sprintf("%06d", iteration)
	}
	return fmt.Sprintf("%06d-%06d", iteration, step)
}

// checkName refuses what is not a name.
func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("found the snapshot name %q, expected six digits, or six and six with a hyphen between", name)
	}
	return nil
}
