// A game as it was told by the server (type Game in game.go), and the boards on its way.

// apply makes an event happen to a board.
function apply(board, event) {
  switch (event.kind) {
    case 'lift':
      board.pits[event.pit] -= event.seeds;
      board.hand += event.seeds;
      if (event.unmark) board.marks &= ~(1 << event.pit);
      break;
    case 'drop':
      board.pits[event.pit] += event.seeds;
      board.hand -= event.seeds;
      break;
    case 'win':
      board.pits[event.pit] -= event.seeds;
      board.stores[event.to] += event.seeds;
      break;
    case 'mark':
      board.marks |= 1 << event.pit;
      break;
  }
}

// Game is a game with the boards on its way. A moment of it is a turn and how many of its events have happened. The start is turn 0
// with none; a turn that is over, with all its events, is the same board as the next one with none.
export class Game {
  constructor(told) {
    Object.assign(this, told);
  }

  // before returns the board before a turn.
  before(turn) {
    return turn === 0 ? this.start : this.turns[turn - 1].after;
  }

  // board returns the board when so many events of a turn have happened.
  board(turn, events) {
    const t = this.turns[turn];
    if (t && events >= t.events.length) return t.after;
    const from = this.before(turn);
    const board = { ...from, pits: [...from.pits], stores: [...from.stores] };
    for (let i = 0; i < events; i++) apply(board, t.events[i]);
    return board;
  }

  // letter returns the name of a pit: South's in lower case, North's in upper case.
  letter(pit) {
    return pit < this.width ? String.fromCharCode(97 + pit) : String.fromCharCode(65 + pit - this.width);
  }

  // result says how the game ended.
  result() {
    const [south, north] = this.final;
    const why = { stuck: 'no move was left', exhausted: 'there was no capture for too long' }[this.reason] ?? this.reason;
    if (south === north) return `A draw, ${south} to ${north}: ${why}`;
    return `${south > north ? 'South' : 'North'} wins ${Math.max(south, north)} to ${Math.min(south, north)}: ${why}`;
  }
}

export const players = ['South', 'North'];
