import { load } from "kiothi";
import { addBot } from "kiothi/bot.mjs";

const kiothi = await load();
const { game, rules } = await addBot(kiothi);
const match = kiothi.newGame({ game, rules });
while (!match.state().over && match.history().length < 4) {
  const { text, chances, line } = match.think("zero:bot,sims=64");
  match.play(text);
  console.log(`${text}: wins with ${(100 * chances.win).toFixed(0)} %, expects ${line.join(" ")}`);
}
console.log(match.board());
