"""Looks at the page of runs in headless Chromium: a finished run of each game, one that is being trained, and a phone's screen.

Usage: browser.py KIOTHI CHROMIUM SCRATCH RUN...  The folder SCRATCH gets pictures of the page and a run of its own.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse

from playwright.sync_api import expect, sync_playwright

kiothi, chromium, scratch, *runs = sys.argv[1:]
scratch = pathlib.Path(scratch)
patience = 120_000  # milliseconds that the page has for anything, on a busy machine
expect.set_options(timeout=patience)


class Program:
    """The program, serving a page until it is left."""

    def __init__(self, *arguments, stream):
        self.process = subprocess.Popen(
            [kiothi, *arguments], text=True,
            stdout=subprocess.PIPE if stream == "stdout" else subprocess.DEVNULL,
            stderr=subprocess.PIPE if stream == "stderr" else subprocess.DEVNULL,
        )
        output = getattr(self.process, stream)
        for line in output:
            if " is at " in line:
                self.url = line.rsplit(" is at ", 1)[1].strip()
                self.rest = threading.Thread(target=output.read, daemon=True)  # so that it is never kept from speaking
                self.rest.start()
                return
        sys.exit(f"kiothi {' '.join(arguments)} does not say where its page is")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.wait()

    def wait(self):
        self.rest.join()
        self.process.wait()


class Visit:
    """A page in a browser of its own, which may ask nobody but its server, and must not complain."""

    def __init__(self, browser, url, **options):
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(patience)
        self.page = self.context.new_page()
        self.complaints = []
        host = urllib.parse.urlsplit(url).netloc
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("request", lambda r: None if urllib.parse.urlsplit(r.url).netloc == host else self.complaints.append(f"asks for {r.url}"))
        self.page.goto(url)

    def __enter__(self):
        return self.page

    def __exit__(self, kind, *_):
        if kind is not None:
            self.page.screenshot(path=scratch / "failed.png", full_page=True)
        self.context.close()
        if kind is None and self.complaints:
            sys.exit(f"the page complains: {self.complaints}")


def metrics(run):
    lines = [json.loads(line) for line in (pathlib.Path(run) / "metrics.jsonl").read_text().splitlines()]
    return [l for l in lines if "evaluation" not in l], [l for l in lines if "evaluation" in l]


def points(page, title):
    """Returns the number of points of each line of a chart."""
    chart = page.locator("figure.chart", has=page.get_by_role("heading", name=title))
    paths = chart.locator(".plot .series > path:not(.interval)")
    return [len(re.findall("[ML]", path.get_attribute("d"))) for path in paths.all()]


def board(page):
    """Returns the pits by letter and the stores that the page shows."""
    text = page.locator("#board svg").get_attribute("aria-label")
    pits = {letter: int(n) for letter, n in re.findall(r"\b([a-zA-Z]) (\d+)", text.replace("store ", "store"))}
    marks = "".join(re.findall(r"\b([a-zA-Z]) \d+ protected", text))
    return pits, marks, [int(n) for n in re.findall(r"store (\d+)", text)]


def ask(*arguments):
    """Returns the lines of JSON that the program prints."""
    done = subprocess.run([kiothi, *arguments], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def last_game(run):
    """Returns the steps of the trace of the newest game: the start, and the end of each turn."""
    game = ask("games", run)[-1]
    steps = ask("trace", "--game", game["game"], "--rules", game["rules"], "--actions", ",".join(map(str, game["actions"])))
    boards = [steps[0]]
    for before, after in zip(steps, steps[1:]):
        if after["player"] != before["player"] or after["over"]:
            boards.append(after)
    return boards


def position(step):
    """Returns the pits by letter, the marks and the stores of a step of a trace."""
    pits, marks, stores, *_ = step["position"].split(" ")
    south, north = pits.split("/")
    named = {}
    for first, row in (("a", south), ("A", north)):
        named |= {chr(ord(first) + i): int(n) for i, n in enumerate(row.split(",")) if n != "x"}
    return named, marks.replace("-", ""), [int(n) for n in stores.split("-")]


def finished(browser, run):
    iterations, evaluations = metrics(run)
    with Program("watch", run, "--listen", "localhost:0", stream="stdout") as program, \
            Visit(browser, program.url, color_scheme="light", viewport={"width": 1280, "height": 900}) as page:
        expect(page.locator("#status")).to_have_text("finished")
        expect(page.locator("#name")).to_have_text(pathlib.Path(run).name)
        expect(page.locator(".plot .series")).not_to_have_count(0)
        if points(page, "Losses") != [len(iterations)] * 2:
            sys.exit(f"the losses have {points(page, 'Losses')} points, expected {len(iterations)} each")
        opponents = {l["evaluation"]["agents"][1] for l in evaluations}
        if len(points(page, "Score against")) != len(opponents):
            sys.exit(f"the scores have {points(page, 'Score against')} points, expected lines for {opponents}")
        last = evaluations[-1]["evaluation"]
        expect(page.locator("figure.chart", has_text="Score against")).to_contain_text(f"{last['agents'][1]} {100 * last['score']:.1f} %")

        # A chart is read with the pointer and with the keyboard.
        chart = page.locator(".plot").first
        chart.hover(position={"x": 60, "y": 60})
        expect(page.locator(".reading:visible")).to_contain_text("Iteration 1\n")
        page.mouse.move(0, 0)
        expect(page.locator(".reading:visible")).to_have_count(0)
        chart.focus()
        page.keyboard.press("End")
        value = iterations[-1]["policy_loss"]
        expect(page.locator(".reading:visible")).to_contain_text(f"Iteration {iterations[-1]['iteration']}\npolicy: {value:.3f}")
        page.keyboard.press("Escape")
        expect(page.locator(".reading:visible")).to_have_count(0)

        # The game begins by itself. Paused, it goes turn by turn through the boards of the engine.
        expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
        page.click("#play")
        page.click("#turns button >> nth=1")
        page.keyboard.press("Home")
        boards = last_game(run)
        for i, step in enumerate(boards):
            if board(page) != position(step):
                sys.exit(f"after {i} turns the page shows {board(page)}, the engine has {position(step)}")
            if i < len(boards) - 1:
                page.keyboard.press("ArrowRight")
        stores = boards[-1]["stores"]
        expect(page.locator("#doing")).to_contain_text(f"{max(stores)} to {min(stores)}")
        expect(page.locator("#turn-on")).to_be_disabled()

        # Seed by seed backwards and forwards nothing is lost: what is not in pits and stores is in the hand.
        seeds = sum(position(boards[0])[0].values())
        page.locator("#turns button").last.click()  # which has the focus now, so that the keys are for the game
        for key in [","] * 15 + ["."] * 10:
            page.keyboard.press(key)
            pits, _, won = board(page)
            hand = re.search(r"(\d+) in hand", page.locator("#doing").inner_text())
            if sum(pits.values()) + sum(won) + int(hand[1] if hand else 0) != seeds:
                sys.exit(f"of {seeds} seeds the page shows {pits}, {won} and {hand}")

        # Played at full speed it comes to its end, which may be too soon to be seen under way.
        page.evaluate("speed.value = speed.max")
        page.locator("#turns button").nth(max(len(boards) - 4, 0)).click()
        page.locator("#turns").focus()
        page.keyboard.press(" ")
        expect(page.locator("#doing")).to_contain_text(f"{max(stores)} to {min(stores)}")
        expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
        if board(page) != position(boards[-1]):
            sys.exit(f"played out, the page shows {board(page)}, the engine has {position(boards[-1])}")

        # Another game of the same iteration.
        which = page.locator("#which")
        count = int(re.fullmatch(rf"iteration {iterations[-1]['iteration']}, game (\d+) of \1", which.inner_text())[1])
        page.click("#game-before")
        expect(which).to_have_text(f"iteration {iterations[-1]['iteration']}, game {count - 1} of {count}")
        page.click("#turn-on")
        page.click("#seed-on")
        page.screenshot(path=scratch / f"{pathlib.Path(run).name}-light.png", full_page=True)
        light = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.emulate_media(color_scheme="dark")
        if page.evaluate("getComputedStyle(document.body).backgroundColor") == light:
            sys.exit("dark is as light as light")
        page.screenshot(path=scratch / f"{pathlib.Path(run).name}-dark.png", full_page=True)

        with Visit(browser, program.url, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, device_scale_factor=2,
                   reduced_motion="reduce") as phone:
            expect(phone.locator("#board svg")).to_be_visible()
            expect(phone.locator(".plot .series").first).to_be_attached()
            if phone.evaluate("document.documentElement.scrollWidth") > 360:
                sys.exit("a phone's screen has to be scrolled sideways")
            expect(phone.locator("#play")).to_have_attribute("aria-label", "Play")  # nothing moves by itself
            phone.tap("#turn-on")
            if board(phone) != position(boards[1]):
                sys.exit(f"a phone shows {board(phone)} after the first turn, the engine has {position(boards[1])}")
            phone.screenshot(path=scratch / f"{pathlib.Path(run).name}-phone.png", full_page=True)
    print(f"{pathlib.Path(run).name}: {len(iterations)} iterations, and a game of {len(boards) - 1} turns as by the engine")


def live(browser):
    """Looks on while a run is trained, and while it is stopped."""
    run = scratch / "live é"
    few = ["network.width=16", "selfplay.games=32", "training.steps=5", "run.iterations=100000"]
    arguments = [word for setting in few for word in ("--set", setting)]
    with Program("train", "--dir", str(run), "--game", "rio-kadalis", "--listen", "localhost:0", *arguments, stream="stderr") as program, \
            Visit(browser, program.url, viewport={"width": 1280, "height": 900}) as page:
        expect(page.locator("#status")).to_have_text("training")
        expect(page.locator(".plot .series")).not_to_have_count(0)
        seen = points(page, "Losses")[0]
        expect(page.locator("#board svg")).to_be_visible()
        expect(page.locator("#newer")).to_be_visible()  # while a game is played, others follow it
        deadline = time.monotonic() + 300
        while points(page, "Losses")[0] < seen + 3:
            if time.monotonic() > deadline:
                sys.exit(f"the losses have {points(page, 'Losses')[0]} points after five minutes, and had {seen} at first")
            page.wait_for_timeout(100)
        page.click("#newer")
        expect(page.locator("#which")).not_to_contain_text("iteration 1,")
        page.screenshot(path=scratch / "live.png", full_page=True)
        program.process.send_signal(signal.SIGINT)
        expect(page.locator("#status")).to_have_text("stopped")
        expect(page.locator("#notice")).to_contain_text("Training has stopped before its end. The program that served this page has ended")
        expect(page.locator("#turn-on")).to_be_enabled()  # the game on the board can be played on
        page.click("#turn-on")
        shown = points(page, "Losses")[0]
        program.wait()  # it may still be about to end
    if program.process.returncode != 1 or shown != len(metrics(run)[0]):
        sys.exit(f"the training ended with status {program.process.returncode}, the page with {shown} of {len(metrics(run)[0])} iterations")
    print(f"live: {seen} iterations when the page was opened, {shown} when training was stopped")


with sync_playwright() as playwright:
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with playwright.chromium.launch(executable_path=chromium, args=flags) as chromium_running:
        print(f"Chromium {chromium_running.version}")
        for folder in runs:
            finished(chromium_running, folder)
        live(chromium_running)
