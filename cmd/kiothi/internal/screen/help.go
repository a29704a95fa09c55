package screen

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// This file is the page of help.

// helpLines returns the help, in the middle of a wide window and in short in a small one.
func (m *Model) helpLines() []string {
	text := helpText
	if lipgloss.Width(text) > m.columns || lipgloss.Height(text) > m.lines {
		text = shortHelpText
	}
	lines := strings.Split(text, "\n")
	margin := strings.Repeat(" ", max(0, m.columns-lipgloss.Width(text))/2)
	for i := range lines {
		lines[i] = margin + cut(lines[i], m.columns-len(margin))
	}
	lines[0] = m.look.title.Render(lines[0])
	return lines
}

// helpText lists all keys.
const helpText = `Keys

  left, right     choose a pit            up, down   choose how many seeds
  Enter, Space    play what is chosen     a-j, A-J   type a move:
                                            e3         three seeds from pit e
                                            eh:a3c2J5  a whole opening turn
                                            +e  =  >c  a step of an opening
  In the opening  Enter lifts, then places one seed; a digit places so many;
                  up and down change the row; u takes a step back

  t   a hint: chances, expected margin, best line
  u   undo                                s, l   save to, load from a file
  v   turn the board                      p      the position as text
  [ ] slower, faster                      q      quit (also Ctrl-C)

  While a turn is shown, Enter skips to its end.
  Watching agents: Space pauses and goes on, n goes one step or one turn.

  A star marks a protected pit; [e] is the cursor, >h< where the first lap
  ends. Any key goes back.`

// shortHelpText is helpText for the smallest window that a game can be played in.
const shortHelpText = `Keys
left, right  pit        up, down  seeds, row
Enter  sow, lift, place     1-9  place many
a-J  type: e3 or eh:a3c2J5 or +e = >c
t hint   u undo   s save   l load
p position   v turn the board
[ slower   ] faster   Enter skip
Space pause   n one step or turn   q quit
* protected   [e] cursor   >h< first lap end
Any key goes back.`
