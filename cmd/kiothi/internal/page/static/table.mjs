// The game on the page: whose turn it is, what a person chooses, what a player thinks, and how it is shown.

import { hint, numbers, openingTools, standing } from "./choice.mjs";
import { Opening } from "./opening.mjs";
import { Sowing } from "./sowing.mjs";
import { t } from "./texts.mjs";

const $ = (id) => document.getElementById(id);

/** Which rule forbids something, without the move that the page knows anyway. */
const rule = (why) => {
  const text = why.replace(/^(move|turn) "[^"]*": /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/**
 * A game with its players. It tells "changed" whenever something was played or taken back, and when a game begins.
 */
export class Table extends EventTarget {
  #rules;
  #players;
  #board;
  #sowing = new Sowing();
  #game;
  #state;
  #setting; // what begin() was told
  #seats = ["human", "human"];
  #opening = null; // an opening turn that a person puts together
  #chosen = null; // the pit that a person chose to sow from
  #target = null; // where the first lap of the choice would end
  #perClick = 1; // seeds that a click places in an opening; 0 for all
  #shown = null; // the view that is shown while seeds are sown
  #thinking = null; // what calls the thinking off
  #advice = null; // the thought of a hint
  #run = 0; // the number of what goes on: what belongs to an older one ends
  #paused = false;
  #flipped = false;

  /** Whether the sowing is shown, and the milliseconds that a seed takes. */
  animate = true;
  pace = () => 200;

  constructor({ rules, players, board }) {
    super();
    this.#rules = rules;
    this.#players = players;
    this.#board = board;
    board.addEventListener("choose", ({ detail }) => this.choose(detail.pit));
    board.addEventListener("digit", ({ detail }) => this.#digit(detail.pit, detail.digit));
  }

  // -------------------------------------------------------------------------------------------------------- the game

  /** What a link is made of. */
  get setting() {
    return { ...this.#setting, rules: this.#game.info.rules, moves: this.history().map(({ text }) => text), south: this.#seats[0], north: this.#seats[1] };
  }

  get info() {
    return this.#game.info;
  }

  get state() {
    return this.#state;
  }

  /** The position as text. */
  get position() {
    return this.#game.state().position;
  }

  /** What was played so far, oldest first. */
  history() {
    return this.#game.history();
  }

  /** Begins a game. What is wrong with it is an error, and changes nothing. */
  begin({ game, rules, rounds, position, moves = [], south, north }) {
    const next = this.#rules.newGame({ game, rules, rounds, position, moves });
    this.#stop();
    this.#game?.close();
    this.#game = next;
    this.#setting = { game, rounds, position };
    this.#paused = false;
    this.#seats = [this.#seatOr(south), this.#seatOr(north)];
    this.#flipped = this.#seats[1] === "human" && this.#seats[0] !== "human";
    this.#board.make(next.info.width, this.#flipped);
    this.#say("");
    $("last").textContent = "";
    this.#go();
  }

  /** A seat that there is for this game. */
  #seatOr(seat) {
    if (seat === "human" || this.#players.list(this.info).some(({ name }) => name === seat)) return seat;
    return "alphabeta";
  }

  /** Gives a seat to somebody else. */
  seat(player, who) {
    this.#stop();
    this.#seats[player] = this.#seatOr(who);
    this.#go();
  }

  /** Turns the board round. */
  flip() {
    this.#flipped = !this.#flipped;
    this.#board.make(this.info.width, this.#flipped);
    this.#draw();
  }

  /** Takes back the last turn, and those of players after the last one of a person. */
  undo() {
    if (this.#opening?.begun) {
      this.#opening.undo();
      this.#draw();
      return;
    }
    this.#stop();
    const people = this.#seats.includes("human");
    let taken = this.#game.undo();
    this.#say(taken ? "" : t("nothingToTakeBack"));
    if (taken) $("last").textContent = t("takenBack");
    while (taken && people && this.#seats[this.#game.state().player] !== "human") taken = this.#game.undo();
    if (!people) this.#paused = true;
    this.#go();
  }

  /** Begins the next round of a competition. */
  nextRound() {
    this.#stop();
    this.#game.nextRound();
    this.#go();
    this.#board.focus();
  }

  /** Pauses the players, or lets them go on. */
  pause() {
    this.#paused = !this.#paused;
    this.#stop();
    this.#go();
  }

  /** Shows no more of what is being shown. */
  skip() {
    this.#sowing.skip();
  }

  /** Ends what is going on. */
  #stop() {
    this.#run++;
    this.#thinking?.abort();
    this.#thinking = null;
    this.#sowing.skip();
    this.#shown = null;
  }

  /** Goes on until a person has to do something. */
  async #go() {
    const run = this.#run;
    for (;;) {
      this.#refresh();
      const { over, competition, player } = this.#state;
      if (over || competition?.between || this.#paused || this.#seats[player] === "human") return;
      const who = this.#players.list(this.info).find(({ name }) => name === this.#seats[player]);
      const thought = await this.#think(who, run);
      if (!thought) return;
      await this.#make(thought.text, true);
      if (run !== this.#run) return;
    }
  }

  /** Lets a player think. Returns null when that is not wanted any more, or went wrong. */
  async #think(who, run) {
    const controller = new AbortController();
    this.#thinking = controller;
    this.#draw();
    try {
      const thought = await this.#players.think(this.info, this.#state.position, who, controller.signal);
      return run === this.#run ? thought : null;
    } catch (error) {
      if (run !== this.#run || controller.signal.aborted) return null;
      this.#paused = true;
      this.#say(t("broken", { why: error.message }));
      return null;
    } finally {
      if (this.#thinking === controller) this.#thinking = null;
      if (run === this.#run) this.#draw();
    }
  }

  /** Plays a turn, and shows it. */
  async #make(text, show) {
    const run = this.#run;
    const before = this.#state;
    const { events } = show && this.animate ? this.#game.trace(text) : { events: [] };
    const played = this.#game.play(text);
    this.#state = this.#game.state();
    this.#opening = this.#chosen = this.#target = this.#advice = null;
    this.#say("");
    this.#tellTurn(played);
    this.dispatchEvent(new Event("changed"));
    if (events.length === 0) {
      if (!this.#seats.includes("human")) await this.#sowing.wait(2 * this.pace()); // so that the eye can follow
      return;
    }
    const pits = before.pits.map((pit) => ({ ...pit, lifted: false, last: false }));
    await this.#sowing.run({
      events, pits, stores: before.stores, pace: () => this.pace(),
      show: (view) => {
        if (run !== this.#run) return;
        this.#shown = { ...view, move: text, player: before.player };
        this.#draw();
      },
    });
    if (run === this.#run) this.#shown = null;
  }

  // ------------------------------------------------------------------------------------------------- what people do

  /** Whether a person has to move now. */
  get #asked() {
    const { over, competition, player } = this.#state;
    return !over && !competition?.between && this.#seats[player] === "human" && !this.#shown;
  }

  /** A person chose a pit. */
  choose(pit) {
    if (this.#shown) return this.skip();
    this.#say("");
    if (!this.#asked) return this.#say(t(this.#state.over || this.#state.competition?.between ? "isOver" : "notYours"));
    if (this.#opening) {
      if (this.#opening.complete) return this.#say(t("handEmpty"));
      const why = this.#opening.choose(pit, this.#perClick || Infinity);
      this.#draw();
      this.#sayRule(why ?? "");
      if (!why) this.#announce(this.#headline());
      return;
    }
    const { name } = this.#state.pits[pit];
    const options = this.#game.legal().filter((move) => move.pit === pit);
    if (options.length === 0) {
      this.#chosen = null;
      this.#draw();
      return this.#sayRule(this.#game.whyNot(name) ?? this.#game.whyNot(`${name}1`) ?? "");
    }
    if (options.length === 1 && !this.info.partialPickup) return this.play(options[0].text);
    this.#chosen = this.#chosen === pit ? null : pit;
    this.#target = null;
    this.#draw();
    if (this.#chosen !== null) $("choose").querySelector("[aria-disabled=false]")?.focus();
  }

  /** A digit was typed at a pit: so many seeds. */
  #digit(pit, digit) {
    if (!this.#asked) return this.choose(pit);
    if (this.#opening && !this.#opening.lifting) {
      const per = this.#perClick;
      this.#perClick = digit;
      this.choose(pit);
      this.#perClick = per;
      this.#draw();
    } else if (this.#opening || !this.info.partialPickup) {
      this.choose(pit);
    } else {
      this.play(`${this.#state.pits[pit].name}${digit}`);
    }
  }

  /** A person plays a move. One that is illegal is explained. */
  play(text) {
    if (this.#shown) this.skip();
    const { over, competition, player } = this.#state;
    if (over || competition?.between) return this.#say(t("isOver"));
    if (this.#seats[player] !== "human") return this.#say(t("notYours"));
    const why = this.#game.whyNot(text);
    if (why) return this.#sayRule(why);
    this.#turn(text);
  }

  async #turn(text) {
    const composed = this.#opening?.complete;
    this.#stop();
    const run = this.#run;
    const focused = $("choose").contains(document.activeElement) || document.activeElement?.classList.contains("pit");
    const turn = this.#make(text, !composed);
    if (focused) this.#board.focus();
    await turn;
    if (run === this.#run) this.#go();
  }

  /** A person asks for advice. */
  async hint() {
    if (!this.#asked || this.#thinking) return;
    const run = this.#run;
    const { adviser, judge } = this.#players.advisers(this.info);
    let thought = await this.#think(adviser, run);
    if (thought && !thought.chances && judge) {
      const judged = await this.#think(judge, run);
      thought = judged && { ...thought, chances: judged.chances, margin: judged.margin }; // both of one judge
    }
    if (!thought || run !== this.#run || !this.#asked) return;
    this.#advice = thought;
    this.#draw();
    if (this.#opening) return;
    this.#chosen = null;
    this.#target = this.#state.pits.findIndex(({ name }) => name === thought.text[0]);
    this.#draw();
  }

  /** Leaves a choice that was begun. */
  cancel() {
    if (this.#chosen === null) return;
    this.#chosen = this.#target = null;
    this.#draw();
    this.#board.focus();
  }

  // ----------------------------------------------------------------------------------------------- what is to be seen

  /** Puts all texts into the language of the interface. */
  translate() {
    this.#board.make(this.info.width, this.#flipped);
    this.#draw();
  }

  #who(player) {
    return t(player === 0 ? "south" : "north");
  }

  /** Explains something, in the language of the interface unless another one is named. */
  #say(text, language = "") {
    $("message").lang = language;
    $("message").textContent = text;
  }

  /** Explains by the rule what cannot be done. The rules engine speaks English. */
  #sayRule(why) {
    this.#say(rule(why), "en");
  }

  /** Tells something to those who do not see the board. */
  #announce(text) {
    $("spoken").textContent = text;
  }

  #tellTurn({ player, text, laps, captured, cut }) {
    const parts = [t("played", { who: this.#who(player), move: text })];
    if (laps > 1) parts.push(t("playedLaps", { n: laps }));
    captured.forEach((n, p) => n > 0 && parts.push(t("playedWins", { who: this.#who(p), n })));
    if (cut) parts.push(t("playedCut"));
    $("last").textContent = parts.join(" ");
  }

  /** Looks at the game anew. */
  #refresh() {
    this.#state = this.#game.state();
    this.#chosen = this.#target = this.#advice = null;
    const { phase, over, player } = this.#state;
    if (over || phase === "sow" || this.#seats[player] !== "human") this.#opening = null;
    else if (this.#opening?.position !== this.#state.position) this.#opening = new Opening(this.#rules, this.info, this.#state);
    this.dispatchEvent(new Event("changed"));
    this.#draw();
    if (over || this.#state.competition?.between) this.#announce(this.#headline());
  }

  /** One sentence: where the game stands. */
  #headline() {
    const { over, result, competition, player } = this.#state;
    if (this.#shown) {
      const { move, lap, player: mover } = this.#shown;
      return t("sowing", { who: this.#who(mover), move }) + (lap > 1 ? `, ${t("lap", { n: lap })}` : "");
    }
    if (result) return this.#verdict(result, competition, over);
    const who = this.#who(player);
    if (this.#thinking) return t("thinks", { who });
    if (this.#seats[player] !== "human") return t("paused", { who });
    if (!this.#opening) return t("toSow", { who });
    if (this.#opening.lifting) return t("toLift", { who });
    return this.#opening.complete ? t("toConfirm", { who }) : t("toPlace", { who, n: this.#opening.hand });
  }

  #verdict({ reason, stores: [a, b], winner, warrior }, competition, over) {
    const parts = [];
    if (competition && over) parts.push(competition.winner === null ? t("competitionDraw") : t("competitionWon", { who: this.#who(competition.winner) }));
    if (winner === null) parts.push(t("draw", { a, b }));
    else parts.push(t("won", { who: this.#who(winner), a: Math.max(a, b), b: Math.min(a, b) }));
    if (warrior) parts.push(t("warrior"));
    parts.push(t(reason));
    return parts.join(" ");
  }

  #draw() {
    const { pits, stores, player, result, competition } = this.#state;
    const names = [this.#who(0), this.#who(1)];
    const asked = this.#asked && !this.#thinking;
    let view;
    if (this.#shown) {
      view = { ...this.#shown, names };
    } else if (result) {
      view = { pits: pits.map((pit) => ({ ...pit, seeds: 0, marked: false })), stores: result.stores, names, player: null };
    } else if (this.#opening) {
      view = { pits: this.#opening.pits(), stores, names, player, choosing: true };
    } else {
      const legal = new Set(asked ? this.#game.legal().map((move) => move.pit) : []);
      view = {
        pits: pits.map((pit, i) => ({ ...pit, lifted: false, legal: legal.has(i), chosen: i === this.#chosen, target: i === this.#target })),
        stores, names, player, choosing: asked,
      };
    }
    this.#board.draw(view);
    $("turn").textContent = this.#headline();
    $("table").classList.toggle("thinking", Boolean(this.#thinking));
    $("skip").disabled = !this.#shown;
    $("hint").disabled = !asked;
    $("undo").disabled = this.#state.played === 0 && !this.#opening?.begun;
    $("pause").hidden = this.#seats[0] === "human" && this.#seats[1] === "human";
    $("pause").setAttribute("aria-pressed", String(this.#paused));
    this.#drawChoice(asked, competition);
    this.#drawAdvice();
  }

  /** Draws what a person can choose now below the board. Where nothing changed, nothing is made anew, so that focus stays. */
  #drawChoice(asked, competition) {
    const box = $("choose");
    const key = JSON.stringify([
      document.documentElement.lang, asked, this.#chosen, competition, this.#state.position,
      this.#opening && [this.#opening.text(), this.#opening.hand, this.#opening.lifting, this.#opening.begun, this.#perClick], Boolean(this.#shown),
    ]);
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    const focused = box.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
    const parts = [];
    if (competition) parts.push(standing({ ...competition, between: competition.between && !this.#shown }, () => this.nextRound()));
    if (asked && this.#opening) parts.push(this.#openingTools());
    else if (asked && this.#chosen !== null) parts.push(this.#numbers());
    box.replaceChildren(...parts);
    if (focused) {
      const again = [...box.querySelectorAll("[data-name]")].find((e) => e.dataset.name === focused && !e.disabled);
      if (again) again.focus();
      else this.#board.focus();
    }
  }

  /** The numbers of seeds that the chosen pit could be sown with. */
  #numbers() {
    const legal = this.#game.legal().filter((move) => move.pit === this.#chosen).map((move) => move.seeds);
    return numbers({
      pits: this.#state.pits, from: this.#chosen, legal: new Set(legal),
      play: (text) => this.play(text),
      look: (pit) => {
        this.#target = pit;
        this.#draw();
      },
      cancel: () => this.cancel(),
    });
  }

  /** The tools of the opening turn. */
  #openingTools() {
    return openingTools({
      opening: this.#opening, title: this.#headline(), perClick: this.#perClick,
      setPerClick: (n) => (this.#perClick = n),
      changed: () => {
        this.#say("");
        this.#draw();
        this.#announce(this.#headline());
      },
      play: (text) => this.play(text),
    });
  }

  #drawAdvice() {
    const box = $("thought");
    box.hidden = !this.#advice;
    const key = JSON.stringify([document.documentElement.lang, this.#advice]);
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    box.replaceChildren(...(this.#advice ? hint(this.#advice, (text) => this.play(text)) : []));
  }
}
