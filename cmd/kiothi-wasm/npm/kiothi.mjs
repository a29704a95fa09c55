// Kiothi and Rio Kadalis, their rules and players of them. kiothi.d.ts says what everything means.

import { KiothiError } from "./error.mjs";
import { Module, isBytes } from "./module.mjs";
import { startWorker } from "./client.mjs";

export { KiothiError, startWorker };

/** Loads the module here. */
export async function load(source) {
  return new Kiothi(await Module.load(source));
}

class Kiothi {
  #module;
  #forgotten; // closes games that nobody can reach any more

  constructor(module) {
    this.#module = module;
    this.version = module.call("version");
    this.#forgotten = new FinalizationRegistry((id) => {
      try {
        module.call("closeGame", { game: id });
      } catch {
        // The module is dead, and the game with it.
      }
    });
  }

  get memory() {
    return this.#module.memory;
  }

  games() {
    return this.#module.call("games");
  }

  agents() {
    return this.#module.call("agents");
  }

  newGame(options) {
    const { id, info } = this.#module.call("newGame", options);
    const game = new Game(this.#module, id, info, () => this.#forgotten.unregister(game));
    this.#forgotten.register(game, id, game);
    return game;
  }

  addModel(name, files) {
    const { description, weights } = files ?? {};
    this.#add(name, {
      [`${name}/model.json`]: typeof description === "string" ? new TextEncoder().encode(description) : description,
      [`${name}/model.safetensors`]: weights,
    });
    try {
      return this.#module.call("model", { name });
    } catch (error) {
      this.remove(name);
      throw error;
    }
  }

  addFile(name, bytes) {
    this.#add(name, { [name]: bytes });
  }

  remove(name) {
    this.#module.call("forgetAgents");
    return this.#module.files.remove(name);
  }

  /** Adds files that belong to a name. */
  #add(name, files) {
    const refuse = (message) => {
      throw new KiothiError({ kind: "argument", message });
    };
    if (typeof name !== "string" || !/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) {
      refuse(`name ${JSON.stringify(name)}: expected letters, digits, "-", "_" and ".", which is not the first`);
    }
    if (this.#module.files.has(name)) refuse(`name ${JSON.stringify(name)}: there is one of this name, which has to be removed first`);
    for (const [path, bytes] of Object.entries(files)) {
      if (!isBytes(bytes)) refuse(`${path}: expected its bytes`);
    }
    for (const [path, bytes] of Object.entries(files)) {
      this.#module.files.add(path, ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice() : new Uint8Array(bytes.slice(0)));
    }
  }
}

class Game {
  #module;
  #id;
  #closed;

  constructor(module, id, info, closed) {
    this.#module = module;
    this.#id = id;
    this.#closed = closed;
    this.info = Object.freeze(info);
  }

  #call(operation, more) {
    return this.#module.call(operation, { game: this.#id, ...more });
  }

  state() {
    return this.#call("state");
  }

  legal() {
    return this.#call("legal");
  }

  play(move) {
    return this.#call("play", { move });
  }

  whyNot(move) {
    return this.#call("whyNot", { move });
  }

  undo() {
    return this.#call("undo");
  }

  history() {
    return this.#call("history");
  }

  nextRound() {
    return this.#call("nextRound");
  }

  trace(move, limit) {
    return this.#call("trace", { move, limit });
  }

  board() {
    return this.#call("board");
  }

  think(agent, options) {
    return finish(this.startThinking(agent, options));
  }

  analyse(agent, options) {
    return finish(this.startAnalysing(agent, options));
  }

  startThinking(agent, options) {
    return this.#start("think", agent, options);
  }

  startAnalysing(agent, options) {
    return this.#start("analyse", agent, options);
  }

  #start(operation, agent, { seed = randomSeed() } = {}) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new KiothiError({ kind: "argument", message: `seed: found ${seed}, expected a whole number from 0 to 2^53 - 1` });
    }
    const module = this.#module;
    const job = this.#call(operation, { agent, seed });
    return {
      step: (milliseconds) => module.call("step", { job, milliseconds }),
      stop: () => module.call("stop", { job }),
    };
  }

  close() {
    this.#call("closeGame");
    this.#closed();
  }
}

/** Goes on with a thought until it is there. */
function finish(job) {
  for (;;) {
    const thought = job.step(1000);
    if (thought !== null) return thought;
  }
}

/** A seed that nobody chose. */
function randomSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
