// The little of WASI that the module needs: a clock, chance, somewhere to say its last words, and files in memory.

import { Files } from "./files.mjs";

const SUCCESS = 0;
const BAD_FILE = 8;

/** The module has ended itself, which it only does when it breaks down. */
export class Exit extends Error {}

/** Imports for a module, and what it wrote to its standard error. */
export class Wasi {
  /** The files that the module can read. */
  files = new Files();
  #memory;
  #decoder = new TextDecoder();
  #said = "";

  /** The imports that a module asks for. What is not here answers that there is no such file. */
  imports(module) {
    const functions = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from !== "wasi_snapshot_preview1") {
        throw new TypeError(`the module imports ${name} from ${from}: it is not the module of this package`);
      }
      const owner = [this, this.files].find((part) => name in part);
      functions[name] = owner ? owner[name].bind(owner) : () => BAD_FILE;
    }
    return { wasi_snapshot_preview1: functions };
  }

  /** Says which memory the module has. */
  start(memory) {
    this.#memory = memory;
    this.files.start(memory);
  }

  /** What the module wrote, the last part of it. */
  get said() {
    return this.#said;
  }

  get #view() {
    return new DataView(this.#memory.buffer); // made anew each time, because the memory may have grown
  }

  proc_exit(code) {
    throw new Exit(`the module ended itself with status ${code}`);
  }

  sched_yield() {
    return SUCCESS;
  }

  // Go asks for this to sleep, and asks again until the time has come.
  poll_oneoff(_subscriptions, _events, _count, stored) {
    this.#view.setUint32(stored, 0, true);
    return SUCCESS;
  }

  args_sizes_get(count, size) {
    this.#view.setUint32(count, 0, true);
    this.#view.setUint32(size, 0, true);
    return SUCCESS;
  }

  args_get() {
    return SUCCESS;
  }

  environ_sizes_get(count, size) {
    return this.args_sizes_get(count, size);
  }

  environ_get() {
    return SUCCESS;
  }

  clock_time_get(_clock, _precision, result) {
    const milliseconds = performance.timeOrigin + performance.now();
    this.#view.setBigUint64(result, BigInt(Math.round(milliseconds * 1e3)) * 1000n, true);
    return SUCCESS;
  }

  random_get(at, size) {
    const most = 65536; // bytes that can be had at once
    for (let done = 0; done < size; done += most) {
      crypto.getRandomValues(new Uint8Array(this.#memory.buffer, at + done, Math.min(most, size - done)));
    }
    return SUCCESS;
  }

  fd_write(file, vectors, count, written) {
    if (file !== 1 && file !== 2) return BAD_FILE;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = this.#view.getUint32(vectors + 8 * i, true);
      const size = this.#view.getUint32(vectors + 8 * i + 4, true);
      this.#said += this.#decoder.decode(new Uint8Array(this.#memory.buffer, at, size), { stream: true });
      total += size;
    }
    const most = 1 << 16;
    if (this.#said.length > most) this.#said = this.#said.slice(-most);
    this.#view.setUint32(written, total, true);
    return SUCCESS;
  }
}
