// Checks the npm package of this folder, with its bot, against vectors.jsonl:
//
//	npm install ./npm
//	node examples/check-npm.mjs

import { readFileSync } from "node:fs";
import { load } from "kiothi";
import { addBot } from "kiothi/bot.mjs";

const tolerance = 1e-5; // of probabilities; the expected margin, in seeds, gets this share of the largest

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("manifest.json"));
const lines = read(manifest.vectors.file).trimEnd().split("\n");
const { search, positions } = manifest.vectors;
if (lines.length !== positions) throw new Error(`found ${lines.length} vectors, expected ${positions}`);

const kiothi = await load();
const bot = await addBot(kiothi);
if (bot.game !== manifest.game || bot.rules !== manifest.rules || bot.parameters !== manifest.training.parameters) {
  throw new Error(`the package carries a bot of ${bot.parameters} weights for ${bot.game}, ${bot.rules}, which is not this one: copy the folder again`);
}
const agent = search.agent.replace("FOLDER", bot.name);

const worst = {};
for (const line of lines) {
  const vector = JSON.parse(line);
  const game = kiothi.newGame({ game: bot.game, rules: bot.rules, position: vector.position });
  const differs = (what, found, wanted) => new Error(`position "${vector.position}": ${what} ${found}, expected ${wanted}`);
  const compare = (what, found, wanted, limit = tolerance) => {
    const difference = Math.max(...wanted.map((value, i) => Math.abs(value - found[i])));
    if (found.length !== wanted.length || !(difference <= limit)) throw differs(what, found, wanted);
    worst[what] = Math.max(worst[what] ?? 0, difference);
  };
  const legal = game.legal().map(({ action }) => action);
  if (legal.join() !== vector.legal.join()) throw differs("the legal actions are", legal, vector.legal);

  const { policy, margins, chances, margin } = game.analyse(`policy:${bot.name}`);
  const { bins, first, step } = manifest.margins;
  const distribution = new Array(bins).fill(0);
  for (const { margin: at, probability } of margins) distribution[(at - first) / step] = probability;
  compare("policy", policy.map(({ probability }) => probability), vector.policy);
  compare("margins", distribution, vector.margins);
  compare("win_draw_loss", [chances.win, chances.draw, chances.loss], vector.win_draw_loss);
  compare("expected_margin", [margin], [vector.expected_margin], -tolerance * first);

  const { actions } = game.think(agent, { seed: Number(manifest.vectors.seed) });
  if (actions[0] !== vector.action) throw differs(`${agent} plays`, actions[0], `${vector.action}, which is ${vector.text}`);
  game.close();
}
const found = Object.entries(worst).map(([name, value]) => `${name} ${value.toExponential(1)}`);
console.log(`${positions} positions with the same legal actions and the same moves of ${agent}; largest differences: ${found.join(", ")}`);
console.log("passed");
