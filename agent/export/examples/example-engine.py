import json, pathlib, subprocess

folder = pathlib.Path(__file__).resolve().parent.parent
manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
command = ["kiothi", "engine", "--game", manifest["game"], "--rules", manifest["rules"], "--agent", f"zero:{folder},sims=200"]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
    moves = []
    while len(moves) < 4:
        print("position startpos moves", *moves, "\ngo", file=engine.stdin, flush=True)
        best = next(line for line in engine.stdout if line.startswith("bestmove"))
        moves.append(best.split()[1])
print(*moves)
