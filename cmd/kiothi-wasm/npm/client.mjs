// The page's side of a worker: the same calls, answered by promises.

import { KiothiError } from "./error.mjs";
import { builtin, portable } from "./module.mjs";

/** Loads the module in a worker: a Web Worker in a browser, a worker thread in Node. */
export async function startWorker({ source, worker = new URL("./worker.mjs", import.meta.url) } = {}) {
  const carried = await portable(source);
  const post = new Post(worker);
  try {
    return new AsyncKiothi(post, await post.ask("load", [carried]));
  } catch (error) {
    post.end("the worker did not start");
    throw error;
  }
}

/** Questions on their way to a worker, and their answers. */
class Post {
  #worker;
  #waiting = new Map(); // by the number of the question
  #last = 0;
  #over; // why nothing is answered any more

  constructor(url) {
    const threads = typeof Worker === "undefined" ? builtin("node:worker_threads") : undefined;
    if (threads) {
      this.#worker = new threads.Worker(url);
      this.#worker.on("message", (message) => this.#receive(message));
      this.#worker.on("error", (error) => this.#fail(error));
    } else {
      this.#worker = new Worker(url, { type: "module" });
      this.#worker.addEventListener("message", ({ data }) => this.#receive(data));
      this.#worker.addEventListener("error", (event) => {
        event.preventDefault();
        this.#fail(event);
      });
    }
  }

  /** Asks the worker, and calls the question off when the signal says so. */
  ask(call, values, signal) {
    if (this.#over) return Promise.reject(new KiothiError(this.#over));
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const number = ++this.#last;
      const abort = () => {
        this.#worker.postMessage({ abort: number });
        this.#take(number)?.reject(signal.reason);
      };
      signal?.addEventListener("abort", abort);
      this.#waiting.set(number, { resolve, reject, forget: () => signal?.removeEventListener("abort", abort) });
      this.#worker.ref?.(); // Node waits for a worker that owes an answer, and for no other
      try {
        this.#worker.postMessage({ number, call, values });
      } catch (error) {
        this.#take(number).reject(new KiothiError({ kind: "argument", message: error.message }));
      }
    });
  }

  /** Tells the worker something that has no answer. */
  tell(call, values) {
    if (!this.#over) this.#worker.postMessage({ call, values });
  }

  /** Takes a question off the list. */
  #take(number) {
    const question = this.#waiting.get(number);
    if (question) {
      this.#waiting.delete(number);
      question.forget();
      if (this.#waiting.size === 0) this.#worker.unref?.();
    }
    return question;
  }

  #receive({ number, value, error }) {
    const question = this.#take(number);
    if (error) question?.reject(new KiothiError(error));
    else question?.resolve(value);
  }

  #fail(error) {
    this.end(`the worker broke down: ${error?.message ?? "it could not be loaded"}`, "failed");
  }

  /** Ends the worker. Questions without an answer are rejected. */
  end(message, kind = "closed") {
    this.#over ??= { kind, message };
    this.#worker.terminate();
    for (const number of [...this.#waiting.keys()]) this.#take(number).reject(new KiothiError(this.#over));
  }
}

class AsyncKiothi {
  #post;
  #forgotten; // closes games that nobody can reach any more

  constructor(post, version) {
    this.#post = post;
    this.version = version;
    this.#forgotten = new FinalizationRegistry((id) => post.tell("game.close", [id]));
  }

  games() {
    return this.#post.ask("games", []);
  }

  agents() {
    return this.#post.ask("agents", []);
  }

  async newGame(options) {
    const { id, info } = await this.#post.ask("newGame", [options]);
    const game = new AsyncGame(this.#post, id, info, () => this.#forgotten.unregister(game));
    this.#forgotten.register(game, id, game);
    return game;
  }

  addModel(name, files) {
    const { description, weights } = files ?? {};
    return this.#post.ask("addModel", [name, { description, weights }]);
  }

  addFile(name, bytes) {
    return this.#post.ask("addFile", [name, bytes]);
  }

  remove(name) {
    return this.#post.ask("remove", [name]);
  }

  terminate() {
    this.#post.end("the worker was terminated");
  }
}

class AsyncGame {
  #post;
  #id;
  #closed;

  constructor(post, id, info, closed) {
    this.#post = post;
    this.#id = id;
    this.#closed = closed;
    this.info = Object.freeze(info);
  }

  think(agent, { signal, ...options } = {}) {
    return this.#post.ask("game.think", [this.#id, agent, options], signal);
  }

  analyse(agent, { signal, ...options } = {}) {
    return this.#post.ask("game.analyse", [this.#id, agent, options], signal);
  }

  async close() {
    await this.#post.ask("game.close", [this.#id]);
    this.#closed();
  }

  static {
    for (const call of ["state", "legal", "play", "whyNot", "undo", "history", "nextRound", "trace", "board"]) {
      this.prototype[call] = function (...values) {
        return this.#post.ask(`game.${call}`, [this.#id, ...values]);
      };
    }
  }
}
