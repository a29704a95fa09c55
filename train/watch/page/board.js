// The board: wood, two rows of pits, a store for each player. On a narrow screen the stores lie above and below, and a pit shows
// a large number instead of seeds.

import { element } from './svg.js';
import { players } from './game.js';

const pitch = 74; // from one pit's centre to the next
const radius = 31;
const countable = 12; // more seeds in a pit are quicker read as a number
const seedRadius = 5.2;
const storeWidth = 66;

const ink = '#fdf3df';
const mark = '#ffcf4a';
const active = '#8fe0ff';

// places returns where n seeds lie around a pit's centre.
function places(n) {
  const ring = (count, r) => Array.from({ length: count }, (_, i) => {
    const angle = -Math.PI / 2 + 2 * Math.PI * i / count;
    return [r * Math.cos(angle), r * Math.sin(angle)];
  });
  if (n === 1) return [[0, 0]];
  if (n <= 4) return ring(n, 11);
  if (n <= 8) return [[0, 0], ...ring(n - 1, 18)];
  return [...ring(3, 7.5), ...ring(n - 3, 21)];
}

export class BoardView {
  // container gets the drawing; width is the number of pits in a row.
  constructor(container, width, narrow) {
    this.width = width;
    this.narrow = narrow;
    this.pits = [];
    this.rows = [];
    this.stores = [];
    const side = narrow ? 14 : 20 + storeWidth + 12;
    this.size = [2 * side + width * pitch, narrow ? 356 : 288];
    this.left = side;
    this.rowY = narrow ? [214, 142] : [182, 106]; // South's, North's
    this.svg = element('svg', { viewBox: `0 0 ${this.size[0]} ${this.size[1]}`, role: 'img' });
    this.svg.append(this.gradients(), element('rect', {
      x: 2, y: 2, width: this.size[0] - 4, height: this.size[1] - 4, rx: 26, fill: 'url(#wood)', stroke: '#4f2d12', 'stroke-width': 2,
    }));
    for (const player of [0, 1]) this.drawRow(player);
    for (const player of [0, 1]) this.drawStore(player);
    container.replaceChildren(this.svg);
  }

  gradients() {
    const stop = (offset, color) => element('stop', { offset, 'stop-color': color });
    return element('defs', {},
      element('linearGradient', { id: 'wood', x1: 0, y1: 0, x2: 0, y2: 1 }, stop(0, '#a06c3c'), stop(1, '#754722')),
      element('radialGradient', { id: 'well', cx: 0.5, cy: 0.4, r: 0.62 }, stop(0, '#6d4220'), stop(1, '#3a200c')),
      element('radialGradient', { id: 'seed', cx: 0.36, cy: 0.32, r: 0.75 }, stop(0, '#fffdf4'), stop(1, '#b9b39f')));
  }

  // center returns the middle of a pit.
  center(pit) {
    const column = pit < this.width ? pit : 2 * this.width - 1 - pit;
    return [this.left + (column + 0.5) * pitch, this.rowY[pit < this.width ? 0 : 1]];
  }

  drawRow(player) {
    const outward = player === 0 ? 1 : -1;
    const y = this.rowY[player];
    const field = element('rect', {
      x: this.left, y: player === 0 ? y - radius - 5 : y - radius - 29, width: this.width * pitch, height: 2 * radius + 34,
      rx: 18, fill: '#ffe9bd', opacity: 0,
    });
    this.rows[player] = field;
    this.svg.append(field);
    for (let i = player * this.width; i < (player + 1) * this.width; i++) {
      const [x] = this.center(i);
      const pit = {
        halo: element('circle', { cx: x, cy: y, r: radius + 2.5, fill: 'none', stroke: active, 'stroke-width': 3.5, visibility: 'hidden' }),
        ring: element('circle', { cx: x, cy: y, r: radius - 1.5, fill: 'none', stroke: mark, 'stroke-width': 3.6, visibility: 'hidden' }),
        cross: element('path', { d: `M${x - 13} ${y - 13}l26 26m0-26-26 26`, stroke: '#b98a5a', 'stroke-width': 5, visibility: 'hidden' }),
        seeds: element('g', { fill: 'url(#seed)' }),
        count: element('text', { x, y: y + (this.narrow ? 11 : 9), fill: ink, 'font-size': this.narrow ? 32 : 26, 'font-weight': 'bold', 'text-anchor': 'middle' }),
        label: element('text', { x, y: y + outward * (radius + 14) + 6, fill: ink, 'font-size': this.narrow ? 22 : 15, 'text-anchor': 'middle' }),
      };
      this.pits[i] = pit;
      this.svg.append(
        element('circle', { cx: x, cy: y, r: radius, fill: 'url(#well)', stroke: '#2c1707' }),
        pit.ring, pit.halo, pit.cross, pit.seeds, pit.count, pit.label);
    }
  }

