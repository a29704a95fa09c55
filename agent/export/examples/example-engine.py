import json, pathlib, shutil, subprocess, sys

folder = pathlib.Path(__file__).resolve().parent.parent
manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
kiothi = shutil.which("kiothi") or sys.exit("found no kiothi on the PATH: install it, or add its folder to the PATH")
agent = f"zero:{str(folder).replace(',', ',,')},sims=200"  # a comma inside a path is written twice
command = [kiothi, "engine", "--game", manifest["game"], "--rules", manifest["rules"], "--agent", agent]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
    moves = []
    while len(moves) < 4:
        print("position startpos moves", *moves, "\ngo", file=engine.stdin, flush=True)
        best = next((line for line in engine.stdout if line.startswith("bestmove")), "") or sys.exit("the engine ended without a move")
        moves.append(best.split()[1])
print(*moves)
