// The page of a run: it takes the updates of the server, and shows the run's head, its curves, and its newest game.

import { Curves } from './curves.js';
import { Player } from './player.js';

const get = (id) => document.getElementById(id);

const notices = {
  waiting: 'There is no run in this folder yet. The page shows it as soon as training begins.',
  stopped: 'Training has stopped before its end. It goes on with kiothi train --resume, and so does this page.',
  failed: 'Training has ended with an error, which stands in its terminal.',
  gone: 'The run is no longer in its folder.',
};

const run = { lines: [], about: null, status: 'connecting', newest: 0, over: false };
const curves = new Curves(get('charts'));
const player = new Player();
const still = matchMedia('(prefers-reduced-motion: reduce)');

// showHead shows what the run is and how far it is.
function showHead() {
  const { about, lines, status } = run;
  const iterations = lines.filter((line) => !line.evaluation);
  const last = iterations.at(-1);
  get('status').textContent = { lost: 'connection lost' }[status] ?? status;
  get('status').dataset.status = status;
  get('name').textContent = about ? about.name : 'kiothi';
  document.title = about ? `${last ? `${last.iteration}/${about.iterations} ` : ''}${about.name}` : 'kiothi';
  get('about').textContent = about
    ? `${about.game}, ${about.rules}; network ${about.width} × ${about.blocks}; seed ${about.seed}` : '';
  get('progress').hidden = !about;
  if (about) {
    get('progress').max = about.iterations;
    get('progress').value = last ? last.iteration : 0;
  }
  const totals = about ? { iteration: `${last ? last.iteration : 0} of ${about.iterations}` } : {};
  if (last) {
    totals.trained = duration(lines.at(-1).seconds);
    totals.games = last.total_games.toLocaleString('en');
    totals.positions = last.total_positions.toLocaleString('en');
    totals.memory = `${Math.round(last.heap_bytes / 2 ** 20)} MB`;
  }
  get('totals').replaceChildren(...Object.entries(totals).map(([term, value]) => {
    const group = document.createElement('div');
    const dt = document.createElement('dt');
    const dd = document.createElement('dd');
    [dt.textContent, dd.textContent] = [term, value];
    group.append(dt, dd);
    return group;
  }));
  const notice = run.over ? ended(status) : notices[status];
  get('notice').hidden = !notice;
  get('notice').textContent = notice ?? '';
}

// ended says that the program that served the page has ended.
function ended(status) {
  const how = { finished: 'Training has finished.', stopped: 'Training has stopped before its end.', failed: notices.failed }[status];
  return `${how} The program that served this page has ended: kiothi watch shows the run again.`;
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${Math.round(seconds)} s`;
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// loadGame fetches a game of the newest iteration, the last one without a number.
async function loadGame(number) {
  const answer = await fetch(number ? `game?number=${number}` : 'game');
  if (!answer.ok) throw new Error(await answer.text());
  const game = await answer.json();
  get('game').hidden = false; // first, for the board is drawn for the width that it gets
  player.load(game);
  get('which').textContent = `iteration ${game.iteration}, game ${game.number} of ${game.games}`;
  get('which').title = `record ${game.id}`;
  showChoice();
}

// tryGame loads a game, and says why where that fails.
async function tryGame(number, play) {
  try {
    await loadGame(number);
    if (play && !still.matches) player.play();
  } catch (error) {
    get('which').textContent = `the game cannot be shown: ${error.message}`;
  }
}

// showChoice shows which other games there are.
function showChoice() {
  const { game } = player;
  const newer = run.newest !== game.iteration;
  // The server has the games of the newest iteration only.
  get('game-before').disabled = run.over || newer || game.number === 1;
  get('game-after').disabled = run.over || newer || game.number === game.games;
  get('newer').hidden = run.over || !newer;
  get('newer').textContent = `Show iteration ${run.newest}`;
}

// showNewest shows the newest game, unless one is on the board that somebody looks at.
function showNewest() {
  if (!run.newest) {
    get('game').hidden = true;
    player.pause();
    return;
  }
  if (!player.game || get('game').hidden) tryGame(0, true);
  else showChoice();
}

player.atEnd = () => {
  // A viewer who only looks on sees one newest game after the other.
  if (!run.over && run.newest !== player.game.iteration) tryGame(0, true);
};
get('game-before').addEventListener('click', () => tryGame(player.game.number - 1, player.playing));
get('game-after').addEventListener('click', () => tryGame(player.game.number + 1, player.playing));
get('newer').addEventListener('click', () => tryGame(0, true));

// take takes an update (type Update in watcher.go).
function take(update) {
  run.lines = update.reset ? update.lines : [...run.lines, ...update.lines];
  run.about = update.about;
  run.status = update.status;
  run.newest = update.newest;
  run.over = update.last;
  showHead();
  get('curves').hidden = run.lines.length === 0;
  curves.show(run.lines);
  showNewest();
}

// listen takes updates for as long as the server has any.
function listen() {
  const updates = new EventSource('updates');
  updates.onmessage = (event) => {
    take(JSON.parse(event.data));
    if (run.over) updates.close();
  };
  // A browser that loses the stream asks again by itself, and is told all; after a refusal it does not.
  updates.onerror = () => {
    run.status = 'lost';
    showHead();
    if (updates.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

listen();
