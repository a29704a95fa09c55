// The interface in several languages. A text that a language lacks is English.

import en from "./texts/en.mjs";
import sw from "./texts/sw.mjs";
import it from "./texts/it.mjs";
import pt from "./texts/pt.mjs";
import de from "./texts/de.mjs";
import eu from "./texts/eu.mjs";

const TABLES = { en, sw, it, pt, de, eu };

/** The languages, by their codes, with their own names. */
export const LANGUAGES = { en: "English", sw: "Kiswahili", it: "Italiano", pt: "Português", de: "Deutsch", eu: "Euskara" };

let current = "en";

/** The language of the interface. */
export const language = () => current;

/** Sets the language, and puts all texts of the page that do not change into it. */
export function speak(code) {
  current = code in TABLES ? code : "en";
  document.documentElement.lang = current;
  for (const e of document.querySelectorAll("[data-t]")) e.textContent = t(e.dataset.t);
  for (const e of document.querySelectorAll("[data-t-label]")) e.setAttribute("aria-label", t(e.dataset.tLabel));
}

/** The language that the reader prefers, of those that there are. */
export function preferred() {
  return navigator.languages.map((tag) => tag.split("-")[0]).find((code) => code in TABLES) ?? "en";
}

/** A text, with values in place of {name}. */
export function t(key, values = {}) {
  const text = TABLES[current][key] ?? en[key];
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
