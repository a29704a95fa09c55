// The package in a headless Chromium: node check/browser.mjs FOLDER CHROMIUM, where FOLDER is the package and holds
// node_modules with playwright-core beside or above it. The example is played on; the module is loaded in a Web Worker; a
// network, if there is one, answers in the time that a player is ready to wait.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";

const [folder, chromium, models] = process.argv.slice(2).map((path) => resolve(path));
const playwright = createRequire(join(folder, "package.json"))("playwright-core");

const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const roots = { "": folder, models };

/** Serves the package at /, and the networks at /models/. */
const server = createServer(async ({ url }, response) => {
  const path = normalize(decodeURIComponent(new URL(url, "http://x").pathname));
  const root = path.startsWith("/models/") ? "models" : "";
  try {
    const body = await readFile(join(roots[root], path.slice(root.length + (root ? 1 : 0))));
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
const complaints = [];
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("console", (message) => message.type() === "error" && !message.location().url.endsWith("favicon.ico") && complaints.push(message.text()));

try {
  await page.goto(`${origin}/example/index.html`);
  for (let turn = 1; turn <= 3; turn++) {
    const [before, moves] = [await page.textContent("#board"), page.locator("#moves button")];
    await moves.first().waitFor();
    await moves.first().click();
    await page.waitForFunction((text) => document.querySelector("#board").textContent !== text, before);
    await page.waitForFunction(() => /^(The agent played|You|A draw)/.test(document.querySelector("#status").textContent), null, { timeout: 300_000 });
  }
  console.log(`the example, after three turns:\n${await page.textContent("#board")}`);

  const frames = await page.evaluate(async () => {
    const { startWorker } = await import("/kiothi.mjs");
    const kiothi = await startWorker();
    const game = await kiothi.newGame({ game: "kiothi", moves: ["eh:a3c2J5", "EH:A3C2j5"] });
    let beats = 0;
    const timer = setInterval(() => beats++, 10);
    for (let tries = 0; tries < 20 && beats < 2; tries++) await game.think("alphabeta:movetime=500ms"); // a busy machine may miss them
    const controller = new AbortController();
    const [thought, state, stopped] = await Promise.all([
      game.think("alphabeta:movetime=500ms"),
      game.state(),
      game.think("alphabeta:depth=60", { signal: controller.signal }).catch((error) => error.name),
      new Promise((done) => setTimeout(done, 300)).then(() => controller.abort()),
    ]);
    clearInterval(timer);
    kiothi.terminate();
    return { beats, text: thought.text, phase: state.phase, stopped };
  });
  assert.equal(frames.phase, "sow");
  assert.equal(frames.stopped, "AbortError");
  assert.match(frames.text, /^[a-j]\d+$/);
  assert(frames.beats > 1, `the page did ${frames.beats} things while the worker thought for half a second`);
  console.log(`a worker thought for half a second, and the page was alive: ${frames.beats} beats of its clock`);

  if (models) {
    for (const [game, name] of [["kiothi", "kiothi-quick"], ["rio-kadalis", "rio-kadalis-quick"]]) {
      const times = await page.evaluate(async ([game, name]) => {
        const { startWorker } = await import("/kiothi.mjs");
        const kiothi = await startWorker();
        const get = async (file) => (await fetch(`/models/${name}/${file}`)).arrayBuffer();
        await kiothi.addModel(name, { description: await get("model.json"), weights: await get("model.safetensors") });
        const board = await kiothi.newGame({ game, moves: game === "kiothi" ? ["eh:a3c2J5", "EH:A3C2j5"] : [] });
        const times = [];
        for (let i = 0; i < 15; i++) {
          const began = performance.now();
          const { text, chances } = await board.think(`zero:${name},sims=200`);
          times.push(performance.now() - began);
          if (!(Math.abs(chances.win + chances.draw + chances.loss - 1) < 1e-6)) throw new Error(JSON.stringify(chances));
          await board.play(text);
        }
        kiothi.terminate();
        return times;
      }, [game, name]);
      const sorted = times.slice().sort((a, b) => a - b);
      console.log(`${name}, 200 simulations: ${times[0].toFixed(0)} ms for the first move, ${sorted[7].toFixed(0)} in the median of ${times.length}`);
    }
  }
  assert.deepEqual(complaints, []);
} finally {
  await browser.close();
  server.close();
}
