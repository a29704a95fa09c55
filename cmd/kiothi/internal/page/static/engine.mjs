// The rules and the players: the WebAssembly module, here for the board and in a worker for the players, and the released bots.

import { load, startWorker } from "./engine/kiothi.mjs";

/** The module, unpacked and compiled. Hosts that declare its compression have the browser unpack it, others do not. */
async function compile() {
  const response = await fetch(new URL("./kiothi.wasm.gz", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return WebAssembly.compile(bytes);
  const unpacked = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/** Loads everything. */
export async function start() {
  const module = await compile();
  const [rules, models] = await Promise.all([load(module), fetch(new URL("./models.json", import.meta.url)).then((r) => r.json())]);
  return { rules, players: new Players(module, models) };
}

/** The time of the players that are bound by it. */
const TIME = "movetime=1s";

/** Players, who think in a worker. */
class Players {
  #module;
  #models;
  #worker; // a promise
  #added = new Map(); // promises of models that were added, by name

  constructor(module, models) {
    this.#module = module;
    this.#models = models.toSorted((a, b) => b.rating - a.rating);
  }

  /** What the page begins with: a game against the bot that it is made for, undefined when it is made for none. */
  get first() {
    const made = this.#models.find(({ featured }) => featured);
    return made && { game: made.game, rules: made.rules, south: "human", north: "network" };
  }

  /** The models for a game and its rules, the strongest first. */
  #fit({ game, rules }) {
    return this.#models.filter((m) => m.game === game && m.rules === rules);
  }

  /** The players for a game and its rules, from the weakest: what they are called here, and the agent that each is. */
  list(info) {
    const list = [
      { name: "random", agent: "random" },
      { name: "greedy", agent: "greedy" },
      { name: "alphabeta-2", agent: "alphabeta:depth=2" },
      { name: "alphabeta-4", agent: "alphabeta:depth=4" },
      { name: "alphabeta", agent: `alphabeta:${TIME}` },
    ];
    const [best] = this.#fit(info);
    const networks = this.#fit(info).filter(({ files }) => files.includes("model.safetensors"));
    const network = networks.find(({ featured }) => featured) ?? networks[0];
    if (network) {
      list.push({ name: "policy", agent: `policy:${network.name}` });
      list.push({ name: "network", agent: `zero:${network.name},sims=200` });
    }
    if (best) list.push({ name: "best", agent: best.agent.replace(/\b(movetime|sims|depth|nodes)=[^,]+/, TIME) });
    if (info.game === "rio-kadalis") list.push({ name: "perfect", agent: "perfect" });
    return list;
  }

  /** Those who give hints: one who says what to play, and, where there is one, one who tells chances. */
  advisers(info) {
    const called = (wanted) => this.list(info).find(({ name }) => name === wanted);
    return { adviser: called("best") ?? called("alphabeta"), judge: called("network") };
  }

  /** Lets a player choose a turn. */
  async think(info, position, player, signal) {
    this.#worker ??= startWorker({ source: this.#module });
    try {
      const worker = await this.#worker;
      const agent = await this.#bring(worker, player.agent);
      const game = await worker.newGame({ game: info.game, rules: info.rules, position });
      signal.throwIfAborted();
      return await game.think(agent, { signal }).finally(() => game.close());
    } catch (error) {
      if (["dead", "failed", "closed"].includes(error.kind)) this.#forget();
      throw error;
    }
  }

  /** Ends a worker that does not work, so that the next question is asked of another one. */
  #forget() {
    this.#worker?.then((worker) => worker.terminate(), () => {});
    this.#worker = undefined;
    this.#added.clear();
  }

  /**
   * Brings the files that an agent names into the worker, and returns its text with the names that they have there. A network for
   * alpha-beta, which is a file of its own, is named by its folder, too.
   */
  async #bring(worker, agent) {
    const named = new Map();
    for (const [all, key, path] of agent.matchAll(/(net=|[:=])([^,:=]+)/g)) {
      const model = this.#models.find(({ name }) => path === name || path === `${name}/eval.nnue`);
      if (!model) continue;
      const { name } = model;
      if (key === "net=" || path !== name) {
        await this.#once(`${name}.nnue`, async () => worker.addFile(`${name}.nnue`, await fetchModel(name, "eval.nnue")));
        named.set(all, `${key}${name}.nnue`);
      } else {
        await this.#once(name, async () =>
          worker.addModel(name, { description: await fetchModel(name, "model.json"), weights: await fetchModel(name, "model.safetensors") }));
      }
    }
    return agent.replace(/(net=|[:=])([^,:=]+)/g, (all) => named.get(all) ?? all);
  }

  /** Does something once; when it failed, again. */
  async #once(name, add) {
    if (!this.#added.has(name)) this.#added.set(name, add());
    try {
      await this.#added.get(name);
    } catch (error) {
      this.#added.delete(name);
      throw error;
    }
  }
}

/** The bytes of a file of a model. */
async function fetchModel(name, file) {
  const response = await fetch(new URL(`./models/${name}/${file}`, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}
