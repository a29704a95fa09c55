// A game through load(): what the declarations promise, called as they say. The rules themselves are tested in Go.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KiothiError, load } from "kiothi";

const kiothi = await load();
const AFTER_OPENING = "3,0,2,0,0,5,5,0,5,10/3,0,2,0,0,5,5,0,5,10 acfgijACFGIJ 0-0 S sow 0";

/** The error of a call, which has to be one of ours. */
function refused(call) {
  try {
    call();
  } catch (error) {
    assert(error instanceof KiothiError, String(error.stack));
    assert.equal(error.name, "KiothiError");
    return error;
  }
  assert.fail("nothing was refused");
}

test("a game is played, drawn and taken back", () => {
  const game = kiothi.newGame({ game: "kiothi" });
  assert.deepEqual(game.info, { game: "kiothi", rules: "mancala-world", width: 10, seeds: 60, actions: 631, partialPickup: true });
  assert.deepEqual(game.legal().map((move) => move.text), ["+e", "+f", "+g", "+h", "+i"]);
  const played = game.play("eh:a3c2J5");
  assert.equal(played.text, "eh:a3c2J5");
  assert.equal(played.actions.length, 12);
  game.play("+E");
  game.play("+H >A >A >A >C >C >j >j >j >j >j");
  const state = game.state();
  assert.equal(state.position, AFTER_OPENING);
  assert.equal(state.phase, "sow");
  assert.equal(state.pits.length, 20);
  assert.deepEqual(state.pits[19], { name: "J", owner: 1, seeds: 10, marked: true, closed: false, lifted: false, last: false });
  assert.equal(state.played, 3);
  assert.equal(state.over, false);
  assert.equal(state.result, null);
  assert.match(game.board(), /South to sow/);
  assert.equal(game.undo(), true);
  assert.equal(game.state().phase, "lift");
  assert.deepEqual(game.history().map((move) => move.text), ["eh:a3c2J5", "+E"]);
  game.undo();
  game.undo();
  assert.equal(game.undo(), false);
});

test("a position is text that begins the same game", () => {
  const game = kiothi.newGame({ game: "kiothi", position: AFTER_OPENING, moves: ["f5"] });
  const again = kiothi.newGame({ game: "kiothi", position: game.state().position });
  assert.deepEqual(again.legal(), game.legal());
});

test("an illegal move is explained by its rule, and changes nothing", () => {
  const game = kiothi.newGame({ game: "kiothi", position: AFTER_OPENING });
  const error = refused(() => game.play("a9"));
  assert.equal(error.kind, "illegal");
  assert.equal(error.reason, "pit a holds only 3 seeds");
  assert.equal(game.whyNot("a9"), error.reason);
  assert.equal(game.whyNot("a1"), null);
  assert.equal(refused(() => game.trace("a9")).kind, "illegal");
  assert.equal(game.state().position, AFTER_OPENING);
});

test("a trace tells a move seed by seed", () => {
  const game = kiothi.newGame({ game: "kiothi", position: "0,0,1,0,0,0,0,0,0,0/1,0,0,0,0,0,4,0,0,0 c 20-20 S sow 7" });
  const { events, truncated } = game.trace("c1");
  assert.equal(truncated, false);
  assert.deepEqual(events, [
    { kind: "lift", lap: 1, pit: 2, seeds: 1, to: null, unmark: true },
    { kind: "drop", lap: 1, pit: 3, seeds: 1, to: null, unmark: false },
    { kind: "win", lap: 1, pit: 16, seeds: 4, to: 0, unmark: false },
    { kind: "win", lap: 1, pit: 3, seeds: 1, to: 0, unmark: false },
  ]);
  assert.deepEqual(game.trace("c1", 1), { events: events.slice(0, 1), truncated: true });
});

test("a whole game ends with a result", () => {
  for (const options of [{ game: "kiothi" }, { game: "rio-kadalis" }]) {
    const game = kiothi.newGame(options);
    for (let ply = 0; game.legal().length > 0; ply++) game.play(game.think("random", { seed: ply }).text);
    const { result, position } = game.state();
    assert.match(result.reason, /^(stuck|exhausted)$/);
    assert.equal(result.stores[0] - result.stores[1], result.margin);
    assert.deepEqual(game.legal(), []);
    assert.equal(refused(() => game.play(0)).kind, "illegal");
    assert.equal(refused(() => game.think("random")).kind, "argument");
    const again = kiothi.newGame({ ...options, moves: game.history().map((move) => move.text) });
    assert.equal(again.state().position, position);
  }
});

