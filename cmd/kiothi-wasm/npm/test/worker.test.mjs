// The same calls through a worker, here a thread of Node; browser.mjs has a Web Worker in Chromium.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { KiothiError, load, startWorker } from "kiothi";

const kiothi = await startWorker();
after(() => kiothi.terminate());

const AFTER_OPENING = "3,0,2,0,0,5,5,0,5,10/3,0,2,0,0,5,5,0,5,10 acfgijACFGIJ 0-0 S sow 0";

test("every call is there, and answers the same", async () => {
  const here = await load();
  const [game, same] = [await kiothi.newGame({ game: "kiothi" }), here.newGame({ game: "kiothi" })];
  assert.equal(kiothi.version, here.version);
  assert.deepEqual(game.info, same.info);
  assert.deepEqual(await kiothi.games(), here.games());
  assert.deepEqual(await kiothi.agents(), here.agents());
  for (const [call, ...values] of [
    ["state"], ["legal"], ["trace", "eh:a3c2J5", 3], ["whyNot", "a1"], ["play", "eh:a3c2J5"], ["undo"], ["play", "+e"],
    ["history"], ["board"], ["state"], ["undo"], ["undo"],
  ]) {
    assert.deepEqual(await game[call](...values), same[call](...values), call);
  }
  const untimed = ({ milliseconds, ...rest }) => rest;
  assert.deepEqual(
    untimed(await game.think("uct:sims=300", { seed: 5 })),
    untimed(same.think("uct:sims=300", { seed: 5 })),
  );
  assert.deepEqual(
    untimed(await game.analyse("alphabeta:nodes=300", { seed: 5 })),
    untimed(same.analyse("alphabeta:nodes=300", { seed: 5 })),
  );
  await game.close();
  await assert.rejects(game.state(), { name: "KiothiError", kind: "closed" });
});

test("errors are the same, too", async () => {
  const game = await kiothi.newGame({ game: "kiothi", position: AFTER_OPENING });
  await assert.rejects(game.play("a9"), (error) => error instanceof KiothiError && error.kind === "illegal" && error.reason === "pit a holds only 3 seeds");
  await assert.rejects(game.play(() => {}), { kind: "argument" });
  await assert.rejects(game.think("greddy"), { kind: "argument", message: /greedy/ });
  await assert.rejects(kiothi.newGame({ game: "go" }), { kind: "argument" });
  await assert.rejects(kiothi.addModel("x", {}), { kind: "argument" });
  await assert.rejects(kiothi.addFile("x", undefined), { kind: "argument" });
  assert.equal(await kiothi.remove("x"), false);
});

test("other calls are answered while an agent thinks, and a second one thinks beside it", async () => {
  const game = await kiothi.newGame({ game: "kiothi", position: AFTER_OPENING });
  const order = [];
  const slow = game.think("uct:sims=20000", { seed: 1 }).then((thought) => order.push("slow") && thought);
  const quick = game.think("uct:sims=200", { seed: 1 }).then(() => order.push("quick"));
  const played = game.play("a1").then(() => order.push("play"));
  const thought = await slow;
  await Promise.all([quick, played]);
  assert.equal(order.at(-1), "slow");
  assert.equal((await game.state()).played, 1);
  await game.undo();
  assert.equal(await game.whyNot(thought.text), null); // it was asked before the move was played
});

test("thinking is called off", async () => {
  const game = await kiothi.newGame({ game: "kiothi", position: AFTER_OPENING });
  const controller = new AbortController();
  const endless = game.think("alphabeta:depth=60", { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(endless, { name: "AbortError" });
  await assert.rejects(game.think("greedy", { signal: AbortSignal.abort(new Error("no")) }), { message: "no" });
  await assert.rejects(game.think("alphabeta:depth=60", { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  // What was called off leaves no thought behind: as many as can be at once still can.
  const many = Array.from({ length: 8 }, () => game.think("uct:sims=100"));
  assert.equal((await Promise.all(many)).length, 8);
});

test("a worker that was terminated says so", async () => {
  const other = await startWorker({ source: readFileSync(new URL("../kiothi.wasm", import.meta.url)) });
  const game = await other.newGame({ game: "kiothi" });
  const pending = game.think("alphabeta:depth=60");
  other.terminate();
  await assert.rejects(pending, { kind: "closed" });
  await assert.rejects(game.state(), { kind: "closed" });
});

test("a worker that cannot load the module says why", async () => {
  await assert.rejects(startWorker({ source: new URL("nowhere.wasm", import.meta.url) }), /nowhere\.wasm/);
  await assert.rejects(startWorker({ source: new Uint8Array(8) }), KiothiError);
  await assert.rejects(startWorker({ source: 7 }), { kind: "argument" });
});
