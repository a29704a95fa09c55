package config

import (
	"math"

	"kiothi/env/games"
)

// This file is the table of keys.

// A Key describes one key for people.
type Key struct {
	Name   string // with its section: "training.batch"
	Doc    string // one sentence or two: what it decides
	Values string // the valid values: "a whole number from 1 to 65536"
	// Resume reports whether the key may change when a run goes on. The others determine what the run is.
	Resume bool

	field func(*Config) any // a pointer to the field: *int, *uint64, *float64, *string or *[]string
	valid func(value any) bool
}

// maxSeed is the largest seed: TOML's whole numbers have a sign.
const maxSeed = math.MaxInt64

// many is an upper bound where none follows from anything: far above what is of use, and safe to multiply.
const many = 1_000_000_000

// sections lists the sections in the order in which they are printed, with what each is about.
var sections = []struct{ name, doc string }{
	{"", "A training run."},
	{"network", "The size of the network, and what it begins with."},
	{"selfplay", "How games are played to learn from."},
	{"search", "How a move is searched in self-play. Evaluations search as the agent zero does where nothing else is said."},
	{"training", "How the network learns from the games."},
	{"gating", "When the network that learns takes over self-play. Without gating it plays at once. With it, the newest network that has beaten its forerunner plays, and is what zero:RUN and the evaluations use."},
	{"run", "How long the run is, and what it keeps."},
	{"evaluation", "How the network is measured."},
}

