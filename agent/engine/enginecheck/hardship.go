package enginecheck

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kiothi/agent/engine/protocol"
)

// This file is what an engine promises whatever comes: that nonsense does it no harm, and that it ends when it is told to.

// garbage is what may come when somebody types, or another program is confused. A line without an end comes in the check
// "pieces".
func garbage() []string {
	return []string{
		"", "   ", "nonsense", "go go go", "go movetime", "go movetime -5", "go movetime many", "go depth 0", "go movetime 99999999999999999999",
		"setoption", "setoption name", "setoption name NoSuchOption value 7", "setoption name Game value chess", "setoption name Game",
		"setoption name Rules value nonsense,of=it", "query", "query everything", "stop", "isreadynow", "bestmove a1", "\x00\x01\x02\xff\xfe", "ÿØÿà",
		strings.Repeat("x", 10_000), strings.Repeat("go ", 10_000), "position", strings.Repeat("y", protocol.LongestLine+1000),
	}
}

func checkGarbage(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	start := r.game.Start()
	for _, line := range garbage() {
		r.trials++
		if err := r.send(line); err != nil {
			return fmt.Errorf("after %s: %w", protocol.Shown(line), err)
		}
		if err := r.sync(); err != nil {
			return fmt.Errorf("after %s: %w", protocol.Shown(line), err)
		}
	}
	// A go that was refused has a bestmove, too, which has been read by now.
	if err := r.open(r.game); err != nil {
		return err
	}
	for _, line := range garbage() {
		if err := r.within(r.options.Timeout, func(ctx context.Context) error { return r.engine.Send(ctx, line) }); err != nil {
			return fmt.Errorf("after %s: %w", protocol.Shown(line), err)
		}
	}
	if err := r.sync(); err != nil {
		return fmt.Errorf("after garbage without a pause: %w", err)
	}
	return r.turn(&start, quick, r.options.Timeout)
}

func checkRefused(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	start := r.game.Start()
	text := r.game.Format(&start)
	for _, line := range []string{
		"position nowhere", "position pos", "position pos 1,2,3", "position pos " + text + " 7", "position pos " + strings.Replace(text, " S ", " X ", 1),
		"position startpos moves nonsense", "position startpos a", "position pos " + strings.Replace(text, "/", ",9999/", 1),
	} {
		r.trials++
		if err := r.send(line); err != nil {
			return err
		}
		if err := r.noMove("the last position was refused"); err != nil {
			return err
		}
	}
	return r.turn(&start, quick, r.options.Timeout)
}

func checkPieces(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	start := r.game.Start()
	position := protocol.Position(r.game, &start)
	for _, pieces := range [][]string{
		{position + "\n" + quick + "\n"},
		{position[:5], position[5:], "\n", quick[:4], quick[4:] + "\n"},
		{position + "\r\n" + quick + "\r\n"},
		{"  " + position + "  \n\n\n" + quick + " \n"},
	} {
		r.trials++
		for _, piece := range pieces {
			if err := r.within(r.options.Timeout, func(ctx context.Context) error { return r.engine.Write(ctx, piece) }); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		words, err := r.bestmove(r.options.Timeout)
		if err == nil {
			_, err = r.legal(&start, words)
		}
		if err != nil {
			return fmt.Errorf("after %q: %w", pieces, err)
		}
	}
	return nil
}

// endTime is how long an engine may take to end.
const endTime = 5 * time.Second

// ends waits for the end of the process.
func (r *run) ends(after string, status bool) error {
	r.trials++
	select {
	case <-r.engine.Exited():
	case <-time.After(r.endTime):
		return expect(fmt.Sprintf("an end within %v after %s", r.endTime, after), "it goes on")
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	if got := r.engine.Status(); status && got != 0 {
		return expect("exit status 0 after "+after, "%d", got)
	}
	return nil
}

func checkQuit(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	if err := r.send("quit"); err != nil {
		return err
	}
	if err := r.ends("quit", true); err != nil {
		return err
	}
	if _, err := r.think(); err != nil {
		return err
	}
	if err := r.send("quit"); err != nil {
		return err
	}
	return r.ends("quit while it thinks", true)
}

func checkEOF(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	r.engine.CloseInput()
	if err := r.ends("the end of its input", false); err != nil {
		return err
	}
	if _, err := r.think(); err != nil {
		return err
	}
	r.engine.CloseInput()
	return r.ends("the end of its input while it thinks", false)
}
