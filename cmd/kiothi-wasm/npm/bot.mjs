// The bot that the package carries in its folder bot, where `kiothi export` made it. A package built from the source has none.

import { KiothiError } from "./error.mjs";
import { builtin } from "./module.mjs";

/** Adds the bot to what load() or startWorker() gave, and says what it is. */
export async function addBot(kiothi, name = "bot") {
  const [description, weights] = await Promise.all([
    read(new URL("./bot/model.json", import.meta.url)),
    read(new URL("./bot/model.safetensors", import.meta.url)),
  ]);
  return kiothi.addModel(name, { description, weights });
}

async function read(url) {
  const lacks = (why) =>
    new KiothiError({ kind: "failed", message: `the package carries no bot: ${why}; "kiothi export" makes packages that do, and addModel() takes files from anywhere` });
  const fs = url.protocol === "file:" ? builtin("node:fs") : undefined;
  if (fs) {
    return fs.promises.readFile(url).catch((error) => {
      throw lacks(error.message);
    });
  }
  const response = await fetch(url);
  if (!response.ok) throw lacks(`${url} answers ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}