// keys lists all keys, by section.
var keys = []Key{
	word("game", "The game.", func(c *Config) *string { return &c.Game }, games.Names()...),
	text("rules", "The rule set, with options as in \"mancala-world,bonus=run\"; empty for the game's default.", "the text of a rule set, or nothing",
		func(c *Config) *string { return &c.Rules }),
	seed("seed", "Where all chance of the run comes from; 0 draws a seed from the operating system, which is printed and stored.",
		func(c *Config) *uint64 { return &c.Seed }),
	resumable(whole("workers", "Goroutines that play and learn, 0 for one a processor. It changes the time that a run takes, not its result.", 0, 1024,
		func(c *Config) *int { return &c.Workers })),

	whole("network.width", "Units of the trunk. Multiples of 64 are the fastest.", 1, 4096,
		func(c *Config) *int { return &c.Network.Width }),
	whole("network.blocks", "Residual blocks of two layers in the trunk.", 0, 64,
		func(c *Config) *int { return &c.Network.Blocks }),
	whole("network.value_width", "Units of the layer before the distribution of margins.", 1, 4096,
		func(c *Config) *int { return &c.Network.ValueWidth }),
	text("network.init_from", "A network to begin with, of the same game and sizes: a run, a checkpoint or an exported model, under any of the game's rule sets. Empty begins with random weights.", "a path, or nothing",
		func(c *Config) *string { return &c.Network.InitFrom }),

	whole("selfplay.streams", "Streams of games, each a sequence of its own: as many workers can play at once. More streams are other games.", 1, 1024,
		func(c *Config) *int { return &c.SelfPlay.Streams }),
	whole("selfplay.games_per_stream", "Games that a stream plays side by side, which is the largest batch that the network judges at once.", 1, 65536,
		func(c *Config) *int { return &c.SelfPlay.GamesPerStream }),
	whole("selfplay.games", "Games that are finished in an iteration, in all streams together: a multiple of their number.", 1, many,
		func(c *Config) *int { return &c.SelfPlay.Games }),
	whole("selfplay.simulations", "Simulations of a search in the sowing phase.", 1, 100_000,
		func(c *Config) *int { return &c.SelfPlay.Simulations }),
	whole("selfplay.opening_simulations", "Simulations of a search for one action of an opening turn.", 1, 100_000,
		func(c *Config) *int { return &c.SelfPlay.OpeningSimulations }),
	real("selfplay.temperature", "PUCT: how freely the action is drawn: 0 plays the search's choice, 1 draws by its visits, more is nearer to uniform. A Gumbel search draws by its own noise.", 0, 10,
		func(c *Config) *float64 { return &c.SelfPlay.Temperature }),
	real("selfplay.random_openings", "Share of the games that begin at random: with random opening turns, or a few random plies in a game without any.", 0, 1,
		func(c *Config) *float64 { return &c.SelfPlay.RandomOpenings }),

	word("search.kind", "The search: Gumbel (Danihelka et al., ICLR 2022), or PUCT (Silver et al., Nature 550, 2017).",
		func(c *Config) *string { return &c.Search.Kind }, "gumbel", "puct"),
	accept(whole("search.considered", "Gumbel: actions that the root considers at most, 0 for all.", 0, 1024,
		func(c *Config) *int { return &c.Search.Considered }), "0, or a whole number from 2 to 1024", func(v any) bool { return v != 1 }),
	real("search.c_visit", "Gumbel: c_visit, the trust in a value before any visit.", 0, 1e6,
		func(c *Config) *float64 { return &c.Search.CVisit }),
	positive("search.c_scale", "Gumbel: c_scale, the weight of the value against the policy.", 1e6,
		func(c *Config) *float64 { return &c.Search.CScale }),
	positive("search.c_puct", "PUCT: the weight of the policy against the value.", 1e6,
		func(c *Config) *float64 { return &c.Search.CPUCT }),
	positive("search.dirichlet_alpha", "PUCT: concentration of the root's noise, times ten through the number of legal actions.", 1e6,
		func(c *Config) *float64 { return &c.Search.DirichletAlpha }),
	accept(real("search.dirichlet_share", "PUCT: share of the noise in the root's policy.", 0, 1,
		func(c *Config) *float64 { return &c.Search.DirichletShare }), "a number from 0, below 1", func(v any) bool { return v.(float64) < 1 }),
	real("search.margin_share", "What a search maximises: 0 is wins less losses, 1 is the expected margin of seeds, and between is a mixture.", 0, 1,
		func(c *Config) *float64 { return &c.Search.MarginShare }),

	whole("training.batch", "Positions in a training step.", 1, 65536,
		func(c *Config) *int { return &c.Training.Batch }),
	whole("training.steps", "Training steps in an iteration.", 1, many,
		func(c *Config) *int { return &c.Training.Steps }),
	whole("training.window", "The newest positions to learn from; older games are dropped whole.", 1000, many,
		func(c *Config) *int { return &c.Training.Window }),
	positive("training.learning_rate", "The learning rate of Adam after the warm-up.", 1,
		func(c *Config) *float64 { return &c.Training.LearningRate }),
	whole("training.warmup", "Steps over which the learning rate first rises from nothing.", 0, many,
		func(c *Config) *int { return &c.Training.Warmup }),
	word("training.schedule", "What the learning rate does after the warm-up: it stays, or it falls as a cosine over all of run.iterations. A run that is made longer on the way falls more slowly from there.",
		func(c *Config) *string { return &c.Training.Schedule }, "constant", "cosine"),
	real("training.final_learning_rate", "Where the cosine ends: at most training.learning_rate.", 0, 1,
		func(c *Config) *float64 { return &c.Training.FinalLearningRate }),
	real("training.l2", "Weight of the squares of the weights in the loss.", 0, 1,
		func(c *Config) *float64 { return &c.Training.L2 }),
	real("training.clip", "The largest norm of a step's gradient, to which longer ones are shortened; 0 shortens none.", 0, 1e6,
		func(c *Config) *float64 { return &c.Training.Clip }),
	real("training.value_weight", "Weight of the value's loss beside the policy's.", 0, 1000,
		func(c *Config) *float64 { return &c.Training.ValueWeight }),

	whole("gating.every", "Iterations from one match of the network that learns, the candidate, against that of self-play to the next; 0 for no gating.", 0, 999_999,
		func(c *Config) *int { return &c.Gating.Every }),
	even("gating.games", "The most games of such a match. A candidate that has not won its test by then waits for the next one, and learns on.", 2, 1_000_000,
		func(c *Config) *int { return &c.Gating.Games }),
	whole("gating.simulations", "Simulations of both networks' searches in such a match.", 1, 100_000,
		func(c *Config) *int { return &c.Gating.Simulations }),
	real("gating.elo0", "The sequential test of a match refuses a candidate that is no more than this many Elo stronger.", -800, 800,
		func(c *Config) *float64 { return &c.Gating.Elo0 }),
	real("gating.elo1", "The sequential test of a match accepts a candidate that is at least this many Elo stronger: more than gating.elo0.", -800, 800,
		func(c *Config) *float64 { return &c.Gating.Elo1 }),
	chance("gating.alpha", "The chance that a candidate of the strength gating.elo0 is accepted.",
		func(c *Config) *float64 { return &c.Gating.Alpha }),
	chance("gating.beta", "The chance that a candidate of the strength gating.elo1 is refused.",
		func(c *Config) *float64 { return &c.Gating.Beta }),

	resumable(whole("run.iterations", "Iterations of self-play and training.", 1, 999_999,
		func(c *Config) *int { return &c.Run.Iterations })),
	resumable(whole("run.checkpoint_every", "Iterations from one checkpoint to the next; the last is always kept.", 1, 999_999,
		func(c *Config) *int { return &c.Run.CheckpointEvery })),
	resumable(whole("run.keep", "The newest checkpoints that are kept.", 1, 999_999,
		func(c *Config) *int { return &c.Run.Keep })),
	resumable(word("run.tensorboard", "Whether event files for TensorBoard are written into the run's folder, some kilobytes an iteration.",
		func(c *Config) *string { return &c.Run.TensorBoard }, "on", "off")),

	resumable(whole("evaluation.every", "Iterations from one interim evaluation to the next, 0 for none before the end.", 0, 999_999,
		func(c *Config) *int { return &c.Evaluation.Every })),
	resumable(even("evaluation.interim_games", "Games against each opponent in an interim evaluation.", 2, 1_000_000,
		func(c *Config) *int { return &c.Evaluation.InterimGames })),
	resumable(accept(even("evaluation.games", "Games against each opponent at the end of the run, 0 for no evaluation there.", 0, 1_000_000,
		func(c *Config) *int { return &c.Evaluation.Games }), "0, or an even number from 2 to 1000000", nil)),
	resumable(whole("evaluation.simulations", "Simulations of the network's searches in an evaluation.", 1, 100_000,
		func(c *Config) *int { return &c.Evaluation.Simulations })),
	resumable(texts("evaluation.opponents", "Agents to play against.", "a list of agents, such as [\"random\", \"greedy\"]",
		func(c *Config) *[]string { return &c.Evaluation.Opponents })),
}

// Keys returns the description of every key, in the order in which they are printed.
func Keys() []Key { return append([]Key(nil), keys...) }
