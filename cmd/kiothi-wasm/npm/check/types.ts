// What the declarations promise, used by a strict compiler.

import { load, startWorker, KiothiError } from "kiothi";
import { addBot } from "kiothi/bot.mjs";
import type { Analysis, AsyncGame, Game, LegalMove, ModelInfo, SowingEvent, State, Thought } from "kiothi";

const here = await load(new URL("kiothi.wasm", "https://example.com/"));
const game: Game = here.newGame({ game: "kiothi", rules: "mancala-world", moves: ["eh:a3c2J5", 604] });
const state: State = game.state();
const seeds: number = state.pits[0]!.seeds + (state.result?.stores[0] ?? 0);
const moves: LegalMove[] = game.legal();
const events: readonly SowingEvent[] = game.trace(moves[0]!.text, seeds).events;
const why: string | null = game.whyNot(events.length);
const thought: Thought = game.think("greedy", { seed: 1 });

const slice: Thought | null = game.startThinking("uct:sims=1000").step(here.memory);

const there = await startWorker({ source: new Uint8Array(), worker: "worker.mjs" });
const other: AsyncGame = await there.newGame({ game: "rio-kadalis", rounds: 3 });
const hint: Thought = await other.think("zero:bot,sims=64", { signal: AbortSignal.timeout(100) });
await there.addModel("bot", { description: "{}", weights: new ArrayBuffer(8) });
const bot: ModelInfo = await addBot(there);
const own: Game = here.newGame({ game: bot.game, rules: bot.rules });
const judged: Analysis = await other.analyse(`policy:${(await addBot(here, "own")).name}`);
const shares: number[] = own.startAnalysing("policy:own").step(1)?.policy?.map(({ probability }) => probability) ?? [judged.margins?.[0]?.probability ?? 0];
await other.nextRound();
try {
  await other.play(hint.text);
} catch (error) {
  if (error instanceof KiothiError && error.kind === "illegal") console.log(error.reason, why, thought.chances?.win, slice?.line, shares);
}
there.terminate();

// @ts-expect-error there is no such game
here.newGame({ game: "chess" });
// @ts-expect-error a thought cannot be called off where nothing else happens meanwhile
game.think("greedy", { signal: AbortSignal.timeout(1) });
