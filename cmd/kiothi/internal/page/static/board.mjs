// The board: two rows of pits, each of them a button, and two stores. It draws what it is told, and tells what was chosen.

import { arrange } from "./seeds.mjs";
import { t } from "./texts.mjs";

const SVG = "http://www.w3.org/2000/svg";
const narrow = matchMedia("(max-width: 44rem)");

/** An element with a class and children. */
export function element(tag, { class: name, ...properties } = {}, ...children) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  Object.assign(e, properties);
  e.append(...children);
  return e;
}

export class Board extends EventTarget {
  #root;
  #pits = []; // by their number: { button, seeds, count, drawn }
  #stores = [];
  #hand;
  #width = 0;
  #flipped = false;
  #focus = 0; // the pit that has the board's place in the order of focus
  #view;

  constructor(root) {
    super();
    this.#root = root;
    root.addEventListener("keydown", (event) => this.#key(event));
    narrow.addEventListener("change", () => {
      for (const pit of this.#pits) pit.drawn = -1;
      for (const store of this.#stores) store.drawn = -1;
      if (this.#view) this.draw(this.#view);
    });
  }

  /** Makes a board of a width. South is nearer unless it is flipped. */
  make(width, flipped) {
    this.#width = width;
    this.#flipped = flipped;
    const row = (owner) => {
      const line = element("div", { class: "row", role: "group", ariaLabel: t(owner ? "northRow" : "southRow") });
      for (let i = 0; i < width; i++) line.append(this.#makePit(owner * width + i));
      return line;
    };
    const had = this.#root.contains(document.activeElement);
    const rows = [row(0), row(1)];
    this.#stores = [this.#makeStore(0), this.#makeStore(1)];
    const near = flipped ? 1 : 0;
    this.#reverse(rows[1 - near]);
    this.#hand = element("div", { class: "hand", hidden: true });
    this.#hand.setAttribute("aria-hidden", "true");
    this.#root.style.setProperty("--width", width);
    this.#root.replaceChildren(
      this.#stores[1 - near].box,
      element("div", { class: "rows" }, rows[1 - near], rows[near], this.#hand),
      this.#stores[near].box,
    );
    this.#focus = near * width;
    this.#rove(this.#focus, had);
  }

  #reverse(row) {
    row.append(...[...row.children].reverse());
  }

  #makePit(number) {
    const seeds = document.createElementNS(SVG, "svg");
    seeds.setAttribute("aria-hidden", "true");
    const count = element("span", { class: "count" });
    const name = element("span", { class: "name" });
    const label = element("span", { class: "hidden" });
    const button = element("button", { class: "pit", type: "button", tabIndex: -1 }, label, name, seeds, count);
    for (const part of [count, name]) part.setAttribute("aria-hidden", "true");
    button.addEventListener("click", () => {
      this.#rove(number, false);
      this.dispatchEvent(new CustomEvent("choose", { detail: { pit: number } }));
    });
    button.addEventListener("focus", () => this.#rove(number, false));
    this.#pits[number] = { button, seeds, count, name, label, drawn: -1 };
    return button;
  }

  #makeStore(owner) {
    const seeds = document.createElementNS(SVG, "svg");
    seeds.setAttribute("aria-hidden", "true");
    const count = element("strong", { class: "count" });
    const name = element("span", { class: "name" });
    const box = element("div", { class: "store", role: "group" }, name, seeds, count);
    return { box, seeds, count, name, drawn: -1, owner };
  }

  /**
   * Draws a view: pits as those of State with, if wanted, legal (it can be chosen), chosen, target and active; stores;
   * names of the players; hand, the seeds in a hand, over the pit at.
   */
  draw(view) {
    this.#view = view;
    const [width, height] = narrow.matches ? [30, 62] : [64, 70];
    view.pits.forEach((pit, i) => {
      const { button, seeds, count, name, label } = this.#pits[i];
      if (this.#pits[i].drawn !== pit.seeds) {
        drawSeeds(seeds, pit.seeds, width, height, narrow.matches ? 6 : 8.5);
        count.textContent = pit.closed ? "×" : pit.seeds;
        this.#pits[i].drawn = pit.seeds;
      }
      count.textContent = pit.closed ? "×" : pit.seeds;
      name.textContent = pit.name;
      const flags = { marked: pit.marked, closed: pit.closed, lifted: pit.lifted, legal: pit.legal, chosen: pit.chosen, target: pit.target, active: pit.active, mine: pit.owner === view.player };
      for (const [flag, on] of Object.entries(flags)) button.classList.toggle(flag, Boolean(on));
      const words = [t("pitLabel", { name: pit.name, seeds: pit.seeds })];
      if (pit.closed) words.push(t("closed"));
      if (pit.marked) words.push(t("marked"));
      if (pit.lifted) words.push(t("liftedLabel"));
      if (pit.chosen) words.push(t("chosen"));
      if (view.choosing && !pit.legal) words.push(t("notNow"));
      label.textContent = words.join(", ");
      button.setAttribute("aria-disabled", String(!pit.legal));
    });
    for (const store of this.#stores) {
      const n = view.stores[store.owner];
      if (store.drawn !== n) {
        drawSeeds(store.seeds, n, ...(narrow.matches ? [150, 26] : [60, 128]), narrow.matches ? 5 : 6.5);
        store.count.textContent = n;
        store.drawn = n;
      }
      store.name.textContent = view.names[store.owner];
      store.box.setAttribute("aria-label", t("storeLabel", { who: view.names[store.owner], seeds: n }));
      store.box.classList.toggle("to-move", view.player === store.owner);
    }
    this.#moveHand(view.hand ?? 0, view.at);
  }

  /** Shows a hand with seeds over a pit. */
  #moveHand(n, at) {
    this.#hand.hidden = n === 0 || at === undefined;
    if (this.#hand.hidden) return;
    const { button } = this.#pits[at];
    const x = button.offsetLeft + button.offsetWidth / 2;
    const y = button.offsetTop;
    this.#hand.style.setProperty("transform", `translate(${x}px, ${y}px) translate(-50%, -60%)`);
    this.#hand.textContent = n;
  }

  /** Gives a pit the board's place in the order of focus, and focus, if wanted. */
  #rove(pit, focus) {
    for (const { button } of this.#pits.slice(0, 2 * this.#width)) button.tabIndex = -1;
    this.#focus = pit;
    const { button } = this.#pits[pit];
    button.tabIndex = 0;
    if (focus) button.focus();
  }

  /** Focuses the pit that was focused last. */
  focus() {
    this.#rove(this.#focus, true);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const w = this.#width;
    const near = this.#focus < w !== this.#flipped;
    const along = near ? 1 : -1; // the far row runs from right to left
    const step = { ArrowLeft: -along, ArrowRight: along }[event.key];
    let to;
    if (step) to = Math.floor(this.#focus / w) * w + Math.min(w - 1, Math.max(0, (this.#focus % w) + step));
    else if (event.key === "ArrowUp" && near) to = 2 * w - 1 - this.#focus;
    else if (event.key === "ArrowDown" && !near) to = 2 * w - 1 - this.#focus;
    else if (event.key === "Home" || event.key === "End") {
      const first = (event.key === "Home") === near;
      to = Math.floor(this.#focus / w) * w + (first ? 0 : w - 1);
    } else if (/^[0-9]$/.test(event.key) && document.activeElement?.classList.contains("pit")) {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("digit", { detail: { pit: this.#focus, digit: Number(event.key) } }));
      return;
    } else if (event.key.startsWith("Arrow")) {
      to = this.#focus;
    } else return;
    event.preventDefault();
    this.#rove(to, true);
  }
}

/** Draws n seeds in an svg of a size. */
function drawSeeds(svg, n, width, height, largest) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const { centres, radius } = arrange(n, width, height, largest);
  svg.replaceChildren(...centres.map(([x, y], i) => {
    const seed = document.createElementNS(SVG, "circle");
    seed.setAttribute("cx", x.toFixed(1));
    seed.setAttribute("cy", y.toFixed(1));
    seed.setAttribute("r", radius.toFixed(1));
    seed.setAttribute("class", `seed tone${(i * 7) % 3}`);
    return seed;
  }));
}
