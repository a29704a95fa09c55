// The types of the package kiothi: the rules of Kiothi and Rio Kadalis, and players of them, in one WebAssembly module.
//
// There are two ways in, with the same calls:
//
//   const kiothi = await load();          // here: every call answers at once
//   const kiothi = await startWorker();   // in a Web Worker: every call returns a promise, and the page never freezes
//
// The rules take microseconds, so that a page may well use load() for its board and startWorker() for its opponents. A game
// is carried from one to the other as text: newGame({game, rules, position, moves}).
//
// Pits are counted from 0: South's from South's left, then North's from North's left. Players are 0, South, who moves first,
// and 1, North. Moves are texts of the rules: "e3" sows three seeds from pit e, "e" all of them; an opening turn of Kiothi is
// "eh:a3c2J5" (lift e and h, place three seeds in a, two in c, five in J), and its single steps are "+e", "=" and ">a".

/** South (0), who moves first, or North (1). */
export type Player = 0 | 1;

/** The names of the games. */
export type GameName = "kiothi" | "rio-kadalis";

/** What the player to move does next: sow, or, in an opening of Kiothi, lift pits and then place the seeds in hand. */
export type Phase = "sow" | "lift" | "place";

/**
 * A move: a text of the rules, or the number of an action. A text is a whole turn, or a step of an opening turn, or several
 * steps with a space between.
 */
export type Move = string | number;

// ---------------------------------------------------------------------------------------------------------------- games

/** How a game begins. */
export interface NewGame {
  game: GameName;
  /** A rule set, such as "mancala-world" or "mancala-world,bonus=run,lifts=0+2". The game's default when left out. */
  rules?: string;
  /** The text of a position, or of a competition, to begin from. The start of the game when left out. */
  position?: string;
  /**
   * Moves to play at once, such as the texts of history(). In a competition the next round begins by itself where a move
   * needs it.
   */
  moves?: readonly Move[];
  /**
   * Play a competition of at most so many rounds, which only Rio Kadalis has: stones go from round to round, and holes that
   * cannot be filled are closed. Left out when position is the text of a competition.
   */
  rounds?: number;
}

/** A pit of the board. */
export interface Pit {
  /** Its letter: South's "a", "b", ...; North's "A", "B", ... */
  readonly name: string;
  readonly owner: Player;
  readonly seeds: number;
  /** Nothing can be captured from it (in Kiothi, an nki). */
  readonly marked: boolean;
  /** It is out of play (in a competition of Rio Kadalis). */
  readonly closed: boolean;
  /** The player to move has lifted it in this opening turn. */
  readonly lifted: boolean;
  /** The player to move last placed a seed there in this opening turn. */
  readonly last: boolean;
}

/** How a game, or a round of a competition, ended. */
export interface Result {
  /** "stuck": the player to move had no legal move. "exhausted": too many turns without a capture. */
  readonly reason: "stuck" | "exhausted";
  /** The stores after the sweep of what was left on the board. */
  readonly stores: readonly [number, number];
  /** Who won, null for a draw. */
  readonly winner: Player | null;
  /** South's final store minus North's. */
  readonly margin: number;
  /** Kiothi won by exactly two seeds, which the Meru count double. */
  readonly warrior: boolean;
}

/** How a competition stands. */
export interface Competition {
  /** The number of this round, from 1, and of the last one that can be. */
  readonly round: number;
  readonly rounds: number;
  /** The stones that South and North own: those in the store and in the own row. */
  readonly holdings: readonly [number, number];
  /** This round is over and there is a next one: nextRound() begins it. */
  readonly between: boolean;
  /** Why the competition is over: "ruined", a player owns too little to fill a hole, or "rounds spent"; "" while it is not. */
  readonly end: "" | "ruined" | "rounds spent";
  /** Who won the competition, null for a draw and while it is not over. */
  readonly winner: Player | null;
}

