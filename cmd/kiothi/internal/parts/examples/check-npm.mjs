// Checks the npm package of this folder, with its bot, against vectors.jsonl:
//
//	npm install ./npm
//	node examples/check-npm.mjs

import { readFileSync } from "node:fs";

const tolerance = 1e-5; // of probabilities; the expected margin, in seeds, gets this share of the largest

function read(path) {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  } catch (error) {
    throw new Error(`${path}: found no file that can be read (${error.message}): copy the folder again`);
  }
}

function parse(path, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path}: found damaged JSON (${error.message}): copy the folder again`);
  }
}

async function check() {
  const manifest = parse("manifest.json", read("manifest.json"));
  if (typeof manifest?.vectors?.file !== "string" || !manifest.margins || !manifest.training) {
    throw new Error("manifest.json: found no vectors, margins and training, expected what kiothi export wrote: copy the folder again");
  }
  const lines = read(manifest.vectors.file).trimEnd().split("\n");
  const { search, positions } = manifest.vectors;
  if (lines.length !== positions) throw new Error(`${manifest.vectors.file}: found ${lines.length} vectors, expected ${positions}: copy the folder again`);

  const [{ load }, { addBot }] = await Promise.all([import("kiothi"), import("kiothi/bot.mjs")]);
  const kiothi = await load();
  const bot = await addBot(kiothi);
  if (bot.game !== manifest.game || bot.rules !== manifest.rules || bot.parameters !== manifest.training.parameters) {
    throw new Error(`the package carries a bot of ${bot.parameters} weights for ${bot.game}, ${bot.rules}, which is not this one: copy the folder again`);
  }
  const agent = search.agent.replace("FOLDER", bot.name);

  const worst = {};
  for (const line of lines) {
    const vector = parse(manifest.vectors.file, line);
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
}

try {
  await check();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
