// The player of games: it plays a game out on the board, seed by seed, and takes the keys and buttons of that.

import { BoardView } from './board.js';
import { Game, players } from './game.js';

const narrowWidth = 560; // of the board in pixels: below, it is drawn for small screens

const get = (id) => document.getElementById(id);

// signed writes a value from -1, a loss, to 1, a win.
function signed(value) {
  const digits = Math.abs(value).toFixed(2);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '−' : '+'}${digits}`;
}

export class Player {
  constructor() {
    this.game = null;
    this.turn = 0; // of the game's turns; their number at the end
    this.events = 0; // of the turn, that have happened
    this.timer = null;
    this.atEnd = () => {}; // called when a game was played to its end
    const actions = {
      first: () => this.go(0, 0),
      'turn-back': () => this.turnBack(),
      'seed-back': () => this.seedBack(),
      play: () => this.toggle(),
      'seed-on': () => this.seedOn(),
      'turn-on': () => this.go(this.turn + 1, 0),
      last: () => this.go(this.game.turns.length, 0),
    };
    for (const [id, act] of Object.entries(actions)) {
      get(id).addEventListener('click', () => {
        if (id !== 'play') this.pause();
        act();
        if (id !== 'play') this.speak();
      });
    }
    get('turn').addEventListener('input', () => {
      this.pause();
      this.go(Number(get('turn').value), 0);
    });
    get('turns').addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      this.pause();
      this.go(Number(button.dataset.turn), 0);
    });
    get('game').addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.fit()).observe(get('board'));
  }

  // key carries out a key, unless the element that has the focus needs it itself.
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const onButton = event.target.closest('button') !== null;
    const onRange = event.target.matches('input');
    const id = {
      ' ': onButton ? null : 'play',
      ArrowLeft: onRange ? null : 'turn-back',
      ArrowRight: onRange ? null : 'turn-on',
      ',': 'seed-back',
      '.': 'seed-on',
      Home: onRange ? null : 'first',
      End: onRange ? null : 'last',
    }[event.key];
    if (!id) return;
    event.preventDefault();
    get(id).click();
  }

  // load takes a game and shows its start.
  load(told) {
    this.pause();
    this.game = new Game(told);
    [this.turn, this.events, this.view] = [0, 0, null];
    get('turn').max = this.game.turns.length;
    get('result').textContent = `${this.game.result()}.`;
    get('turns').replaceChildren(...this.game.turns.map((turn, i) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.turn = i;
      for (const text of [`${i + 1}.`, players[turn.player], turn.text]) {
        const span = document.createElement('span');
        span.textContent = text;
        button.append(span);
      }
      item.append(button);
      return item;
    }));
    this.fit();
  }

  // fit draws the board anew where it is not made for this game or for the width that there is.
  fit() {
    if (!this.game) return;
    const narrow = get('board').clientWidth < narrowWidth;
    if (this.view && this.view.narrow === narrow) return;
    this.view = new BoardView(get('board'), this.game.width, narrow);
    this.show();
  }

  // go goes to a moment. A turn that is over is the next one's start.
  go(turn, events) {
    const { turns } = this.game;
    if (turn < turns.length && events > 0 && events >= turns[turn].events.length) [turn, events] = [turn + 1, 0];
    this.turn = Math.max(0, Math.min(turn, turns.length));
    this.events = this.turn === turns.length ? 0 : events;
    this.show();
  }

  get over() {
    return this.turn === this.game.turns.length;
  }

  seedOn() {
    if (!this.over) this.go(this.turn, this.events + 1);
  }

  seedBack() {
    if (this.events > 0) this.go(this.turn, this.events - 1);
    else if (this.turn > 0) this.go(this.turn - 1, Math.max(this.game.turns[this.turn - 1].events.length - 1, 0));
  }

  turnBack() {
    this.go(this.events > 0 ? this.turn : this.turn - 1, 0);
  }

  toggle() {
    if (this.timer !== null) this.pause();
    else this.play();
  }

  get playing() {
    return this.timer !== null;
  }

  // play plays on, from the start if the game is over.
  play() {
    if (!this.game || this.playing) return;
    if (this.over) this.go(0, 0);
    get('play').classList.add('playing');
    get('play').setAttribute('aria-label', 'Pause');
    this.wait();
  }

  // wait waits for the next seed. Between turns the board rests a little longer.
  wait() {
    const seeds = Number(get('speed').value);
    const rest = this.events === 0 && this.turn > 0 ? 3 : 1;
    this.timer = setTimeout(() => {
      this.seedOn();
      if (!this.over) {
        this.wait();
        return;
      }
      this.pause();
      this.atEnd();
    }, rest * 1000 / seeds);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    get('play').classList.remove('playing');
    get('play').setAttribute('aria-label', 'Play');
  }

  // show draws the moment.
  show() {
    const { game, turn, events } = this;
    const board = game.board(turn, events);
    const current = game.turns[turn];
    const event = events > 0 ? current.events[events - 1] : null;
    this.view.show(board, {
      player: current ? current.player : null,
      pit: event ? event.pit : null,
      text: this.describe(board),
      letter: (pit) => game.letter(pit),
    });
    get('doing').textContent = this.doing(board, event);
    get('turn').value = turn;
    get('turn').setAttribute('aria-valuetext', current ? `turn ${turn + 1} of ${game.turns.length}` : 'the end');
    for (const id of ['first', 'turn-back', 'seed-back']) get(id).disabled = turn === 0 && events === 0;
    for (const id of ['seed-on', 'turn-on', 'last']) get(id).disabled = this.over;
    this.markTurn();
  }

  // markTurn shows in the list which turn is played.
  markTurn() {
    const list = get('turns');
    const marked = list.querySelector('[aria-current]');
    const now = list.children[Math.min(this.turn, this.game.turns.length - 1)]?.firstElementChild;
    if (marked === now) return;
    marked?.removeAttribute('aria-current');
    if (!now) return;
    now.setAttribute('aria-current', 'step');
    // Only the list is scrolled, never the page.
    const top = now.parentElement.offsetTop;
    if (top < list.scrollTop || top + now.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  // doing says what happens at the moment.
  doing(board, event) {
    const { game, turn } = this;
    if (this.over) return `${game.result()}.`;
    const t = game.turns[turn];
    const who = players[t.player];
    const what = t.phase === 'lift' ? 'rearranges' : 'plays';
    const parts = [`Turn ${turn + 1}: ${who} ${what} ${t.text}`];
    if (!event) {
      if (t.random) parts.push('drawn at random');
      else if (t.value !== null) parts.push(`expects ${signed(t.value)}`);
    } else {
      if (event.kind === 'win') parts.push(`${players[event.to]} wins ${event.seeds} of ${game.letter(event.pit)}`);
      else if (event.lap > 1) parts.push(`lap ${event.lap}`);
      if (board.hand > 0) parts.push(`${board.hand} in hand`);
      if (t.left && this.events === t.events.length - 1) parts.push('the rest of this long relay is not shown');
    }
    return parts.join(' · ');
  }

  // describe says in words what lies on the board.
  describe(board) {
    const { game } = this;
    const row = (player) => Array.from({ length: game.width }, (_, i) => {
      const pit = player * game.width + i;
      const bit = 1 << pit;
      if (board.closed & bit) return `${game.letter(pit)} closed`;
      return `${game.letter(pit)} ${board.pits[pit]}${board.marks & bit ? ' protected' : ''}`;
    }).join(', ');
    return `Board. ${players.map((name, p) => `${name}: ${row(p)}; store ${board.stores[p]}`).join('. ')}.`;
  }

  // speak tells a screen reader where the game is, after a step that was asked for.
  speak() {
    get('spoken').textContent = get('doing').textContent;
  }
}
