// Files that the page brings: networks and tables, which agents find by their names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "kiothi";
import { addBot } from "kiothi/bot.mjs";
import { released } from "../check/released.mjs";

const kiothi = await load();

const quick = released("kiothi-quick");

test("a network is added, described and removed", { skip: !quick }, () => {
  const info = kiothi.addModel("quick", quick);
  assert.deepEqual({ ...info, parameters: 0 }, { name: "quick", game: "kiothi", rules: "mancala-world", parameters: 0 });
  assert(info.parameters > 1000);
  assert.throws(() => kiothi.addModel("quick", quick), { kind: "argument", message: /has to be removed first/ });
  assert.equal(kiothi.remove("quick"), true);
  assert.equal(kiothi.remove("quick"), false);
  kiothi.addModel("quick", { ...quick, description: new TextEncoder().encode(quick.description).buffer });
  kiothi.remove("quick");
});

test("a damaged network is refused, and its name is free again", { skip: !quick }, () => {
  const weights = Uint8Array.from(quick.weights);
  weights[weights.length - 1] ^= 1;
  for (const files of [{ ...quick, weights }, { ...quick, weights: weights.subarray(0, 100) }, { ...quick, description: "{" }]) {
    assert.throws(() => kiothi.addModel("damaged", files), { kind: "argument", message: /damaged\/model/ });
    assert.equal(kiothi.remove("damaged"), false);
  }
});

test("a file is found by its name, and read as what it should be", () => {
  const game = kiothi.newGame({ game: "rio-kadalis" });
  kiothi.addFile("ends.kend", new Uint8Array(1000));
  assert.throws(() => game.think("alphabeta:depth=1,table=ends.kend"), { kind: "argument", message: /end-game table/ });
  assert.throws(() => game.think("alphabeta:depth=1,table=other.kend"), { kind: "argument", message: /[Nn]o such file/ });
  assert.equal(kiothi.remove("ends.kend"), true);
  assert.throws(() => game.think("alphabeta:depth=1,table=ends.kend"), { kind: "argument", message: /[Nn]o such file/ });
});

test("an analysis is what the network says", { skip: !quick }, () => {
  kiothi.addModel("judge", quick);
  for (const begin of [{ game: "kiothi" }, { game: "kiothi", position: "3,0,2,0,0,5,5,0,5,10/3,0,2,0,0,5,5,0,5,10 acfgijACFGIJ 0-0 S sow 0" }]) {
    const game = kiothi.newGame(begin);
    const { policy, margins, margin, chances } = game.analyse("policy:judge");
    assert.deepEqual(policy.map(({ action, text }) => ({ action, text })), game.legal().map(({ action, text }) => ({ action, text })));
    const sum = (list, of) => list.reduce((total, entry) => total + of(entry), 0);
    const near = (found, wanted) => assert(Math.abs(found - wanted) < 1e-6, `${found}, wanted ${wanted}`);
    near(sum(policy, (p) => p.probability), 1);
    near(sum(margins, (m) => m.probability), 1);
    near(sum(margins, (m) => m.probability * m.margin), margin);
    near(sum(margins, (m) => (m.margin > 0 ? m.probability : 0)), chances.win);
    assert.deepEqual(game.analyse("greedy").policy, null);
  }
});

test("a package that was built from the source carries no bot", async () => {
  await assert.rejects(addBot(kiothi), { name: "KiothiError", kind: "failed", message: /carries no bot/ });
});