/** Where a game stands: all that is needed to draw it. */
export interface State {
  /** The position as text, for NewGame.position; that of the competition in a competition. */
  readonly position: string;
  /** Whose turn it is. */
  readonly player: Player;
  readonly phase: Phase;
  /** The pits: South's, then North's, each row from its owner's left. */
  readonly pits: readonly Pit[];
  /** Seeds won so far. At the end of a game see result.stores, which count what is left on the board, too. */
  readonly stores: readonly [number, number];
  /** Seeds lifted and not yet placed in this opening turn. */
  readonly hand: number;
  /** Turns since a seed was last won, and the number at which the game ends. */
  readonly clock: number;
  readonly clockLimit: number;
  /** How the game or round ended, null while it is going on. */
  readonly result: Result | null;
  /** How the competition stands, null in a single game. */
  readonly competition: Competition | null;
  /** Nothing more can be played: neither a move nor a next round. */
  readonly over: boolean;
  /** The number of entries of history(). */
  readonly played: number;
}

/** A legal move. While sowing it is a whole turn; in an opening, of which there are too many to list, a single step. */
export interface LegalMove {
  /** Its number, from 0 to Info.actions - 1. */
  readonly action: number;
  readonly text: string;
  /** The pit that is sown from, lifted or placed in, null for "=", the end of lifting. */
  readonly pit: number | null;
  /** The seeds that are sown, lifted or placed, 0 for "=". */
  readonly seeds: number;
}

/** What was played at once: a turn, or a step of an opening. */
export interface Played {
  readonly player: Player;
  readonly text: string;
  readonly actions: readonly number[];
  /** Laps of the sowing, 0 in an opening. */
  readonly laps: number;
  /** Seeds that it put into South's and North's stores, before any sweep at the end of the game. */
  readonly captured: readonly [number, number];
  /** The relay went on without end and was cut at the rule set's limit. */
  readonly cut: boolean;
  /** In a competition, the round that it was played in, from 1; 1 in a single game. */
  readonly round: number;
}

/** One thing that can be seen to happen on the board during a move. */
export interface SowingEvent {
  /**
   * "lift": seeds go from the pit into the hand. "drop": a seed goes from the hand into the pit. "win": seeds go from the pit
   * into a store. "mark": the pit becomes protected.
   */
  readonly kind: "lift" | "drop" | "win" | "mark";
  /** The lap of the sowing, from 1; 0 in an opening. */
  readonly lap: number;
  readonly pit: number;
  /** How many seeds are lifted, dropped or won. */
  readonly seeds: number;
  /** Of a "win": whose store the seeds go to; otherwise null. */
  readonly to: Player | null;
  /** Of a "lift": the pit loses its protection. */
  readonly unmark: boolean;
}

/** What a move does, event by event. */
export interface Trace {
  readonly events: readonly SowingEvent[];
  /** There were more events than were asked for: a relay can be very long. */
  readonly truncated: boolean;
}

/** What stays the same in a game. */
export interface Info {
  readonly game: GameName;
  /** The rule set in canonical text. */
  readonly rules: string;
  /** Pits in a row. */
  readonly width: number;
  /** Seeds in the game. */
  readonly seeds: number;
  /** The number of actions. */
  readonly actions: number;
  /** Whether a sowing may lift a part of a pit. */
  readonly partialPickup: boolean;
}

/** What an agent plays and what it thinks of the position. */
export interface Thought {
  /** A whole turn (or the rest of one that is half done): its text, to be given to play(), and its actions. */
  readonly text: string;
  readonly actions: readonly number[];
  /** Chances of the player to move, which add up to 1; null when the agent does not judge positions. */
  readonly chances: { readonly win: number; readonly draw: number; readonly loss: number } | null;
  /** Expected result of the player to move, from -1, a loss, to 1, a win; null when the agent does not say. */
  readonly value: number | null;
  /** Expected final margin of the player to move, in seeds; null when the agent does not say. */
  readonly margin: number | null;
  /** How the agent expects the game to go on, in turns, beginning with its own; no more than that where it does not say. */
  readonly line: readonly string[];
  /** The work behind the answer: simulations of a tree search, positions of an alpha-beta search. */
  readonly simulations: number;
  readonly nodes: number;
  /** How long it took. */
  readonly milliseconds: number;
}