test("a competition goes from round to round", () => {
  const game = kiothi.newGame({ game: "rio-kadalis", rounds: 2 });
  for (let round = 1; round <= 2; round++) {
    assert.equal(game.state().competition.round, round);
    while (game.state().result === null) game.play(game.think("greedy", { seed: round }).text);
    if (game.state().competition.between) game.nextRound();
  }
  const { over, competition } = game.state();
  assert(over);
  assert.match(competition.end, /^(rounds spent|ruined)$/);
  assert.equal(refused(() => game.nextRound()).kind, "argument");
});

test("an agent says what it thinks", () => {
  const game = kiothi.newGame({ game: "kiothi", position: AFTER_OPENING });
  const thought = game.think("alphabeta:depth=3", { seed: 1 });
  assert.equal(game.whyNot(thought.text), null);
  assert(Number.isFinite(thought.margin) && thought.nodes > 0 && thought.milliseconds >= 0);
  const { value, simulations } = game.think("uct:sims=200");
  assert(Math.abs(value) <= 1 && simulations === 200);
  assert.deepEqual(
    kiothi.agents().map((kind) => kind.name).filter((name) => ["random", "greedy", "alphabeta", "uct"].includes(name)),
    ["random", "greedy", "alphabeta", "uct"],
  );
  const began = performance.now();
  game.think("alphabeta:movetime=100ms");
  assert(performance.now() - began >= 99);
});

test("the games are described", () => {
  const [first, second] = kiothi.games();
  assert.deepEqual([first.name, second.name], ["kiothi", "rio-kadalis"]);
  assert.equal(first.sets[0].name, "mancala-world");
  assert.equal(first.options[0].settings.length, first.sets.length);
});

test("whatever is said, the answer is an error in words", () => {
  const game = kiothi.newGame({ game: "kiothi" });
  const cycle = {};
  cycle.self = cycle;
  for (const call of [
    () => kiothi.newGame(),
    () => kiothi.newGame(null),
    () => kiothi.newGame("kiothi"),
    () => kiothi.newGame({ game: "go" }),
    () => kiothi.newGame({ game: "kiothi", moves: [cycle] }),
    () => kiothi.newGame({ game: "kiothi", position: "\u0000".repeat(1e6) }),
    () => game.play(),
    () => game.play(NaN),
    () => game.play(1n),
    () => game.play({}),
    () => game.play("\ud800"),
    () => game.play(2 ** 40),
    () => game.trace("+e", -1),
    () => game.trace("+e", 1e9),
    () => game.think(),
    () => game.think("alphabeta:hash=100000,depth=1"),
    () => game.think("zero:nowhere"),
    () => game.think("random", { seed: -1 }),
    () => game.think("random", { seed: 0.5 }),
    () => game.think("random", { seed: "1" }),
    () => kiothi.addModel("../x", { description: "{}", weights: new Uint8Array() }),
    () => kiothi.addModel("x"),
    () => kiothi.addModel("x", { description: "{}", weights: "abc" }),
    () => kiothi.addModel("x", { description: "{}", weights: new Uint8Array(8) }),
    () => kiothi.addModel("x", { description: "not JSON", weights: new Uint8Array(8) }),
    () => kiothi.addFile("", new Uint8Array()),
    () => kiothi.addFile("x", [1, 2]),
  ]) {
    const { kind, message } = refused(call);
    assert(kind === "argument" || kind === "illegal", `${call}: ${kind}`);
    assert(message.length > 0 && !/^json:|unmarshal|goroutine/.test(message), `${call}: ${message}`);
  }
  assert.equal(game.state().phase, "lift");
});

test("a closed game answers no more", () => {
  const game = kiothi.newGame({ game: "kiothi" });
  game.close();
  assert.equal(refused(() => game.state()).kind, "closed");
  assert.equal(refused(() => game.close()).kind, "closed");
});

test("memory does not grow with the calls", async () => {
  const kiothi = await load(); // which has nothing else in its memory
  const play = (times) => {
    for (let i = 0; i < times; i++) {
      const game = kiothi.newGame({ game: "kiothi", position: AFTER_OPENING });
      game.play(game.legal()[i % 5].text);
      game.think("alphabeta:depth=1,hash=1", { seed: i });
      game.close();
    }
  };
  play(300);
  const before = kiothi.memory;
  play(1500);
  assert(kiothi.memory <= before + 2 ** 22, `from ${before} to ${kiothi.memory} bytes`);
});
