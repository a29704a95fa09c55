// This file plays many games and keeps them in files, one after the other, so that it can stop and go on.

package distill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"kiothi/agent/alphabeta"
	"kiothi/agent/folders"
	"kiothi/env/lock"
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

// The bounds of what can be asked for, far above what is of use. The names of the files sort up to maxFiles.
const (
	maxGames   = 1_000_000_000
	maxShard   = 100_000
	maxFiles   = 1_000_000
	maxFirst   = 1000
	maxWorkers = 1024
)

// Validate refuses what cannot be played.
func (o *GamesOptions) Validate() error {
	if err := cmp.Or(
		whole("games", o.Games, 1, maxGames), whole("shard", o.Shard, 1, maxShard), whole("first", o.First, 0, maxFirst),
		part("random", o.Random), part("planned", o.Planned), whole("workers", o.Workers, 0, maxWorkers),
	); err != nil {
		return err
	}
	if files := (o.Games-1)/o.Shard + 1; files > maxFiles {
		return fmt.Errorf("shard: found %d, which makes %d files of %d games, expected at most %d files: put more games in a file", o.Shard, files, o.Games, maxFiles)
	}
	return nil
}

// Games plays the games that are not yet in a folder, with a player, and returns the paths of the files with the first
// o.Games games, in order. What is there stays, be it more than is asked for; of a damaged file the games that are sound stay.
// When ctx ends before, its error comes back; the games that are finished are in the folder, and another call goes on. A
// folder that another call works in, or with other games than those of the options, or with anything else, is refused.
func Games(ctx context.Context, g mancala.Game, player *alphabeta.Player, dir string, o GamesOptions) (paths []string, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	held, err := enter(dir, folders.Games)
	if err != nil {
		return nil, fmt.Errorf("games for a network: %w", err)
	}
	defer held.Close()
	want := origin{Header: replay.HeaderOf(g), GamesOptions: o}
	if network := player.Network(); network != nil {
		want.Network = network.Checksum()
	}
	if err := claim(dir, want); err != nil {
		return nil, fmt.Errorf("games for a network: %w", err)
	}
	r := &recorder{game: g, player: player, GamesOptions: &o}
	for shard := 0; shard*o.Shard < o.Games; shard++ {
		from, to := shard*o.Shard, min((shard+1)*o.Shard, o.Games)
		path := filepath.Join(dir, replay.FileName(shard))
		if err := r.shard(ctx, path, from, to); err != nil {
			return nil, fmt.Errorf("games for a network: %w", err)
		}
		paths = append(paths, path)
		if o.Progress != nil {
			o.Progress(to)
		}
	}
	return paths, nil
}

// enter makes a folder of a kind, unless it is there, and takes its lock, which ends with Close. Of a folder of another kind
// it touches nothing.
func enter(dir string, kind folders.Kind) (*os.File, error) {
	if err := folders.Check(dir, kind); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return lock.Folder(dir)
}

// shard completes the file of the games from up to to. What is finished when an error comes is kept in the file, in order,
// with gaps: a record's number says which game it is.
func (r *recorder) shard(ctx context.Context, path string, from, to int) error {
	games, err := r.kept(path, from)
	if err != nil {
		return err
	}
	var missing []int
	for i := range to - from {
		if games[i] == nil {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	played, err := r.complete(ctx, games, missing, from, to)
	if played == 0 {
		return err
	}
	there := slices.DeleteFunc(games, func(g *replay.Game) bool { return g == nil })
	failed := replay.WriteFile(path, replay.HeaderOf(r.game), there)
	if err != nil && failed != nil {
		return fmt.Errorf("%w; the games of the file under way are lost: %w", failed, err)
	}
	return cmp.Or(err, failed)
}

// kept returns the games that a file holds already, [Shard], nil where one is missing. A file of other games is refused: it
// would be overwritten.
func (r *recorder) kept(path string, from int) ([]*replay.Game, error) {
	games := make([]*replay.Game, r.Shard)
	header, found, err := replay.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return games, nil
	}
	var damaged *replay.DamageError
	if err != nil && !errors.As(err, &damaged) {
		return nil, err
	}
	if damaged != nil && len(found) == 0 {
		return games, nil
	}
	if want := replay.HeaderOf(r.game); header != want {
		return nil, fmt.Errorf("%s: found games of %s under %s, expected %s under %s: give another folder", path, header.Game, header.Rules, want.Game, want.Rules)
	}
	for _, g := range found {
		i := int(g.ID.Number)
		if i < 0 || i >= r.Shard || games[i] != nil || g.ID != r.id(from+i) || g.Seed != r.seedOf(from+i) || g.End == mancala.Running {
			return nil, fmt.Errorf("%s: found game %s of seed %d, which is not one of this folder's options: give another folder", path, g.ID, g.Seed)
		}
		games[i] = g
	}
	return games, nil
}

// complete plays the games that are missing of those from up to to, and returns how many it finished.
func (r *recorder) complete(ctx context.Context, games []*replay.Game, missing []int, from, to int) (played int, err error) {
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	there := to - len(missing)
	if r.Progress != nil {
		r.Progress(there)
	}
	errs := make([]error, workers)
	var next atomic.Int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	for worker := range errs {
		group.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(missing); n = int(next.Add(1)) - 1 {
				i := missing[n]
				game, err := r.record(ctx, from+i)
				if err != nil {
					errs[worker] = err
					next.Store(int64(len(missing))) // the others need not go on
					return
				}
				games[i] = game
				mutex.Lock()
				if played++; r.Progress != nil {
					r.Progress(there + played)
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return played, errs[i]
	}
	return played, nil
}