/** A thought with what is behind it. */
export interface Analysis extends Thought {
  /**
   * How much each legal action is to be preferred, in their order, in an opening for the next single step. The shares add up
   * to 1; null when the agent weighs none.
   */
  readonly policy: readonly { readonly action: number; readonly text: string; readonly probability: number }[] | null;
  /**
   * How likely each final margin is for the player to move, in seeds, in ascending order. They add up to 1; null when the
   * agent expects none in particular.
   */
  readonly margins: readonly { readonly margin: number; readonly probability: number }[] | null;
}

/** Settings of think(). */
export interface ThinkOptions {
  /**
   * Fixes all chance in the agent: the same position and seed give the same answer. A whole number from 0 to 2^53 - 1;
   * drawn at random when left out.
   */
  seed?: number;
}

/** Settings of a think() that can be called off. */
export interface AsyncThinkOptions extends ThinkOptions {
  /** Ends the thinking: the promise is rejected with the signal's reason, an AbortError unless another was given. */
  signal?: AbortSignal;
}

/** An agent that thinks as far as it is asked to, for programs that want to do something else in between. */
export interface Thinking<T = Thought> {
  /** Goes on for some milliseconds, and returns the thought when it is there, null before. */
  step(milliseconds: number): T | null;
  /** Gives up. Either this is called, or step until there is a thought. */
  stop(): void;
}

/** A game, or a competition, with all that was played in it. */
export interface Game {
  readonly info: Info;
  /** Where the game stands. */
  state(): State;
  /** The legal moves in ascending order of their numbers, none when the game is over. */
  legal(): LegalMove[];
  /** Plays a move. An illegal one is a KiothiError that says which rule forbids it, and changes nothing. */
  play(move: Move): Played;
  /** Why a move cannot be played here, null when it can. */
  whyNot(move: Move): string | null;
  /** Takes back the last move, with the beginning of a round when that came after it. False when there is none. */
  undo(): boolean;
  /** What was played so far and can be taken back, oldest first. */
  history(): Played[];
  /** Begins the next round of a competition. */
  nextRound(): State;
  /** What a move does, seed by seed, without playing it. At most limit events, 10000 when left out. */
  trace(move: Move, limit?: number): Trace;
  /** The board as lines of text. */
  board(): string;
  /** Lets an agent choose a turn for the player to move; it does not play it. See Kiothi.agents() for the texts of agents. */
  think(agent: string, options?: ThinkOptions): Thought;
  /**
   * Lets an agent think, and tell all that it can of the position. "policy:NAME" gives what a network says of it without any
   * search; in an opening an agent that plays by the clock takes its time twice, to judge and to choose.
   */
  analyse(agent: string, options?: ThinkOptions): Analysis;
  /** Begins to think, without doing anything yet. At most eight agents think at once. */
  startThinking(agent: string, options?: ThinkOptions): Thinking;
  /** Begins to analyse. */
  startAnalysing(agent: string, options?: ThinkOptions): Thinking<Analysis>;
  /** Forgets the game. Later calls are errors. */
  close(): void;
}

// --------------------------------------------------------------------------------------------------------------- agents

/** A sort of agent. */
export interface AgentKind {
  readonly name: string;
  /** How its texts are written, such as "alphabeta:depth=N | alphabeta:movetime=T | alphabeta:nodes=N". */
  readonly usage: string;
  /** One sentence: how it plays. */
  readonly doc: string;
  readonly options: readonly { readonly name: string; readonly default: string; readonly doc: string }[];
}

/** A network as a checkpoint of kiothi describes it. */
export interface ModelInfo {
  /** The name it was added under: what stands for its path in the text of an agent, as in "zero:NAME,sims=200". */
  readonly name: string;
  readonly game: GameName;
  readonly rules: string;
  /** The number of weights. */
  readonly parameters: number;
}

/** The two files of a model, which `kiothi export` writes. */
export interface ModelFiles {
  /** model.json: its text or bytes. */
  description: string | BufferSource;
  /** model.safetensors. */
  weights: BufferSource;
}

