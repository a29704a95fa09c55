"""Reads the event files of a run with TensorBoard itself, and compares them with the run's metrics.jsonl.

Usage: read_events.py RUN. By both of TensorBoard's readers: the one in Python, and the server in Rust behind its page.
"""

import json
import pathlib
import re
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

import numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

SCALARS = {  # the tags that stand for a field of a line
    "loss/policy": "policy_loss",
    "loss/value": "value_loss",
    "entropy/search_sowing": "sowing_entropy",
    "games/turns": "turns_per_game",
    "training/learning_rate": "learning_rate",
}
HISTOGRAMS = ["games/actions", "games/margin_of_south", "games/policy_entropy", "weights/input.weight"]


def expected(run):
    """Returns the points of each tag: a list of steps and values."""
    points = {tag: [] for tag in SCALARS}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        line = json.loads(line)
        if "evaluation" in line:
            result = line["evaluation"]
            for bound in ("low", "score", "high"):
                tag = f"evaluation/{result['agents'][1]}/{bound}"
                points.setdefault(tag, []).append((line["iteration"], result[bound]))
            continue
        for tag, field in SCALARS.items():
            points[tag].append((line["iteration"], line[field]))
    return points


def compare(reader, points, read):
    for tag, want in points.items():
        got = read(tag)
        if [step for step, _ in got] != [step for step, _ in want] or not numpy.allclose(
            [value for _, value in got], [value for _, value in want], rtol=1e-6, atol=0
        ):
            sys.exit(f"{reader}: {tag} has the points {got}, expected {want}")
    print(f"{reader}: {len(points)} scalars as in metrics.jsonl")


def by_python(run, points):
    accumulator = EventAccumulator(str(run), size_guidance={"tensors": 0, "scalars": 0, "histograms": 0})
    accumulator.Reload()
    compare("EventAccumulator", points, lambda tag: [(e.step, e.value) for e in accumulator.Scalars(tag)])
    steps = [step for step, _ in points["loss/policy"]]
    for tag in HISTOGRAMS:
        events = accumulator.Histograms(tag)
        if [e.step for e in events] != steps:
            sys.exit(f"{tag} has histograms at {[e.step for e in events]}, expected {steps}")
        for e in events:
            h = e.histogram_value
            if sum(h.bucket) != h.num or h.num == 0 or len(h.bucket) != len(h.bucket_limit) or h.bucket_limit[-1] < h.max:
                sys.exit(f"{tag} at step {e.step}: {h}")
    print(f"EventAccumulator: {len(HISTOGRAMS)} histograms at {len(steps)} steps")


def by_page(run, points):
    server = subprocess.Popen(
        [sys.executable, "-m", "tensorboard.main", "--logdir", str(run), "--port", "0", "--host", "localhost"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    said = []
    for line in server.stderr:
        said.append(line)
        if found := re.search(r" at (http://\S+)", line):  # it listens
            break
    else:
        sys.exit(f"tensorboard ended: {''.join(said)}")
    threading.Thread(target=server.stderr.read, daemon=True).start()  # so that it is never kept from speaking

    def ask(path, **query):
        url = f"{found[1].rstrip('/')}/data/plugin/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=120) as answer:
            return json.load(answer)

    try:
        deadline = time.monotonic() + 300
        while True:
            try:
                if ask("histograms/tags").get(".", {}).keys() >= set(HISTOGRAMS):
                    break
            except OSError:
                pass  # it has not read them yet
            if server.poll() is not None or time.monotonic() > deadline:
                sys.exit("tensorboard has ended, or shows no histograms of the run after five minutes")
            time.sleep(0.5)
        compare("TensorBoard's page", points, lambda tag: [
            (step, value) for _, step, value in ask("scalars/scalars", run=".", tag=tag)
        ])
        for tag in HISTOGRAMS:
            shown = ask("histograms/histograms", run=".", tag=tag)
            if [step for _, step, _ in shown] != [step for step, _ in points["loss/policy"]]:
                sys.exit(f"TensorBoard's page: {tag} has other steps: {shown}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]).resolve()
    by_python(folder, expected(folder))
    by_page(folder, expected(folder))
