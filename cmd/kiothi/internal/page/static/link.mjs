// A game in the fragment of the page's address, so that a link restores it.

/** What a game is made of: { game, rules, rounds, position, moves, south, north }; what is a default is left out. */
export function toFragment({ game, rules, rounds, position, moves, south, north }) {
  const fields = new URLSearchParams({ game, rules });
  if (rounds) fields.set("rounds", rounds);
  if (position) fields.set("position", position);
  fields.set("south", south);
  fields.set("north", north);
  if (moves.length > 0) fields.set("moves", moves.map((move) => move.replaceAll(" ", ".")).join("_"));
  return `#${fields}`;
}

/** A number of a fragment. What is no number stays as it is, for the rules to refuse. */
function number(text) {
  const n = Number(text);
  return Number.isFinite(n) ? n : text;
}

/** The game of a fragment, null when there is none in it. */
export function fromFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!fields.has("game")) return null;
  const moves = fields.get("moves");
  return {
    game: fields.get("game"),
    rules: fields.get("rules") ?? undefined,
    rounds: fields.has("rounds") ? number(fields.get("rounds")) : undefined,
    position: fields.get("position") ?? undefined,
    south: fields.get("south") ?? "human",
    north: fields.get("north") ?? "human",
    moves: moves ? moves.split("_").map((move) => move.replaceAll(".", " ")) : [],
  };
}
