// An opening turn of Kiothi while it is being put together: pits to lift and pits to place seeds in, chosen in any order. The
// rules want them in order, which is made here; whether the whole is legal, the rules engine says.

export class Opening {
  #kiothi;
  #base; // what newGame needs for the position that the turn begins from
  #state;
  #width;
  #from; // the number of the mover's first pit
  #counts; // how many more pits may be lifted
  #steps = []; // { lift: pit } or { place: pit, seeds }, in the order in which they were chosen
  #ended = false; // lifting was ended before its maximum

  constructor(kiothi, { game, rules, width }, state) {
    this.#kiothi = kiothi;
    this.#base = { game, rules, position: state.position };
    this.#state = state;
    this.#width = width;
    this.#from = state.player * width;
    this.#counts = this.#liftCounts();
  }

  /** The position that the turn begins from. */
  get position() {
    return this.#base.position;
  }

  /** Does something with a game that begins where the turn begins. */
  #scratch(use) {
    const game = this.#kiothi.newGame(this.#base);
    try {
      return use(game);
    } finally {
      game.close();
    }
  }

  /** How many more pits may be lifted, found by asking the rules: each count from which lifting may end. */
  #liftCounts() {
    return this.#scratch((game) => {
      const counts = new Set();
      for (let n = 0; ; n++) {
        if (game.state().phase !== "lift") {
          counts.add(n);
          return counts;
        }
        const legal = game.legal();
        if (legal.some(({ text }) => text === "=")) counts.add(n);
        const lift = legal.find(({ text }) => text.startsWith("+"));
        if (!lift) return counts;
        game.play(lift.text);
      }
    });
  }

  get #lifts() {
    return this.#steps.filter((step) => step.lift !== undefined).map((step) => step.lift);
  }

  get #places() {
    return this.#steps.filter((step) => step.place !== undefined);
  }

  get #most() {
    return Math.max(0, ...this.#counts);
  }

  /** Whether pits are still being lifted. */
  get lifting() {
    return !this.#ended && this.#lifts.length < this.#most;
  }

  /** How many pits can be lifted at most, beginning with none. */
  get most() {
    return this.#most;
  }

  /** How many are lifted. */
  get lifted() {
    return this.#lifts.length;
  }

  /** Whether lifting may end here, before its maximum. */
  get mayStop() {
    return this.lifting && this.#counts.has(this.#lifts.length);
  }

  /** Whether something can be undone. */
  get begun() {
    return this.#steps.length > 0 || this.#ended;
  }

  /** Seeds in hand. */
  get hand() {
    const lifted = this.#lifts.reduce((sum, pit) => sum + this.#state.pits[pit].seeds, this.#state.hand);
    return lifted - this.#places.reduce((sum, { seeds }) => sum + seeds, 0);
  }

  /** Whether the turn can be confirmed. */
  get complete() {
    return !this.lifting && this.hand === 0;
  }

  /** The pits as they would lie. */
  pits() {
    const lifts = this.#lifts;
    const pits = this.#state.pits.map((pit, i) => {
      const lifted = lifts.includes(i);
      return { ...pit, seeds: lifted ? 0 : pit.seeds, lifted: pit.lifted || lifted };
    });
    for (const { place, seeds } of this.#places) pits[place].seeds += seeds;
    return pits.map((pit, i) => ({
      ...pit,
      legal: this.lifting ? pit.owner === this.#state.player && (pit.seeds > 0 || lifts.includes(i)) : this.hand > 0,
    }));
  }

  #relative(pit) {
    return (pit - this.#from + 2 * this.#width) % (2 * this.#width);
  }

  #inOrder(pits) {
    return pits.toSorted((a, b) => this.#relative(a) - this.#relative(b));
  }

  #name(pit) {
    return this.#state.pits[pit].name;
  }

  /** The turn in text: a whole turn, or single steps where it was begun before. */
  text() {
    const lifts = this.#inOrder(this.#lifts).map((pit) => this.#name(pit));
    const received = new Map();
    for (const { place, seeds } of this.#places) received.set(place, (received.get(place) ?? 0) + seeds);
    const places = this.#inOrder([...received.keys()]).map((pit) => [this.#name(pit), received.get(pit)]);
    const fresh = this.#state.phase === "lift" && !this.#state.pits.some((pit) => pit.lifted);
    if (fresh) return lifts.length === 0 ? "=" : `${lifts.join("")}:${places.map(([name, n]) => name + n).join("")}`;
    return [
      ...lifts.map((name) => `+${name}`),
      ...(this.#ended ? ["="] : []),
      ...places.flatMap(([name, n]) => Array(n).fill(`>${name}`)),
    ].join(" ");
  }

  /** Chooses a pit, placing so many seeds where it receives some. Returns why that cannot be, null when it can. */
  choose(pit, seeds) {
    if (!this.lifting) {
      if (this.hand === 0) return this.#scratchWhy(`>${this.#name(pit)}`);
      this.#steps.push({ place: pit, seeds: Math.min(seeds, this.hand) });
      return this.#undoWhere(this.#whyNotSoFar());
    }
    if (this.#lifts.includes(pit)) {
      this.#steps = this.#steps.filter((step) => step.lift !== pit);
      return null;
    }
    if (this.#state.pits[pit].owner !== this.#state.player || this.#state.pits[pit].seeds === 0) {
      return this.#scratchWhy(`+${this.#name(pit)}`);
    }
    this.#steps.push({ lift: pit });
    return this.lifting ? null : this.#undoWhere(this.#whyNotSoFar());
  }

  /** Ends lifting. */
  stop() {
    this.#ended = true;
  }

  /** Takes the last step back. */
  undo() {
    if (this.#ended && this.#places.length === 0) this.#ended = false;
    else this.#steps.pop();
  }

  /** Takes all steps back. */
  reset() {
    this.#steps = [];
    this.#ended = false;
  }

  #scratchWhy(text) {
    return this.#scratch((game) => game.whyNot(text));
  }

  /** Why what was chosen so far cannot be played, null when it can. */
  #whyNotSoFar() {
    return this.#scratch((game) => {
      const steps = [
        ...this.#inOrder(this.#lifts).map((pit) => `+${this.#name(pit)}`),
        ...(this.#ended ? ["="] : []),
        ...this.#inOrder(this.#places.flatMap(({ place, seeds }) => Array(seeds).fill(place))).map((pit) => `>${this.#name(pit)}`),
      ];
      for (const step of steps) {
        const why = game.whyNot(step);
        if (why) return why;
        game.play(step);
      }
      return null;
    });
  }

  #undoWhere(why) {
    if (why) this.#steps.pop();
    return why;
  }
}
