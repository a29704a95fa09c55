// The module does what the native program does: vectors.jsonl holds positions with the legal moves, where they lead, and what
// agents play there, written by the Go tests beside this package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "kiothi";
import { released } from "../check/released.mjs";

const vectors = readFileSync(new URL("vectors.jsonl", import.meta.url), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const kiothi = await load();
const models = new Set();
for (const name of ["kiothi-quick", "rio-kadalis-quick"]) {
  const files = released(name);
  if (files) models.add(kiothi.addModel(name, files).name);
}
kiothi.addFile("small.nnue", readFileSync(new URL("small.nnue", import.meta.url)));

test("the legal moves are the native ones, and lead to the same positions", () => {
  for (const { game, rules, position, legal, after } of vectors) {
    const here = kiothi.newGame({ game, rules, position });
    assert.deepEqual(here.legal().map((move) => move.text), legal, position);
    for (const [i, text] of legal.entries()) {
      here.play(text);
      assert.equal(here.state().position, after[i], `${position}: ${text}`);
      here.undo();
    }
    here.close();
  }
});

test("agents play the native moves", () => {
  let compared = 0;
  for (const { game, rules, position, chosen } of vectors) {
    const here = kiothi.newGame({ game, rules, position });
    for (const { agent, seed, text } of chosen ?? []) {
      const model = agent.match(/^(?:zero|policy):([^,]*)/)?.[1];
      if (model && !models.has(model)) continue;
      assert.equal(here.think(agent, { seed }).text, text, `${game} ${position}: ${agent} with seed ${seed}`);
      compared++;
    }
    here.close();
  }
  assert(compared > 50, `${compared} turns were compared`);
});
