package enginecheck

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kiothi/agent/engine/protocol"
	"kiothi/env/mancala"
)

// This file is what an engine promises in a conversation in good order, one by one. What it promises whatever comes is in
// hardship.go.

func checkStarts(r *run) error {
	r.trials++
	if err := r.start(); err != nil {
		return err
	}
	if err := r.send("ugi"); err != nil {
		return err
	}
	wanted := []string{"id name ", "id author ", fmt.Sprintf("protocol %d", protocol.Version)}
	seen := map[string]bool{}
	err := r.within(r.options.Timeout, func(ctx context.Context) error {
		return r.engine.Await(ctx, func(line string) bool {
			for _, want := range wanted {
				seen[want] = seen[want] || strings.HasPrefix(line, want)
			}
			return line == "ugiok"
		})
	})
	if err != nil {
		return fmt.Errorf("no ugiok: %w", err)
	}
	for _, want := range wanted {
		if !seen[want] {
			return expect(fmt.Sprintf("a line that begins with %q before ugiok", want), "none")
		}
	}
	return nil
}

// checkOptions also finds out which of the games the engine offers.
func checkOptions(r *run) error {
	offered, err := offers(r)
	if err != nil {
		return err
	}
	r.games = slices.DeleteFunc(r.games, func(g mancala.Game) bool {
		refusal := r.offered(offered, g)
		if refusal != nil && !r.options.Optional && err == nil {
			err = expect("to play "+g.Name()+" "+g.Rules(), "%v", refusal)
		}
		return refusal != nil
	})
	if err != nil {
		return err
	}
	if len(r.games) == 0 {
		return expect("to play one of the games "+setNames(r), "none of them is offered")
	}
	var played []mancala.Game
	for _, g := range r.games {
		r.trials++
		if err := r.open(g); err != nil {
			return err
		}
		if r.engine.Complained() {
			if r.options.Optional { // Rules may be any text, and only then it turns out what the engine can play
				continue
			}
			return expect("to play "+g.Name()+" "+g.Rules(), "a complaint")
		}
		played = append(played, g)
		for _, o := range r.engine.Options {
			if o.Name == "Game" || o.Name == "Rules" || o.Type == protocol.String {
				continue // what other texts mean is the engine's own
			}
			if err := r.set(o.Name, o.Default); err != nil {
				return err
			}
		}
		if err := r.sync(); err != nil {
			return err
		}
		if r.engine.Complained() {
			return expect("an engine that takes the defaults of its options", "a complaint")
		}
	}
	r.games = played
	if len(r.games) == 0 {
		return expect("to play one of the games "+setNames(r), "a complaint about each")
	}
	return nil
}

// offers returns the options, each of which must be one.
func offers(r *run) ([]protocol.Option, error) {
	if err := r.start(); err != nil {
		return nil, err
	}
	if err := r.send("ugi"); err != nil {
		return nil, err
	}
	var offered []protocol.Option
	var wrong error
	err := r.within(r.options.Timeout, func(ctx context.Context) error {
		return r.engine.Await(ctx, func(line string) bool {
			if !strings.HasPrefix(line, "option ") {
				return line == "ugiok"
			}
			r.trials++
			o, err := protocol.ParseOption(line)
			if err != nil && wrong == nil {
				wrong = expect("option name NAME type spin|combo|string|check default VALUE ...", "%s: %v", line, err)
			}
			offered = append(offered, o)
			return false
		})
	})
	if err != nil {
		return nil, fmt.Errorf("no ugiok: %w", err)
	}
	if wrong != nil {
		return nil, wrong
	}
	for _, name := range []string{"Game", "Rules"} {
		if protocol.FindOption(offered, name) == nil {
			return nil, expect("an option "+name, "none")
		}
	}
	if o := protocol.FindOption(offered, "Game"); o.Type != protocol.Combo {
		return nil, expect("the option Game as a combo of the games that it plays", "%s", o)
	}
	return offered, nil
}

// offered returns an error when a game is none that the options name.
func (r *run) offered(options []protocol.Option, g mancala.Game) error {
	if err := protocol.FindOption(options, "Game").Refuse(g.Name()); err != nil {
		return err
	}
	return protocol.FindOption(options, "Rules").Refuse(g.Rules())
}

// setNames writes the sets that are to be checked.
func setNames(r *run) string {
	var names []string
	for _, set := range r.options.Sets {
		names = append(names, set.String())
	}
	return strings.Join(names, ", ")
}

// positionsAsked is how many positions of a game an engine is asked about.
const positionsAsked = 12

// each calls f in every game, with positions of random games.
func (r *run) each(f func(positions) error) error {
	if len(r.games) == 0 {
		return r.openAny()
	}
	for _, g := range r.games {
		if err := r.open(g); err != nil {
			return err
		}
		for game := range r.options.Games {
			if err := f(play(g, r.options.Seed+uint64(game))); err != nil {
				return err
			}
		}
	}
	return nil
}

// quick is a search that every engine ends soon.
const quick = "go movetime 20"