/** A rule set of a game. */
export interface GameInfo {
  readonly name: GameName;
  readonly doc: string;
  /** Named rule sets, the default first. */
  readonly sets: readonly { readonly name: string; readonly doc: string }[];
  /** Options that override a rule set's, as in "mancala-world,bonus=run", with their settings in each of sets. */
  readonly options: readonly {
    readonly name: string;
    readonly doc: string;
    readonly values: string;
    readonly settings: readonly string[];
  }[];
}

// ----------------------------------------------------------------------------------------------------------- ways in

/** The module, here. */
export interface Kiothi {
  /** The version of the module. */
  readonly version: string;
  /** Bytes of memory that the module holds. They grow when agents need more, and never shrink. */
  readonly memory: number;
  /** The games with their rule sets and options, the default first. */
  games(): GameInfo[];
  /** The sorts of agent. */
  agents(): AgentKind[];
  /** Begins a game. What is wrong with the options is a KiothiError that says what would be right. */
  newGame(options: NewGame): Game;
  /**
   * Adds a network under a name of letters, digits, "-", "_" and ".". An agent reads it where its text has a path, as
   * "zero:NAME,sims=200".
   */
  addModel(name: string, files: ModelFiles): ModelInfo;
  /**
   * Adds any other file that agents read, such as a small network for alpha-beta ("alphabeta:depth=6,net=NAME") or a table of
   * end games ("uct:sims=1000,table=NAME").
   */
  addFile(name: string, bytes: BufferSource): void;
  /** Forgets a network or a file, so that the name is free again. False when there is none of this name. */
  remove(name: string): boolean;
}

/** The same calls, answered by a worker. */
export interface AsyncKiothi {
  readonly version: string;
  games(): Promise<GameInfo[]>;
  agents(): Promise<AgentKind[]>;
  newGame(options: NewGame): Promise<AsyncGame>;
  addModel(name: string, files: ModelFiles): Promise<ModelInfo>;
  addFile(name: string, bytes: BufferSource): Promise<void>;
  remove(name: string): Promise<boolean>;
  /** Ends the worker. Calls that have no answer yet, and later ones, are errors. */
  terminate(): void;
}

/** A game that lives in a worker. */
export interface AsyncGame {
  readonly info: Info;
  state(): Promise<State>;
  legal(): Promise<LegalMove[]>;
  play(move: Move): Promise<Played>;
  whyNot(move: Move): Promise<string | null>;
  undo(): Promise<boolean>;
  history(): Promise<Played[]>;
  nextRound(): Promise<State>;
  trace(move: Move, limit?: number): Promise<Trace>;
  board(): Promise<string>;
  /**
   * Lets an agent choose a turn for the player to move, as the game stands when the call is made. Other calls are answered
   * while it thinks. At most eight agents think at once.
   */
  think(agent: string, options?: AsyncThinkOptions): Promise<Thought>;
  /** The same, and the agent tells all that it can of the position. */
  analyse(agent: string, options?: AsyncThinkOptions): Promise<Analysis>;
  close(): Promise<void>;
}

/** Where the module comes from: kiothi.wasm beside this file when nothing is said. */
export type Source = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

/** Loads the module here, in Node or a browser. */
export function load(source?: Source): Promise<Kiothi>;

/** Settings of startWorker(). */
export interface WorkerOptions {
  /** Where the module comes from. */
  source?: Source;
  /** The URL of worker.mjs, where it is not beside this file (a bundler may have moved it). */
  worker?: string | URL;
}

/** Loads the module in a worker: a Web Worker in a browser, a worker thread in Node. */
export function startWorker(options?: WorkerOptions): Promise<AsyncKiothi>;

/** What went wrong. */
export class KiothiError extends Error {
  readonly name: "KiothiError";
  /**
   * - "argument": what was said is wrong, such as the text of a move, a position, a rule set or an agent
   * - "illegal": the move is against the rules; reason says which rule forbids it
   * - "closed": the game was closed, or the worker terminated
   * - "failed": something else went wrong
   * - "dead": the module broke down, which is a bug in it, and answers no more: load another one
   */
  readonly kind: "argument" | "illegal" | "closed" | "failed" | "dead";
  /** Of an illegal move: the rule that forbids it; otherwise undefined. */
  readonly reason?: string;
}
