// The curves of a run: which charts there are, and how the lines of metrics.jsonl become their series.

import { Chart } from './chart.js';

const digits = (n) => (value) => value.toFixed(n);
const percent = (value) => `${(100 * value).toFixed(1)} %`;
const percents = (low, high) => `${Math.round(100 * low)} to ${Math.round(100 * high)} %`;
const percentTick = (value) => `${Math.round(100 * value)} %`;
const perSecond = (value) => Math.round(value).toLocaleString('en');

// Of a chart with fields, each is a field of an iteration's line and the name of its series. Where needs is 0, an earlier process
// did that part of the iteration, and the fields were not measured. A field of absentAsZero that is 0 throughout is about something
// that the game does not have.
const charts = [
  { title: 'Losses (nats)', format: digits(3), needs: 'steps', fields: { policy_loss: 'policy', value_loss: 'value' } },
  { title: 'Score against opponents', format: percent, interval: percents, tick: percentTick, from: 0, to: 1, even: 0.5, evaluations: true },
  {
    title: 'Entropy (nats)', format: digits(3), absentAsZero: ['opening_entropy'],
    fields: { opening_entropy: 'search, opening', sowing_entropy: 'search, sowing', network_policy_entropy: 'network, policy', network_value_entropy: 'network, value' },
  },
  { title: 'Turns a game', format: digits(1), fields: { turns_per_game: 'mean' } },
  { title: 'Share of the games', format: percent, tick: (v) => `${+(100 * v).toFixed(1)} %`, from: 0, fields: { draws: 'draws', exhausted: 'ended by the clock' } },
  { title: 'Positions played a second', format: perSecond, from: 0, needs: 'positions_per_second', fields: { positions_per_second: 'self-play' } },
];

// fieldSeries returns a series for each field of a chart.
function fieldSeries({ fields, needs, absentAsZero = [] }, iterations) {
  const measured = needs ? iterations.filter((line) => line[needs] > 0) : iterations;
  const present = Object.entries(fields).filter(([field]) => !absentAsZero.includes(field) || measured.some((line) => line[field] !== 0));
  return present.map(([field, name]) => ({
    name,
    points: measured.filter((line) => Number.isFinite(line[field])).map((line) => ({ x: line.iteration, y: line[field] })),
  }));
}

// evaluationSeries returns a series for each opponent. Where a match was played again, the later one counts.
function evaluationSeries(evaluations) {
  const opponents = new Map();
  for (const { iteration, evaluation } of evaluations) {
    const [, opponent] = evaluation.agents;
    if (!opponents.has(opponent)) opponents.set(opponent, new Map());
    opponents.get(opponent).set(iteration, { x: iteration, y: evaluation.score, low: evaluation.low, high: evaluation.high });
  }
  return [...opponents].map(([name, points]) => ({ name, points: [...points.values()].sort((a, b) => a.x - b.x) }));
}

export class Curves {
  constructor(container) {
    this.charts = charts.map((spec) => [spec, new Chart(container, spec)]);
  }

  // show draws the lines of a run.
  show(lines) {
    const iterations = lines.filter((line) => !line.evaluation);
    const evaluations = lines.filter((line) => line.evaluation);
    for (const [spec, chart] of this.charts) {
      chart.show(spec.evaluations ? evaluationSeries(evaluations) : fieldSeries(spec, iterations));
    }
  }
}
