"""Compares the moves of exported players, played by the engine protocol, with those in their vectors.

Usage: engine_export.py KIOTHI FOLDER...
"""

import json
import pathlib
import subprocess
import sys

kiothi, *folders = sys.argv[1:]


def check(folder):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    # A turn of the opening takes several of the actions that the vectors hold one of.
    with (folder / "vectors.jsonl").open(encoding="utf-8") as lines:
        vectors = [vector for vector in map(json.loads, lines) if vector["kind"] not in ("lift", "place")]
    agent = manifest["vectors"]["search"]["agent"].replace("FOLDER", str(folder).replace(",", ",,"))
    with subprocess.Popen([kiothi, "engine", "--agent", agent, "--game", manifest["game"], "--rules", manifest["rules"]], text=True, encoding="utf-8",
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        for vector in vectors:
            engine.stdin.write(f"position pos {vector['position']}\ngo\n")
            engine.stdin.flush()
            for line in engine.stdout:
                word, *rest = line.split()
                if word == "bestmove":
                    break
                if line.startswith("info string error"):
                    sys.exit(line)
            else:
                sys.exit("the engine ends before its answer")
            if rest not in ([vector["text"]], [vector["text"].rstrip("0123456789")]):  # e, where e3 lifts the whole pit
                sys.exit(f"{vector['position']}: the engine plays {' '.join(rest)}, expected {vector['text']}")
        engine.stdin.write("quit\n")
    print(f"{len(vectors)} moves by the engine protocol are those of the vectors")


for folder in folders:
    check(pathlib.Path(folder))
