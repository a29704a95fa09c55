// The module as such: where it may come from, and what happens when it breaks down.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { load, startWorker } from "kiothi";
import { Module } from "../module.mjs";
import { Wasi } from "../wasi.mjs";

const url = new URL("../kiothi.wasm", import.meta.url);
const bytes = readFileSync(url);

test("the module is loaded from whatever it comes from", async () => {
  const module = await WebAssembly.compile(bytes);
  const respond = (headers) => new Response(bytes, { headers });
  for (const source of [
    undefined, url, url.href, fileURLToPath(url), bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), module,
    respond({ "Content-Type": "application/wasm" }), respond({}), Promise.resolve(respond({ "Content-Type": "text/plain" })),
  ]) {
    const kiothi = await load(source);
    assert.equal(kiothi.newGame({ game: "rio-kadalis" }).state().phase, "sow");
  }
});

test("what is no module is refused", async () => {
  await assert.rejects(load(new Response("gone", { status: 404 })), { kind: "failed", message: /404/ });
  await assert.rejects(load({}), { kind: "argument" });
  await assert.rejects(load(new Uint8Array(10)));
});

const letters = (name) => [name.length, ...name].map((part) => (typeof part === "string" ? part.charCodeAt(0) : part));
const section = (id, ...content) => [id, content.length, ...content];

/** A module with the functions of ours, of which kiothi_call is only an instruction that traps. */
const FRAGILE = Uint8Array.of(
  0, ...letters("asm").slice(1), 1, 0, 0, 0,
  ...section(1, 3, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f), // types: () -> (), (i32) -> i32, () -> i32
  ...section(3, 4, 0, 1, 2, 2), // the types of the four functions
  ...section(5, 1, 0, 1), // a page of memory
  ...section(
    7, 5, ...letters("memory"), 2, 0, ...letters("_initialize"), 0, 0, ...letters("kiothi_room"), 0, 1,
    ...letters("kiothi_call"), 0, 2, ...letters("kiothi_answer"), 0, 3,
  ),
  ...section(10, 4, 2, 0, 0x0b, 4, 0, 0x41, 0, 0x0b, 3, 0, 0, 0x0b, 4, 0, 0x41, 0, 0x0b),
);

test("a module that breaks down is dead, here and in a worker", async () => {
  await assert.rejects(load(FRAGILE), { name: "KiothiError", kind: "dead", message: /bug.*unreachable/s });
  await assert.rejects(startWorker({ source: FRAGILE }), { name: "KiothiError", kind: "dead" });
});

test("a module that breaks down tells what Go said, and every later call says so", async () => {
  const wasi = new Wasi();
  const compiled = await WebAssembly.compile(bytes);
  const { exports } = await WebAssembly.instantiate(compiled, wasi.imports(compiled));
  wasi.start(exports.memory);
  exports._initialize();
  let answers = true;
  const module = new Module(wasi, {
    ...exports,
    kiothi_call: () => (answers ? exports.kiothi_call() : exports.kiothi_room(-1)), // room that there cannot be
  });
  assert.equal(module.call("games").length, 2);
  answers = false;
  const dead = { name: "KiothiError", kind: "dead", message: /panic: .*out of range/s };
  assert.throws(() => module.call("games"), dead);
  answers = true;
  assert.throws(() => module.call("games"), dead);
});
