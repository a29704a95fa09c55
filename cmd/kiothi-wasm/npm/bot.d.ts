// The types of kiothi/bot.mjs: the bot that the package carries, where `kiothi export` made it.

import type { AsyncKiothi, Kiothi, ModelInfo } from "kiothi";

/**
 * Adds the bot to the module, under a name that is "bot" when nothing is said, and says what it is: its game and rule set are
 * those of newGame(), and agents have its name where they want a path, as in "zero:bot,sims=200". A package that was built from
 * the source carries no bot, and the promise is rejected with a KiothiError.
 */
export function addBot(kiothi: Kiothi | AsyncKiothi, name?: string): Promise<ModelInfo>;
