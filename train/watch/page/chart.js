// A chart of lines. What it shows is a list of series: { name, points: [{ x, y, low?, high? }] }, x being iterations.

import { element } from './svg.js';

const height = 190;
const margin = { left: 46, right: 14, top: 8, bottom: 24 };
const dotsUpTo = 40; // points of a series that are drawn as dots as well

// ticks returns round numbers that divide a range into about so many parts, and their step.
function ticks(low, high, about) {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) list.push(i * step);
  return { list, step };
}

// plain writes a number at a tick.
function plain(value, step) {
  if (Math.abs(value) >= 10000) return `${+(value / 1000).toFixed(step < 1000 ? 1 : 0)}k`;
  return value.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

export class Chart {
  // spec: title, format(value) for what is read, tick(value, step) for the axis, and optionally from and to, the ends of the axis,
  // and even, a value with a line of its own; interval(low, high) writes the interval of points that have one.
  constructor(container, spec) {
    this.spec = spec;
    this.series = [];
    this.at = null; // the x whose values are read
    this.legend = document.createElement('ul');
    this.svg = element('svg', { class: 'plot', height, tabindex: 0, role: 'img' });
    this.reading = document.createElement('div');
    this.reading.className = 'reading';
    this.reading.setAttribute('role', 'status');
    this.reading.hidden = true;
    const title = document.createElement('h3');
    title.textContent = spec.title;
    const caption = document.createElement('figcaption');
    caption.append(title, this.legend);
    this.figure = document.createElement('figure');
    this.figure.className = 'chart';
    this.figure.append(caption, this.svg, this.reading);
    container.append(this.figure);
    this.svg.addEventListener('pointermove', (event) => this.point(event));
    this.svg.addEventListener('pointerdown', (event) => this.point(event));
    this.svg.addEventListener('pointerleave', () => this.read(null));
    this.svg.addEventListener('blur', () => this.read(null));
    this.svg.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  // show takes other series.
  show(series) {
    this.series = series.filter((s) => s.points.length > 0);
    this.figure.hidden = this.series.length === 0;
    if (!this.figure.hidden) this.draw();
  }

  // positions returns all x that have a value, in order.
  positions() {
    return [...new Set(this.series.flatMap((s) => s.points.map((p) => p.x)))].sort((a, b) => a - b);
  }

  draw() {
    const width = this.svg.clientWidth;
    if (width === 0 || this.series.length === 0) return;
    this.setScales(width);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.replaceChildren(this.axes(width), ...this.series.map((s, i) => this.line(s, i)));
    this.cursor = element('g', { visibility: 'hidden' });
    this.svg.append(this.cursor);
    this.svg.setAttribute('aria-label', this.summary());
    this.drawLegend();
    if (this.at !== null) this.read(this.at);
  }

  setScales(width) {
    const points = this.series.flatMap((s) => s.points);
    const xs = points.map((p) => p.x);
    const ys = points.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]);
    let [left, right] = [Math.min(...xs), Math.max(...xs)];
    if (left === right) [left, right] = [left - 1, right + 1];
    let bottom = this.spec.from ?? Math.min(...ys);
    let top = this.spec.to ?? Math.max(...ys);
    const room = (top - bottom) * 0.06 || Math.abs(top) * 0.1 || 1;
    if (this.spec.from === undefined) bottom -= room;
    if (this.spec.to === undefined) top += room;
    this.ends = { left, right, bottom, top };
    this.x = (x) => margin.left + (x - left) / (right - left) * (width - margin.left - margin.right);
    this.y = (y) => height - margin.bottom - (y - bottom) / (top - bottom) * (height - margin.top - margin.bottom);
  }

  axes(width) {
    const { left, right, bottom, top } = this.ends;
    const group = element('g', { 'aria-hidden': 'true' });
    const up = ticks(bottom, top, 4);
    for (const value of up.list) {
      group.append(
        element('line', { class: 'grid', x1: margin.left, x2: width - margin.right, y1: this.y(value), y2: this.y(value) }),
        element('text', { x: margin.left - 6, y: this.y(value) + 4, 'text-anchor': 'end' }, (this.spec.tick ?? plain)(value, up.step)));
    }
    const along = ticks(left, right, Math.min(Math.max(2, Math.floor(width / 90)), right - left));
    for (const value of along.list.filter(Number.isInteger)) {
      group.append(element('text', { x: this.x(value), y: height - 7, 'text-anchor': 'middle' }, value));
    }
    if (this.spec.even !== undefined) {
      const y = this.y(this.spec.even);
      group.append(element('line', { class: 'even', x1: margin.left, x2: width - margin.right, y1: y, y2: y }));
    }
    return group;
  }

  // line draws a series.
  line(series, i) {
    const group = element('g', { class: `series series-${i % 4}` });
    const at = (p) => `${this.x(p.x).toFixed(1)} ${this.y(p.y).toFixed(1)}`;
    for (const p of series.points.filter((q) => q.low !== undefined)) {
      const x = this.x(p.x) + 3 * (i - (this.series.length - 1) / 2);
      group.append(element('path', { class: 'interval', d: `M${x - 3} ${this.y(p.low)}h6m-3 0V${this.y(p.high)}m-3 0h6` }));
    }
    group.append(element('path', { d: `M${series.points.map(at).join('L')}` }));
    if (series.points.length <= dotsUpTo) {
      group.append(...series.points.map((p) => element('circle', { class: 'point', cx: this.x(p.x), cy: this.y(p.y), r: 2.5 })));
    }
    return group;
  }

  drawLegend() {
    this.legend.replaceChildren(...this.series.map((s, i) => {
      const item = document.createElement('li');
      const sample = element('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true' }, element('path', { class: `series series-${i % 4}`, d: 'M1 5h24' }));
      item.append(sample, `${s.name} ${this.value(s.points.at(-1))}`);
      return item;
    }));
  }

  // value writes a point's value, with its interval.
  value(p) {
    const { format, interval } = this.spec;
    return p.low === undefined ? format(p.y) : `${format(p.y)} (${interval(p.low, p.high)})`;
  }

  summary() {
    const { left, right } = this.ends;
    const series = this.series.map((s) => `${s.name}: ${this.value(s.points[0])} at first, ${this.value(s.points.at(-1))} at last`);
    return `${this.spec.title}, iterations ${Math.max(0, Math.ceil(left))} to ${Math.floor(right)}. ${series.join('; ')}. Arrow keys read the values.`;
  }

  // point reads the values that are nearest to the pointer.
  point(event) {
    if (!this.x) return;
    const x = event.clientX - this.svg.getBoundingClientRect().left;
    const nearest = this.positions().reduce((a, b) => (Math.abs(this.x(b) - x) < Math.abs(this.x(a) - x) ? b : a));
    this.read(nearest);
  }

  key(event) {
    const all = this.positions();
    const now = all.indexOf(this.at);
    const next = {
      ArrowLeft: now < 0 ? all.length - 1 : Math.max(now - 1, 0),
      ArrowRight: now < 0 ? 0 : Math.min(now + 1, all.length - 1),
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === 'Escape') this.read(null);
    if (next === undefined) return;
    event.preventDefault();
    this.read(all[next]);
  }

  // read shows the values at an x, or none (null).
  read(x) {
    this.at = x;
    this.reading.hidden = x === null;
    if (!this.cursor) return;
    this.cursor.setAttribute('visibility', x === null ? 'hidden' : 'visible');
    if (x === null) return;
    const here = this.series.map((s, i) => [s, i, s.points.find((p) => p.x === x)]).filter(([, , p]) => p);
    this.cursor.replaceChildren(
      element('line', { class: 'cursor', x1: this.x(x), x2: this.x(x), y1: margin.top, y2: height - margin.bottom }),
      ...here.map(([, i, p]) => element('g', { class: `series-${i % 4}` }, element('circle', { class: 'point', cx: this.x(p.x), cy: this.y(p.y), r: 4.5 }))));
    this.reading.textContent = [`Iteration ${x}`, ...here.map(([s, , p]) => `${s.name}: ${this.value(p)}`)].join('\n');
    // Beside the cursor, on the side with more room, inside the chart.
    const [outer, inner] = [this.figure.getBoundingClientRect(), this.svg.getBoundingClientRect()];
    const middle = inner.left - outer.left + this.x(x);
    const right = this.x(x) < inner.width / 2;
    this.reading.style.top = `${inner.top - outer.top + margin.top}px`;
    this.reading.style.left = right ? `${middle + 12}px` : '';
    this.reading.style.right = right ? '' : `${outer.width - middle + 12}px`;
  }
}
