// What stands around the board: the form of a new game, the list of moves, the position, the link, and the keys.

import { element } from "./board.mjs";
import { fromFragment, toFragment } from "./link.mjs";
import { t } from "./texts.mjs";

const $ = (id) => document.getElementById(id);
const TITLES = { kiothi: "Kiothi", "rio-kadalis": "Rio Kadalis" };
const ROUNDS = [0, 3, 5, 10, 100];

/** Makes the controls work. begin() begins the first game, translate() puts all texts into the language of the interface. */
export function setUpControls({ rules, players, table, kept }) {
  const games = rules.games();
  const chosenGame = () => games.find(({ name }) => name === $("game").value);
  const say = (text) => ($("message").textContent = text);
  let ownAddress = location.hash; // the fragment that the page wrote itself

  // ------------------------------------------------------------------------------------------------ the form of a new game

  /** The rule set that the form asks for. */
  const chosenRules = () => [$("rules").value, $("options").value.trim()].filter(Boolean).join(",");

  /** Its canonical text, or the form's where it is wrong. */
  const canonical = () => {
    try {
      const game = rules.newGame({ game: $("game").value, rules: chosenRules() });
      const { rules: text } = game.info;
      game.close();
      return text;
    } catch {
      return chosenRules();
    }
  };

  /** Fills a list of choices, and keeps the one that is chosen. */
  function fill(select, choices, chosen = select.value) {
    select.replaceChildren(...choices.map(([value, text]) => new Option(text, value)));
    if (choices.some(([value]) => String(value) === String(chosen))) select.value = chosen;
  }

  /** Fills the list of lengths. One that is played and that it does not offer, as a link can ask for, joins it. */
  function fillRounds(chosen = Number($("rounds").value)) {
    const lengths = [...new Set([...ROUNDS, chosen])].sort((a, b) => a - b);
    fill($("rounds"), lengths.map((n) => [n, n ? t("roundsUpTo", { n }) : t("oneGame")]), chosen);
  }

  function fillGame() {
    const { name, sets, options } = chosenGame();
    fill($("rules"), sets.map((set) => [set.name, set.name]));
    $("rounds-label").hidden = name !== "rio-kadalis";
    fillRounds();
    $("options").placeholder = name === "kiothi" ? "bonus=run,lifts=0+2" : "no_capture_limit=50";
    $("options-doc").replaceChildren(element("ul", {}, ...options.map((o) =>
      element("li", {}, element("code", { textContent: o.name }), ` ${o.doc} (${o.values})`))));
    fillRules();
  }

  function fillRules() {
    $("rules-doc").textContent = chosenGame().sets.find(({ name }) => name === $("rules").value).doc;
    const info = { game: $("game").value, rules: canonical() };
    const choices = [["human", t("human")], ...players.list(info).map(({ name }) => [name, t(name)])];
    for (const id of ["south", "north"]) fill($(id), choices);
  }

  fill($("game"), games.map(({ name }) => [name, TITLES[name]]));
  fillGame();
  $("game").addEventListener("change", () => {
    $("options").value = "";
    fillGame();
  });
  $("rules").addEventListener("change", fillRules);
  $("options").addEventListener("change", fillRules);
  $("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    begin({
      game: $("game").value, rules: chosenRules(), south: $("south").value, north: $("north").value,
      rounds: $("game").value === "rio-kadalis" && Number($("rounds").value) || undefined,
    });
    if (matchMedia("(max-width: 60rem)").matches) $("table").scrollIntoView();
  });
  for (const [player, id] of [[0, "south"], [1, "north"]]) {
    $(id).addEventListener("change", ({ target }) => {
      const { game, rules: now } = table.info;
      if (game === $("game").value && now === canonical()) table.seat(player, target.value);
    });
  }

  /** Begins a game. Returns whether it could be begun. */
  function begin(setting, wrong = (why) => why) {
    try {
      table.begin(setting);
    } catch (error) {
      say(wrong(error.message));
      return false;
    }
    show();
    return true;
  }

  /** Shows in the form what is being played. */
  function show() {
    const { game, rules: text, south, north, rounds } = table.setting;
    const [base, ...overrides] = text.split(",");
    $("game").value = game;
    fillGame();
    $("rules").value = base;
    $("options").value = overrides.join(",");
    fillRounds(rounds ?? table.state.competition?.rounds ?? 0);
    fillRules();
    $("south").value = south;
    $("north").value = north;
    document.title = TITLES[game];
    $("title").textContent = TITLES[game];
    $("about").textContent = t(game === "kiothi" ? "aboutKiothi" : "aboutRio");
    for (const name of Object.keys(TITLES)) $(`rules-${name}`).hidden = name !== game;
  }

  // ------------------------------------------------------------------------------------------------ moves, position, link

  table.addEventListener("changed", () => {
    const history = table.history();
    const list = $("moves");
    const competition = table.state?.competition;
    list.replaceChildren(...history.map(({ player, text, laps, captured, cut, round }, i) => {
      const notes = [captured[0] > 0 && `${t("south")} +${captured[0]}`, captured[1] > 0 && `${t("north")} +${captured[1]}`, cut && "∞"].filter(Boolean);
      const begins = competition && history[i - 1]?.round !== round;
      return element("li", { title: laps > 1 ? t("playedLaps", { n: laps }) : "" },
        ...(begins ? [element("div", { class: "small", textContent: t("round", { n: round, of: competition.rounds }) })] : []),
        player ? t("north") : t("south"), " ",
        element("code", { textContent: text }), " ", element("span", { class: "small", textContent: notes.join(", ") }));
    }));
    list.scrollTop = list.scrollHeight;
    $("position").value = table.position;
    ownAddress = toFragment(table.setting);
    window.history.replaceState(null, "", ownAddress);
  });

  async function copy(text, field) {
    try {
      await navigator.clipboard.writeText(text);
      $("spoken").textContent = t("copied");
      say(t("copied"));
    } catch {
      field?.select();
      say(t("notCopied"));
    }
  }
  $("copy-position").addEventListener("click", () => copy($("position").value, $("position")));
  $("copy-moves").addEventListener("click", () => copy(table.history().map(({ text }) => text).join(" ")));
  $("copy-link").addEventListener("click", () => copy(location.href));
  $("place").addEventListener("submit", (event) => {
    event.preventDefault();
    const { game, rules: text, south, north } = table.setting;
    begin({ game, rules: text, south, north, position: $("position").value.trim() });
  });
  $("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    table.play($("typed-move").value.trim());
    $("typed-move").value = "";
  });
  addEventListener("hashchange", () => {
    if (location.hash !== ownAddress) fromLink();
  });

  /** Begins the game of the page's address. Returns whether there is one. */
  function fromLink() {
    const setting = fromFragment(location.hash);
    return setting !== null && begin(setting, (why) => t("badLink", { why }));
  }

  // ------------------------------------------------------------------------------------------------ controls below the board

  for (const id of ["undo", "hint", "skip", "pause", "flip"]) $(id).addEventListener("click", () => table[id]());
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  $("animate").checked = kept.get("animate") === null ? !reduced : kept.get("animate") === "yes";
  $("speed").value = kept.get("speed") ?? 4;
  const pace = () => {
    table.animate = $("animate").checked;
    const milliseconds = 600 / 1.5 ** Number($("speed").value);
    table.pace = () => milliseconds;
  };
  pace();
  for (const id of ["animate", "speed"]) {
    $(id).addEventListener("input", () => {
      kept.set("animate", $("animate").checked ? "yes" : "no");
      kept.set("speed", $("speed").value);
      pace();
    });
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const id = { u: "undo", h: "hint", s: "skip", p: "pause" }[event.key];
    if (event.key === "Escape") table.cancel();
    else if (id && !$(id).disabled && !$(id).hidden) table[id]();
  });

  return {
    begin() {
      if (fromLink()) return;
      const why = $("message").textContent;
      begin(players.first ?? { game: "kiothi", rules: games[0].sets[0].name, south: "human", north: "alphabeta-2" });
      say(why);
    },
    translate: show,
  };
}
