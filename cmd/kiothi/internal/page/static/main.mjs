// The page: puts the board, the rules, the players and the controls together.

import { Board } from "./board.mjs";
import { start } from "./engine.mjs";
import { Table } from "./table.mjs";
import { setUpControls } from "./controls.mjs";
import { LANGUAGES, preferred, speak, t } from "./texts.mjs";

const $ = (id) => document.getElementById(id);

const kept = {
  get: (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // the browser keeps nothing
    }
  },
  set: (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // The choice lasts as long as the page.
    }
  },
};

speak(kept.get("language") ?? preferred());

try {
  const { rules, players } = await start();
  $("loading").hidden = true;
  for (const part of [$("table"), document.querySelector("aside")]) part.hidden = false;
  const table = new Table({ rules, players, board: new Board($("board")) });
  const controls = setUpControls({ rules, players, table, kept });
  for (const [code, name] of Object.entries(LANGUAGES)) $("language").add(new Option(name, code));
  $("language").value = document.documentElement.lang;
  $("language").addEventListener("change", ({ target }) => {
    kept.set("language", target.value);
    speak(target.value);
    controls.translate();
    table.translate();
  });
  controls.begin();
} catch (error) {
  $("loading").hidden = false;
  $("loading").setAttribute("role", "alert");
  $("loading").textContent = t("broken", { why: error.message });
  throw error;
}
