// The module itself: finding and compiling it, and carrying a request there and its answer back.

import { KiothiError } from "./error.mjs";
import { Wasi } from "./wasi.mjs";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A builtin module of Node, undefined elsewhere. Bundlers for browsers do not stumble over it, as they do over an import. */
export const builtin = (name) => globalThis.process?.getBuiltinModule?.(name);

/** Whether a value is an ArrayBuffer or a view of one. */
export const isBytes = (value) =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === "[object ArrayBuffer]";

/** The URL that a text means: relative to the page, or, in Node, the path of a file. */
function urlOf(source) {
  const page = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (page !== undefined || URL.canParse(source)) return new URL(source, page);
  const url = builtin("node:url");
  if (url) return url.pathToFileURL(source);
  throw new KiothiError({ kind: "argument", message: `source: ${JSON.stringify(source)} is no URL` });
}

/** Makes of a source what can be posted to a worker: a URL as text, bytes, or a compiled module. */
export async function portable(source = new URL("./kiothi.wasm", import.meta.url)) {
  source = await source;
  if (typeof source === "string" || source instanceof URL) return urlOf(source).href;
  if (isBytes(source)) return source;
  return compile(source);
}

/** Compiles a source. */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (isBytes(source)) return WebAssembly.compile(source);
  if (typeof source === "string") {
    const fs = source.startsWith("file:") ? builtin("node:fs") : undefined;
    if (fs) return WebAssembly.compile(await fs.promises.readFile(new URL(source)));
    source = await fetch(source);
  }
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    throw new KiothiError({ kind: "argument", message: "source: expected a URL, a Response, bytes or a WebAssembly.Module" });
  }
  if (!source.ok) {
    throw new KiothiError({ kind: "failed", message: `the module cannot be had: ${source.url} answers ${source.status} ${source.statusText}` });
  }
  const type = source.headers.get("Content-Type")?.split(";")[0].trim();
  if (type === "application/wasm") return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** A module that answers requests. */
export class Module {
  #wasi;
  #exports;
  #broken; // the error that every call has, once the module broke down

  static async load(source) {
    const wasi = new Wasi();
    const module = await compile(await portable(source));
    const { exports } = await WebAssembly.instantiate(module, wasi.imports(module));
    wasi.start(exports.memory);
    const loaded = new Module(wasi, exports);
    loaded.#guard(() => exports._initialize());
    return loaded;
  }

  constructor(wasi, exports) {
    this.#wasi = wasi;
    this.#exports = exports;
  }

  /** Bytes of memory that the module holds. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** The files that the module can read. */
  get files() {
    return this.#wasi.files;
  }

  /** Carries out a request and returns its value. */
  call(operation, arguments_ = {}) {
    const answer = this.#guard(() => {
      const { memory, kiothi_room, kiothi_call, kiothi_answer } = this.#exports;
      const request = encoder.encode(stringify({ do: operation, with: arguments_ }));
      const room = kiothi_room(request.length) >>> 0;
      new Uint8Array(memory.buffer, room, request.length).set(request);
      const length = kiothi_call();
      return decoder.decode(new Uint8Array(memory.buffer, kiothi_answer() >>> 0, length));
    });
    const { value, error } = JSON.parse(answer);
    if (error) throw new KiothiError(error);
    return value ?? null;
  }

  /** Runs what calls into the module. When that breaks down, the module is not asked again: nobody knows what it would do. */
  #guard(call) {
    if (this.#broken) throw new KiothiError(this.#broken);
    try {
      return call();
    } catch (error) {
      if (error instanceof KiothiError) throw error;
      const last = this.#wasi.said.trim();
      this.#broken = {
        kind: "dead",
        message: `the module broke down and answers no more, which is a bug in it: ${error.message}${last ? `\n${last}` : ""}`,
      };
      throw new KiothiError(this.#broken);
    }
  }
}

function stringify(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new KiothiError({ kind: "argument", message: error.message });
  }
}
