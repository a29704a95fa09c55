// The worker's side: it loads the module and answers the questions of a page. While an agent thinks it listens between two
// slices of the search, so that other calls are answered and a search can be called off.

import { KiothiError } from "./error.mjs";
import { load } from "./kiothi.mjs";
import { builtin } from "./module.mjs";

/** How long the module computes before the worker listens again, in milliseconds. */
const SLICE = 10;

const page = builtin("node:worker_threads")?.parentPort ?? globalThis;
const listen = (receive) =>
  page.on ? page.on("message", receive) : page.addEventListener("message", ({ data }) => receive(data));

let kiothi;
const games = new Map(); // by their numbers
let last = 0;
const aborted = new Map(); // what is being thought about: whether it was called off, by the number of the question

/** Waits until what came in meanwhile was received. */
const breath = (() => {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  port1.unref?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
})();

const calls = {
  async load(source) {
    kiothi = await load(source);
    return kiothi.version;
  },
  games: () => kiothi.games(),
  agents: () => kiothi.agents(),
  newGame(options) {
    const game = kiothi.newGame(options);
    games.set(++last, game);
    return { id: last, info: game.info };
  },
  addModel: (name, files) => kiothi.addModel(name, files),
  addFile: (name, bytes) => kiothi.addFile(name, bytes),
  remove: (name) => kiothi.remove(name),
};

const gameCalls = { // by the number of the question and its values
  close(_, id) {
    gameOf(id).close();
    games.delete(id);
  },
  think: (number, id, agent, options) => sliced(number, gameOf(id).startThinking(agent, options)),
  analyse: (number, id, agent, options) => sliced(number, gameOf(id).startAnalysing(agent, options)),
};

/** Carries on with a thought in slices, until it is there or the question called off. */
async function sliced(number, job) {
  aborted.set(number, false);
  try {
    for (;;) {
      const thought = job.step(SLICE);
      if (thought !== null) return thought;
      await breath();
      if (aborted.get(number)) {
        job.stop();
        throw new KiothiError({ kind: "failed", message: "the thinking was called off" });
      }
    }
  } finally {
    aborted.delete(number);
  }
}

/** The game of a number. */
function gameOf(id) {
  const game = games.get(id);
  if (!game) throw new KiothiError({ kind: "closed", message: "the game was closed" });
  return game;
}

/** Carries out a call. */
function carryOut(call, values, number) {
  const [of, ofGame] = call.split(".");
  if (of !== "game") return calls[of](...values);
  if (Object.hasOwn(gameCalls, ofGame)) return gameCalls[ofGame](number, ...values);
  const [id, ...rest] = values;
  return gameOf(id)[ofGame](...rest);
}

listen(async ({ number, call, values, abort }) => {
  if (abort !== undefined) {
    if (aborted.has(abort)) aborted.set(abort, true);
    return;
  }
  try {
    const value = await carryOut(call, values, number);
    if (number !== undefined) page.postMessage({ number, value });
  } catch (error) {
    if (number !== undefined) page.postMessage({ number, error: KiothiError.plain(error) });
  }
});