func checkTurns(r *run) error {
	return r.each(func(p positions) error {
		for _, s := range some(p.whole, positionsAsked) {
			if err := r.turn(&s, quick, r.options.Timeout); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkRest(r *run) error {
	return r.each(func(p positions) error {
		for _, s := range some(p.half, positionsAsked/2) {
			if err := r.turn(&s, quick, r.options.Timeout); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkLimits(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	p := play(r.game, r.options.Seed)
	s := p.whole[len(p.whole)/2]
	for _, command := range []string{
		"go", "go depth 1", "go nodes 100", "go sims 10", "go movetime 20 depth 2",
		"go p1time 1000 p2time 1000", "go p1time 500 p2time 2000 p1inc 10 p2inc 10", "go p1time 0 p2time 0",
	} {
		if err := r.turn(&s, command, r.options.Timeout); err != nil {
			return err
		}
	}
	return nil
}

// timely calls f up to three times, until it takes no longer than it may: a busy machine can make any engine late once.
func (r *run) timely(limit time.Duration, what string, f func() error) error {
	const tries = 3
	for try := 1; ; try++ {
		began := time.Now()
		if err := f(); err != nil {
			return err
		}
		took := time.Since(began)
		if took <= limit {
			return nil
		}
		if try == tries {
			return expect(fmt.Sprintf("%s within %v", what, limit), "it took %v, at the third try", took.Round(time.Millisecond))
		}
	}
}

func checkMoveTime(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	p := play(r.game, r.options.Seed)
	for _, s := range []mancala.State{p.whole[0], p.whole[len(p.whole)/2]} {
		for _, ms := range []int{10, 300} {
			err := r.timely(time.Duration(ms)*time.Millisecond+r.slack, "a bestmove", func() error {
				return r.turn(&s, fmt.Sprintf("go movetime %d", ms), r.options.Timeout+slack)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// think has the engine think without an end.
func (r *run) think() (mancala.State, error) {
	if err := r.openAny(); err != nil {
		return mancala.State{}, err
	}
	p := play(r.game, r.options.Seed)
	s := p.whole[len(p.whole)/2]
	if err := r.position(&s); err != nil {
		return s, err
	}
	return s, r.send("go infinite")
}

func checkThinking(r *run) error {
	s, err := r.think()
	if err != nil {
		return err
	}
	const answers = 3
	for range answers {
		r.trials++
		r.sent = append(r.sent, "isready")
		ready, early := false, ""
		err := r.within(r.options.Timeout, func(ctx context.Context) error {
			if err := r.engine.Send(ctx, "isready"); err != nil {
				return err
			}
			return r.engine.Await(ctx, func(line string) bool {
				if strings.HasPrefix(line, "bestmove") {
					early = line
				}
				ready = line == "readyok"
				return ready || early != ""
			})
		})
		if early != "" {
			return expect("no bestmove between go infinite and stop", "%s", early)
		}
		if err != nil {
			return fmt.Errorf("no readyok to isready after go infinite: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return r.stop(&s)
}

// stop ends the engine's thinking about a position, to which it has to answer with a legal turn.
func (r *run) stop(s *mancala.State) error {
	if err := r.send("stop"); err != nil {
		return err
	}
	words, err := r.bestmove(r.options.Timeout)
	if err == nil {
		_, err = r.legal(s, words)
	}
	return err
}

func checkStop(r *run) error {
	s, err := r.think()
	if err != nil {
		return err
	}
	for _, command := range []string{"go infinite", "go movetime 3600000"} {
		for _, pause := range []time.Duration{0, 100 * time.Millisecond} {
			if err := r.send("stop"); err != nil {
				return err
			}
			if _, err := r.bestmove(r.options.Timeout); err != nil {
				return err
			}
			err := r.timely(pause+r.slack, "a bestmove after stop", func() error {
				r.trials++
				if err := r.position(&s); err != nil {
					return err
				}
				if err := r.send(command); err != nil {
					return err
				}
				time.Sleep(pause)
				return r.stop(&s)
			})
			if err != nil {
				return err
			}
			if err := r.send("go infinite"); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkQuery(r *run) error {
	return r.each(func(p positions) error {
		for _, s := range append(some(p.whole, positionsAsked/2), p.end) {
			if err := r.position(&s); err != nil {
				return err
			}
			for _, query := range []struct{ question, want string }{
				{"p1turn", fmt.Sprint(s.Player == mancala.South)},
				{"gameover", fmt.Sprint(s.Over())},
				{"result", protocol.Result(r.game, &s)},
			} {
				r.trials++
				if got, err := r.response(query.question); err != nil {
					return err
				} else if got != query.want {
					return expect("query "+query.question+" answered by response "+query.want, "response %s", got)
				}
			}
		}
		return nil
	})
}

// noMove asks for a turn where there is none.
func (r *run) noMove(why string) error {
	r.trials++
	if err := r.send(quick); err != nil {
		return err
	}
	words, err := r.bestmove(r.options.Timeout)
	if err != nil {
		return err
	}
	if len(words) != 1 || words[0] != protocol.NoMove {
		return expect("bestmove none, because "+why, "bestmove %s", strings.Join(words, " "))
	}
	return nil
}

func checkOver(r *run) error {
	return r.each(func(p positions) error {
		if err := r.position(&p.end); err != nil {
			return err
		}
		return r.noMove("the game is over")
	})
}

func checkNewGame(r *run) error {
	if err := r.openAny(); err != nil {
		return err
	}
	for range 3 {
		if err := r.send("uginewgame"); err != nil {
			return err
		}
		if err := r.sync(); err != nil {
			return err
		}
		start := r.game.Start()
		if err := r.turn(&start, quick, r.options.Timeout); err != nil {
			return err
		}
	}
	return nil
}
