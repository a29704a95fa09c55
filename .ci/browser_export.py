"""Opens examples/check.html of exported players in headless Chromium, and plays on their pages, from a web server over each folder.

Usage: browser_export.py CHROMIUM FOLDER...  In each folder `npm install onnxruntime-web` was run.
"""

import functools
import http.server
import json
import pathlib
import sys
import threading

from playwright.sync_api import sync_playwright

chromium, *folders = sys.argv[1:]


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without a word. Older Pythons don't know the types of these two endings."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


FIRST_TURN = {"kiothi": "eh:a3c2J5", "rio-kadalis": "c"}


def check_models(page, origin):
    """The models say in onnxruntime-web what the vectors say."""
    page.goto(origin + "examples/check.html")
    page.wait_for_function("document.title != 'checking'", timeout=300_000)
    print(page.locator("#found").inner_text())
    if page.title() != "passed":
        sys.exit(f"the page ends as {page.title()!r}")


PLAY = """async ([positions, agent]) => {
  const [{ startWorker }, { addBot }] = await Promise.all([import("/npm/kiothi.mjs"), import("/npm/bot.mjs")]);
  const kiothi = await startWorker();
  const { name, game, rules } = await addBot(kiothi);
  const actions = [];
  for (const position of positions) {
    const thought = await (await kiothi.newGame({ game, rules, position })).think(agent.replace("FOLDER", name));
    actions.push(thought.actions[0]);
  }
  kiothi.terminate();
  return actions;
}"""


def check_package(page, folder, manifest):
    """The npm package loads the bot into a Web Worker, where it plays the moves of some vectors."""
    with (folder / "vectors.jsonl").open(encoding="utf-8") as lines:
        vectors = [vector for vector in map(json.loads, lines) if vector["kind"] not in ("lift", "place")][::20]
    played = page.evaluate(PLAY, [[vector["position"] for vector in vectors], manifest["vectors"]["search"]["agent"]])
    if played != [vector["action"] for vector in vectors]:
        sys.exit(f"the npm package plays {played} where the vectors have other moves")
    print(f"{len(played)} moves of the npm package are those of the vectors")


def check_page(page, origin, folder, manifest):
    """The page begins with a game against the bot of the folder, which answers a turn."""
    fetched = []
    page.on("response", lambda response: fetched.append(response.url))
    page.goto(origin + "web/")
    page.wait_for_selector("#table:not([hidden])", timeout=300_000)
    begun = [page.input_value(f"#{field}") for field in ("game", "rules", "south", "north")]
    if begun != [manifest["game"], manifest["rules"], "human", "network"]:
        sys.exit(f"the page begins with {begun}")
    page.fill("#typed-move", FIRST_TURN[manifest["game"]])
    page.press("#typed-move", "Enter")
    page.locator("#moves li").nth(1).wait_for(timeout=300_000)
    weights = [url.removeprefix(origin) for url in fetched if url.endswith(".safetensors")]
    if len(weights) != 1 or (folder / weights[0]).read_bytes() != (folder / "model.safetensors").read_bytes():
        sys.exit(f"the page plays with {weights}, which are not the bot's weights")
    print("the page:", ", ".join(" ".join(line.split()) for line in page.locator("#moves li").all_inner_texts()))


def check(browser, folder):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_port}/"
        page = browser.new_page(reduced_motion="reduce")
        page.set_default_timeout(300_000)
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith((origin, "blob:" + origin)) else complaints.append(f"asks for {request.url}"))
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        check_models(page, origin)
        check_package(page, folder, manifest)
        check_page(page, origin, folder, manifest)
        if complaints:
            sys.exit(f"{folder}: {complaints}")
        page.close()
        server.shutdown()


with sync_playwright() as playwright:
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    browser = playwright.chromium.launch(executable_path=chromium, args=flags)
    print("Chromium", browser.version)
    for folder in folders:
        print(f"in {pathlib.Path(folder).name}:")
        check(browser, pathlib.Path(folder))
    browser.close()
