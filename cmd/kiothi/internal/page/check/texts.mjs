// The languages of the page: each has all texts, with the same values in them. node check/texts.mjs

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";

const folder = new URL("../static/texts/", import.meta.url);
const { default: english } = await import(new URL("en.mjs", folder));
const values = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const languages = readdirSync(folder);
for (const file of languages) {
  const { default: texts } = await import(new URL(file, folder));
  assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), file);
  for (const [key, text] of Object.entries(english)) assert.deepEqual(values(texts[key]), values(text), `${file}: ${key}`);
}
console.log(`${languages.length} languages with ${Object.keys(english).length} texts each`);
