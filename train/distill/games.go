// This file plays many games and keeps them in files, one after the other, so that it can stop and go on.

package distill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"kiothi/agent/alphabeta"
	"kiothi/env/durable"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// GamesOptions say which games are played. All but Workers and Progress decide what is in the files.
type GamesOptions struct {
	Agent   string  `json:"agent"`   // who plays: a text for the record of the run
	Games   int     `json:"games"`   // in all
	Shard   int     `json:"shard"`   // games a file
	First   int     `json:"first"`   // the greatest number of random turns with which a game begins, after its opening
	Random  float64 `json:"random"`  // share of random turns later on
	Planned float64 `json:"planned"` // share of games whose opening turns are planned, not drawn
	Seed    uint64  `json:"seed"`

	Workers int `json:"-"` // 0 means one a processor
	// Progress, when set, is called with the number of games that are there, by one goroutine at a time.
	Progress func(done int) `json:"-"`
}

// DefaultGamesOptions are games that lead to all sorts of positions.
func DefaultGamesOptions() GamesOptions {
	return GamesOptions{Games: 100_000, Shard: 1000, First: 6, Random: 0.1, Planned: 0.02, Seed: 1}
}

// Check refuses what cannot be played.
func (o *GamesOptions) Check() error {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	switch {
	case o.Games < 1 || o.Shard < 1 || o.First < 0 || o.Workers < 0:
		return fmt.Errorf("%d games in files of %d with up to %d random turns first by %d workers, expected positive numbers, or 0 random turns, or 0 workers for the default",
			o.Games, o.Shard, o.First, o.Workers)
	case !share(o.Random) || !share(o.Planned):
		return fmt.Errorf("shares of %v random turns and %v planned openings, expected 0 to 1", o.Random, o.Planned)
	}
	return nil
}

// optionsFile is where a folder of games says how they were played.
const optionsFile = "games.json"

// An origin is the content of that file.
type origin struct {
	replay.Header
	GamesOptions
}

// Games plays the games that are not yet in a folder, with a player, and returns the paths of all files, in order. Files that
// are sound stay; one that is damaged is played again. When ctx ends before, its error comes back, and another call goes on.
// A folder with games of other options is refused.
func Games(ctx context.Context, g mancala.Game, player *alphabeta.Player, dir string, o GamesOptions) ([]string, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := claim(dir, origin{replay.HeaderOf(g), o}); err != nil {
		return nil, fmt.Errorf("games for a network: %w", err)
	}
	r := &recorder{game: g, player: player, GamesOptions: &o}
	var paths []string
	done := 0
	for shard := 0; shard*o.Shard < o.Games; shard++ {
		from, to := shard*o.Shard, min((shard+1)*o.Shard, o.Games)
		path := filepath.Join(dir, replay.FileName(shard))
		if err := r.shard(ctx, path, from, to); err != nil {
			return nil, fmt.Errorf("games for a network: %w", err)
		}
		paths = append(paths, path)
		if done = to; o.Progress != nil {
			o.Progress(done)
		}
	}
	return paths, nil
}

// claim makes the folder, or sees that the games in it are of the same origin. More games than before may be asked for.
func claim(dir string, want origin) error {
	path := filepath.Join(dir, optionsFile)
	data, err := os.ReadFile(path)
	if err == nil {
		var found origin
		if err := json.Unmarshal(data, &found); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		want := want
		want.Workers, want.Progress, found.Games = 0, nil, want.Games
		if !reflect.DeepEqual(found, want) {
			return fmt.Errorf("%s holds games of other options, see %s: give the same, or another folder", dir, optionsFile)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return durable.WriteFile(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(want)
	})
}

// Teacher returns who played the games in a folder.
func Teacher(dir string) (string, error) {
	path := filepath.Join(dir, optionsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("who played the games: %w", err)
	}
	var found origin
	if err := json.Unmarshal(data, &found); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return found.Agent, nil
}

// shard makes the file of the games from up to to, unless it is there and sound.
func (r *recorder) shard(ctx context.Context, path string, from, to int) error {
	header, games, err := replay.ReadFile(path)
	var damaged *replay.DamageError
	switch {
	case err == nil && header == replay.HeaderOf(r.game) && len(games) == to-from:
		return nil
	case err == nil || errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist):
	default:
		return err
	}
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	games = make([]*replay.Game, to-from)
	errs := make([]error, workers)
	var next, done atomic.Int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	for worker := range errs {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(games); i = int(next.Add(1)) - 1 {
				if games[i], errs[worker] = r.record(ctx, from+i); errs[worker] != nil {
					next.Store(int64(len(games))) // the others need not go on
					return
				}
				mutex.Lock()
				if n := int(done.Add(1)); r.Progress != nil {
					r.Progress(from + n)
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return errs[i]
	}
	return replay.WriteFile(path, replay.HeaderOf(r.game), games)
}