  drawStore(player) {
    const top = this.rowY[1] - radius;
    const bottom = this.rowY[0] + radius;
    const box = this.narrow
      ? { x: this.left + 4, y: player === 0 ? this.size[1] - 66 : 14, width: this.width * pitch - 8, height: 52 }
      : { x: player === 0 ? this.size[0] - 20 - storeWidth : 20, y: top, width: storeWidth, height: bottom - top };
    const middle = box.x + box.width / 2;
    const name = element('text', { fill: ink, 'font-size': this.narrow ? 24 : 15, 'text-anchor': 'middle' }, players[player]);
    const count = element('text', { fill: ink, 'font-size': this.narrow ? 32 : 30, 'font-weight': 'bold', 'text-anchor': 'middle' });
    const seeds = element('g', { fill: 'url(#seed)' });
    if (this.narrow) {
      name.setAttribute('x', box.x + 60);
      name.setAttribute('y', box.y + 35);
      count.setAttribute('x', box.x + box.width - 44);
      count.setAttribute('y', box.y + 37);
    } else {
      name.setAttribute('x', middle);
      name.setAttribute('y', player === 0 ? bottom + 24 : top - 12);
      count.setAttribute('x', middle);
      count.setAttribute('y', player === 0 ? bottom + 54 : top - 34);
    }
    this.stores[player] = { name, count, seeds, box };
    this.svg.append(element('rect', { ...box, rx: 24, fill: 'url(#well)', stroke: '#2c1707' }), seeds, name, count);
  }

  // show draws a board. player is to move, or nobody (null); pit is where something happens, or null; the board is described by
  // the text.
  show(board, { player, pit, text, letter }) {
    for (const p of [0, 1]) {
      this.rows[p].setAttribute('opacity', p === player ? 0.26 : 0);
      this.stores[p].name.setAttribute('font-weight', p === player ? 'bold' : 'normal');
      this.showStore(this.stores[p], board.stores[p]);
    }
    this.pits.forEach((drawn, i) => this.showPit(drawn, i, board, i === pit, letter(i)));
    this.svg.setAttribute('aria-label', text);
  }

  showPit(drawn, i, board, halo, letter) {
    const bit = 1 << i;
    const closed = (board.closed & bit) !== 0;
    const n = board.pits[i];
    drawn.halo.setAttribute('visibility', halo ? 'visible' : 'hidden');
    drawn.ring.setAttribute('visibility', board.marks & bit ? 'visible' : 'hidden');
    drawn.cross.setAttribute('visibility', closed ? 'visible' : 'hidden');
    drawn.label.textContent = this.narrow || closed ? letter : `${letter} ${n}`;
    const asNumber = !closed && (this.narrow ? n > 0 : n > countable);
    drawn.count.textContent = asNumber ? n : '';
    if (drawn.shown !== n) {
      drawn.shown = n;
      const [x, y] = this.center(i);
      const seeds = asNumber ? [] : places(n);
      drawn.seeds.replaceChildren(...(n > 0 ? seeds : []).map(([dx, dy]) => element('circle', { cx: x + dx, cy: y + dy, r: seedRadius })));
    }
  }

  showStore(store, n) {
    if (store.shown === n) return;
    store.shown = n;
    store.count.textContent = n;
    if (this.narrow) return;
    const { x, y, width, height } = store.box;
    store.seeds.replaceChildren(...Array.from({ length: n }, (_, i) => element('circle', {
      cx: x + width / 2 + 10 * (i % 4 - 1.5), cy: y + height - 10 - 8.4 * Math.floor(i / 4), r: 3.8,
    })));
  }
}
