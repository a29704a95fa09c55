// Shows what a move does, event by event.

/** How long an event is looked at, in the time of one seed. */
const BEATS = { lift: 2, drop: 1, win: 4, mark: 0 };

/** Plays events on a board. */
export class Sowing {
  #run = 0; // the number of what is shown: what belongs to an older one ends
  #wake = () => {};

  /** Ends the showing at once: what is left of it is not shown. */
  skip() {
    this.#run++;
    this.#wake();
  }

  /**
   * Shows events, one after the other, beginning with the pits and stores as they lay before. show(view) draws pits, stores,
   * hand, at and lap; pace() says how many milliseconds a seed takes.
   */
  async run({ events, pits, stores, show, pace }) {
    const run = ++this.#run;
    pits = pits.map((pit) => ({ ...pit, legal: false, lifted: false, last: false }));
    stores = [...stores];
    let hand = 0;
    for (const { kind, pit: at, seeds, to, unmark, lap } of events) {
      if (run !== this.#run) return;
      const pit = pits[at];
      switch (kind) {
        case "lift":
          pit.seeds -= seeds;
          hand += seeds;
          if (unmark) pit.marked = false;
          break;
        case "drop":
          pit.seeds += seeds;
          hand -= seeds;
          break;
        case "win":
          pit.seeds -= seeds;
          stores[to] += seeds;
          break;
        case "mark":
          pit.marked = true;
          break;
      }
      if (BEATS[kind] === 0) continue;
      show({ pits: pits.map((p, i) => (i === at ? { ...p, active: true } : p)), stores, hand, at, lap, kind });
      await this.wait(BEATS[kind] * pace());
    }
  }

  /** Waits, until it is told to skip. */
  wait(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
