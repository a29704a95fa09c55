// The networks that are released with the source of this package.

import { existsSync, readFileSync } from "node:fs";

/** The files of a released network, undefined outside of the source of this package. */
export function released(name) {
  const folder = new URL(`../../../../models/${name}/`, import.meta.url);
  if (!existsSync(folder)) return undefined;
  return {
    description: readFileSync(new URL("model.json", folder), "utf8"),
    weights: readFileSync(new URL("model.safetensors", folder)),
  };
}
