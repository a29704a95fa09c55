// Two agents play a game of Kiothi, and the board is drawn after every turn: node example/node.mjs

import { load } from "kiothi";

const kiothi = await load();
const game = kiothi.newGame({ game: "kiothi" });
const players = ["alphabeta:depth=3", "greedy"]; // South, who moves first, and North

for (let turn = 1; !game.state().over; turn++) {
  const { player } = game.state();
  const { text, margin } = game.think(players[player], { seed: turn });
  game.play(text);
  const hope = margin === null ? "" : `, and expects to end ${margin >= 0 ? "ahead" : "behind"} by ${Math.abs(margin).toFixed(1)}`;
  console.log(`${["South", "North"][player]} plays ${text}${hope}`);
  console.log(game.board());
}

const { winner, stores } = game.state().result;
console.log(`${winner === null ? "A draw" : `${players[winner]} wins`}, ${stores[0]} to ${stores[1]}.`);
