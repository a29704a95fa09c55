// What a person can choose below the board: how many seeds to sow, the tools of an opening turn, the next round, and to play a
// hint. Each function makes elements out of what it is given, and leaves to its caller what a choice does.

import { element } from "./board.mjs";
import { t } from "./texts.mjs";

/** A button with a name, by which focus finds it again. */
function button(name, text, act, properties = {}) {
  const made = element("button", { type: "button", textContent: text, ...properties });
  made.dataset.name = name;
  made.addEventListener("click", act);
  return made;
}

/** How a competition stands. Between two rounds, next begins the second one. */
export function standing({ round, rounds, holdings: [a, b], between }, next) {
  const box = element("p", {}, `${t("round", { n: round, of: rounds })}. ${t("holdings", { a, b })} `);
  if (between) box.append(button("next", t("nextRound"), next, { class: "main" }));
  return box;
}

/**
 * The numbers of seeds that the pit numbered from could be sown with; those of the set legal can. look is told in which pit the
 * first lap of the number would end that is looked at, and null when none is.
 */
export function numbers({ pits, from, legal, play, look, cancel }) {
  const { name, seeds } = pits[from];
  const title = t("howMany", { name });
  const group = element("div", { class: "numbers", role: "group", ariaLabel: title }, element("span", { textContent: title }));
  for (let n = 1; n <= seeds; n++) {
    const end = (from + n) % pits.length;
    const label = t("endsIn", { n, name: pits[end].name });
    const number = button(`n${n}`, String(n), () => play(`${name}${n}`), { ariaLabel: label, title: label });
    number.setAttribute("aria-disabled", String(!legal.has(n)));
    for (const event of ["focus", "pointerenter"]) number.addEventListener(event, () => look(end));
    for (const event of ["blur", "pointerleave"]) number.addEventListener(event, () => look(null));
    group.append(number);
  }
  group.append(button("cancel", t("cancel"), cancel));
  group.addEventListener("keydown", (event) => {
    const buttons = [...group.querySelectorAll("button")];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      event.preventDefault();
      buttons[Math.min(buttons.length - 1, Math.max(0, buttons.indexOf(document.activeElement) + step))]?.focus();
    } else if (/^[1-9]$/.test(event.key)) {
      event.preventDefault();
      play(`${name}${event.key}`);
    }
  });
  return group;
}

/**
 * The tools of an opening turn. changed is called after the turn was changed; setPerClick is told how many seeds a click is to
 * place, 0 for all.
 */
export function openingTools({ opening, title, perClick, setPerClick, changed, play }) {
  const group = element("div", { class: "numbers", role: "group", ariaLabel: title });
  const change = (act) => () => {
    act();
    changed();
  };
  if (opening.mayStop) group.append(button("stop", t("stopLifting"), change(() => opening.stop())));
  if (!opening.lifting && !opening.complete) {
    const select = element("select", {});
    for (const [n, text] of [[1, "1"], [2, "2"], [5, "5"], [0, t("rest")]]) select.add(new Option(text, n));
    select.value = perClick;
    select.addEventListener("change", () => setPerClick(Number(select.value)));
    group.append(element("label", {}, `${t("perClick")} `, select));
  }
  group.append(
    button("back", t("stepBack"), change(() => opening.undo()), { disabled: !opening.begun }),
    button("over", t("startOver"), change(() => opening.reset()), { disabled: !opening.begun }),
  );
  if (opening.complete) {
    const move = opening.text();
    group.append(button("confirm", t("confirm", { move }), () => play(move), { class: "main" }));
  }
  return group;
}

/** The lines of a hint, and a button that plays it. */
export function hint({ text, chances, value, margin, line }, play) {
  const percent = (x) => (100 * x).toFixed(0);
  const signed = (x, digits) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
  const rows = [element("strong", { textContent: t("advice", { move: text }) })];
  if (chances) rows.push(t("winChance", { win: percent(chances.win), draw: percent(chances.draw), loss: percent(chances.loss) }));
  else if (value !== null) rows.push(t("expects", { n: signed(value, 2) }));
  if (margin !== null) rows.push(t("margin", { n: signed(margin, 1) }));
  if (line.length > 1) rows.push(t("line", { line: line.join(" ") }));
  return [...rows.map((row) => element("div", {}, row)), button("advice", t("playIt"), () => play(text))];
}
