"""Opens examples/check.html of exported players in headless Chromium, from a web server over each folder.

Usage: browser_export.py CHROMIUM FOLDER...  In each folder `npm install onnxruntime-web` was run.
"""

import functools
import http.server
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


def check(browser, folder):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_port}/"
        page = browser.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith((origin, "blob:" + origin)) else complaints.append(f"asks for {request.url}"))
        page.goto(origin + "examples/check.html")
        page.wait_for_function("document.title != 'checking'", timeout=120_000)
        print(page.locator("#found").inner_text())
        if page.title() != "passed" or complaints:
            sys.exit(f"{folder}: the page ends as {page.title()!r}; {complaints}")
        page.close()
        server.shutdown()


with sync_playwright() as playwright:
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    browser = playwright.chromium.launch(executable_path=chromium, args=flags)
    print("Chromium", browser.version)
    for folder in folders:
        print(f"in {pathlib.Path(folder).name}:")
        check(browser, folder)
    browser.close()
