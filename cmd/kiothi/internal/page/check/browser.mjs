// Plays on the page in a headless Chromium: node check/browser.mjs PLAYWRIGHT CHROMIUM PICTURES URL|FOLDER...
// PLAYWRIGHT is a folder whose node_modules has playwright-core and axe-core, PICTURES one for screenshots. Each page is one that is served
// at a URL, or an export in a folder, which is served from here, below a path, as a plain web host does it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";

const [playwrightFolder, chromium, pictures] = process.argv.slice(2, 5).map((path) => resolve(path));
const pages = process.argv.slice(5);
const required = createRequire(join(playwrightFolder, "package.json"));
const playwright = required("playwright-core");
const axe = await readFile(required.resolve("axe-core/axe.min.js"), "utf8");

const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml" };

/** Serves a folder below /some/path/, and returns the URL. */
async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://x").pathname)).replace(/^\/some\/path\//, "") || "index.html";
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  server.unref();
  return `http://127.0.0.1:${server.address().port}/some/path/`;
}

// Whatever hangs, this does not.
setTimeout(() => {
  console.error("it has taken an hour, which is too long");
  process.exit(1);
}, 60 * 60_000).unref();

const browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });

/** Opens the page in a context of its own, and complains at the end about what should not have been. */
async function open(url, fragment, use, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // on a busy machine a network takes long to load and to think
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) complaints.push(`a request for ${request.url()}`);
  });
  page.on("response", (response) => response.status() >= 400 && complaints.push(`${response.status()} for ${response.url()}`));
  try {
    await page.goto(url + fragment);
    await page.waitForSelector("#table:not([hidden])");
    await use(page);
    assert.deepEqual(complaints, []);
  } catch (error) {
    await picture(page, "failed").catch(() => {}); // the error that led here says more than one of the picture
    throw error;
  } finally {
    await context.close();
  }
}

const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
const pit = (page, name) => page.locator(`.pit:has(.name:text-is("${name}"))`);
/** Clicks where the page says that it is of no use, which Playwright would not do. */
const force = { force: true };
const turn = (page) => page.textContent("#turn");
const message = (page) => page.textContent("#message");
const position = (page) => page.inputValue("#position");
const seeds = async (page, name) => (await pit(page, name).locator(".seed").count());
const fragment = (fields) => `#${new URLSearchParams(fields)}`;
const people = { south: "human", north: "human" };
const opened = { ...people, game: "kiothi", rules: "mancala-world", moves: "eh:a3c2J5_EH:A3C2j5" };

/** An opening turn of South by clicks, with what can go wrong in it. */
async function clicksAnOpening(page) {
  assert.match(await turn(page), /South: choose the pits to lift/);
  await pit(page, "a").click(force);
  assert.match(await message(page), /Pit a is empty/);
  await pit(page, "A").click(force);
  assert.match(await message(page), /Pit A is not South's/);
  await pit(page, "h").click();
  assert.equal(await message(page), "");
  await pit(page, "g").click();
  await pit(page, "g").waitFor();
  assert.match(await turn(page), /place the seeds in hand: 10/);
  await page.click("text=One step back");
  await pit(page, "e").click(); // after h: the page brings them into order
  assert.equal(await seeds(page, "e"), 0);
  for (const name of "JJaaJcJacJ") await pit(page, name).click();
  assert.match(await turn(page), /confirm the opening/);
  await pit(page, "a").click(force);
  assert.match(await message(page), /All seeds are placed/);
  assert.equal(await seeds(page, "J"), 10);
  await page.click("text=One step back");
  assert.equal(await seeds(page, "J"), 9);
  await pit(page, "J").click();
  await picture(page, "opening");
  await page.click("text=Confirm eh:a3c2J5");
  assert.match(await turn(page), /North/);
  assert.match(await position(page), /^3,0,2,0,0,5,5,0,5,5\/0,0,0,0,5,5,5,5,5,10 - 0-0 N lift 0$/);
}

/** Sowing by clicks: an illegal choice, a legal one, back, a link. */
async function sowsByClicks(page) {
  await pit(page, "b").click(force);
  assert.match(await message(page), /Pit b is empty/);
  await pit(page, "f").click();
  await page.locator(".numbers button[aria-disabled=true]").first().click(force);
  assert.match(await message(page), /first lap/);
  await picture(page, "numbers");
  const before = await position(page);
  await page.locator(".numbers button[aria-disabled=false]").last().click();
  await page.waitForFunction((text) => document.querySelector("#position").value !== text, before);
  const after = await position(page);
  assert.equal(await page.locator("#moves li").count(), 3);
  const link = page.url();
  await page.click("#undo");
  assert.equal(await position(page), before);
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector("#table:not([hidden])");
  assert.equal(await position(page), after);
}

/** Lets the players play to the end, and returns the verdict. */
async function wholeGame(page) {
  const over = await page.waitForFunction(() => {
    const { textContent: text } = document.querySelector("#turn");
    return / wins |draw/i.test(text) && text;
  }, null, { timeout: 900_000 });
  return over.jsonValue();
}

/** Plays a person's part with legal choices, by clicks, until the game is over. */
async function clicksThrough(page, names) {
  for (let turns = 0; turns < 400; turns++) {
    await page.waitForFunction(() => /choose a pit| wins |draw/i.test(document.querySelector("#turn").textContent), null, { timeout: 300_000 });
    if (/ wins |draw/i.test(await turn(page))) return turns;
    const before = await position(page);
    const legal = await page.locator(".pit.legal .name").allTextContents();
    await pit(page, legal[turns % legal.length]).click();
    if (names) {
      const numbers = page.locator(".numbers button[aria-disabled=false]");
      if (await numbers.count()) await numbers.last().click();
    }
    await page.waitForFunction((text) => document.querySelector("#position").value !== text, before);
  }
  throw new Error("the game does not end");
}

/** What axe finds wrong with the page for people who do not see, or do not see well. */
async function barriers(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Finds pits whose text is cut off, and whatever is wider than the window. */
const overflow = (page) => page.evaluate(() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const small = [...document.querySelectorAll(".pit")].filter((e) => e.getBoundingClientRect().width < 24).length;
  return { wide, small };
});

try {
  for (const where of pages) {
    const url = where.startsWith("http") ? where : await serve(where);
    console.log(`the page at ${url}`);

    await open(url, fragment({ ...people, game: "kiothi", rules: "mancala-world" }), clicksAnOpening);
    console.log("an opening by clicks, with illegal ones explained, and undone in part");

    await open(url, fragment(opened), sowsByClicks);
    console.log("a sowing by clicks, taken back, restored by a link");

    await open(url, fragment(opened), async (page) => {
      await page.click("#hint");
      await page.waitForSelector("#thought:not([hidden])");
      const advice = await page.textContent("#thought");
      assert.match(advice, /^Hint: [a-j]\d+Win \d+ %, draw \d+ %, loss \d+ %Expected margin: [+−]/);
      await picture(page, "hint");
      await page.click("text=Play it");
      assert.equal(await page.locator("#moves li").count(), 3);
      console.log(`advice: ${advice}`);
    });
    if (where !== pages[0]) continue; // the files are the same

    await open(url, fragment({ ...opened, north: "greedy" }), async (page) => {
      const turns = await clicksThrough(page, true);
      await picture(page, "kiothi-end");
      console.log(`a game of Kiothi by clicks against greedy: ${turns} turns, ${await turn(page)}`);
    });

    await open(url, fragment({ ...people, game: "kiothi", rules: "wikipedia-it" }), async (page) => {
      await page.click("text=Lift no more");
      await page.click("text=Confirm =");
      await pit(page, "F").click();
      await pit(page, "J").click();
      await page.selectOption("#choose select", "0");
      await pit(page, "A").click();
      await page.click("text=Confirm FJ:A12");
      await pit(page, "j").click(); // all seeds: there is nothing to choose
      await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
      assert.equal(await page.locator("#moves li:last-child code").textContent(), "j6");
      console.log("openings that lift nothing, and place all seeds at once, and a sowing of a whole pit");
    });

    await open(url, fragment({ game: "rio-kadalis", rules: "standard", south: "human", north: "best" }), async (page) => {
      const turns = await clicksThrough(page, false);
      console.log(`a game of Rio Kadalis by clicks against the strongest: ${turns} turns, ${await turn(page)}`);
    });

    await open(url, fragment({ game: "rio-kadalis", rules: "standard", rounds: 5, south: "random", north: "greedy" }), async (page) => {
      await page.fill("#speed", "12");
      let rounds = 1;
      for (; rounds < 5; rounds++) {
        await wholeGame(page);
        const next = page.locator("text=Next round");
        if (!(await next.count())) break;
        await next.click();
        await page.waitForFunction((n) => new RegExp(`Round ${n} `).test(document.querySelector("#choose").textContent), rounds + 1);
        if (rounds === 1) await picture(page, "closed");
      }
      if (rounds === 1) assert.match(await turn(page), /wins the competition/); // once in many, the first round ruins a player
      const verdict = await wholeGame(page);
      const link = page.url();
      await page.goto("about:blank");
      await page.goto(link);
      await page.waitForSelector("#table:not([hidden])");
      assert.match(await page.textContent("#choose"), /Round \d of at most 5/);
      assert.equal(await turn(page), verdict);
      console.log(`a competition of Rio Kadalis: ${rounds} rounds, ${verdict}`);
    });

    await open(url, fragment({ game: "rio-kadalis", rules: "standard", position: "1/9 x,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0", ...people }), async (page) => {
      assert.match(await message(page), /does not lead to a game/);
    });

    await open(url, fragment({ game: "rio-kadalis", rules: "standard", rounds: 7, ...people }), async (page) => {
      assert.equal(await page.inputValue("#rounds"), "7"); // which the form does not offer by itself
    });

    await open(url, fragment({ game: "rio-kadalis", rules: "standard", position: "2/9 x,x,x,x,4,4/4,4,4,4,4,4 - 2-14 N sow 0", ...people }), async (page) => {
      assert.equal(await message(page), "");
      assert.equal(await page.inputValue("#rounds"), "9");
      assert.equal(await page.locator(".pit.closed").count(), 4);
      await picture(page, "closed");
    });

    // By keys alone: an opening turn of each player, then a sowing.
    await open(url, fragment({ ...people, game: "kiothi", rules: "mancala-world" }), async (page) => {
      const key = async (...keys) => {
        for (const k of keys) await page.keyboard.press(k);
      };
      await page.locator(".pit[tabindex='0']").focus();
      for (let player = 0; player < 2; player++) {
        await key("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
        if (player === 0) await key("Enter", "End", "Enter", "5", "ArrowLeft", "5");
        else await key("ArrowUp", "Home", "Enter", "ArrowRight", "Enter", "5", "ArrowRight", "5");
        assert.match(await turn(page), /confirm/);
        await key("Tab", "Tab", "Tab");
        assert.match(await page.evaluate(() => document.activeElement.textContent), /^Confirm/);
        await key("Enter");
        await page.waitForFunction((n) => document.querySelectorAll("#moves li").length === n, player + 1);
        assert(await page.evaluate(() => document.activeElement.classList.contains("pit")), "focus left the board");
      }
      assert.match(await turn(page), /choose a pit to sow/);
      const spoken = await page.textContent("#last");
      assert.match(spoken, /North: /);
      await key("ArrowDown", "Home");
      for (let i = 0; i < 10; i++) {
        if (await page.evaluate(() => document.activeElement.getAttribute("aria-disabled") === "false")) break;
        await key("ArrowRight");
      }
      await key("Enter");
      assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /the first lap ends in/);
      await key("Escape");
      assert(await page.evaluate(() => document.activeElement.classList.contains("pit")), "focus left the board");
      await key("Enter", "Enter");
      await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
      await key("u");
      assert.equal(await page.locator("#moves li").count(), 2);
      console.log("openings and a sowing by keys alone");
    });

    // Seed by seed, and skipped.
    await open(url, fragment(opened), async (page) => {
      assert(await page.isChecked("#animate"), "the sowing is not shown");
      await page.fill("#speed", "0"); // so that it lasts longer than a picture takes on a busy machine
      await page.fill("#typed-move", "j10"); // the longest that there is
      await page.press("#typed-move", "Enter");
      await page.waitForSelector(".pit.active");
      assert.match(await turn(page), /South sows j10/);
      await page.waitForSelector(".hand:not([hidden])");
      await picture(page, "sowing");
      await page.click("#skip");
      await page.waitForFunction(() => /North: choose/.test(document.querySelector("#turn").textContent));
      console.log("a sowing shown seed by seed, and skipped");
    }, { reducedMotion: "no-preference" });

    // Small screens, dark ones, and each language.
    for (const [name, options] of [["phone", {}], ["phone-dark", { colorScheme: "dark" }]]) {
      await open(url, fragment(opened), async (page) => {
        assert.deepEqual(await overflow(page), { wide: 0, small: 0 });
        await picture(page, name);
        assert.deepEqual(await barriers(page), []);
        for (const code of ["sw", "it", "pt", "de", "eu"]) {
          await page.selectOption("#language", code);
          assert.deepEqual(await overflow(page), { wide: 0, small: 0 }, code);
          assert.equal(await page.getAttribute("html", "lang"), code);
          if (name === "phone") await picture(page, `phone-${code}`);
        }
      }, { viewport: { width: 360, height: 740 }, hasTouch: true, ...options });
    }
    for (const colorScheme of ["light", "dark"]) {
      await open(url, fragment(opened), async (page) => {
        for (const details of await page.locator("details:visible").all()) await details.evaluate((e) => (e.open = true));
        await pit(page, "f").click();
        await picture(page, colorScheme);
        assert.deepEqual(await barriers(page), []);
      }, { colorScheme });
    }

    // Whatever stands in a link, the page has a game, and says what is wrong with one that it cannot begin.
    for (const bad of ["#game=chess", "#game=kiothi&moves=zz", "#game=kiothi&rules=none", "#%", "#game=rio-kadalis&rounds=x", "#game=kiothi&position=1"]) {
      await open(url, bad, async (page) => {
        assert.equal(await page.locator(".pit").count() > 0, true, bad);
        if (bad !== "#%") assert.match(await page.textContent("#message"), /^The link does not lead to a game: /, bad);
        assert.doesNotMatch(await page.textContent("#rounds"), /NaN/, bad);
      });
    }
    console.log("small and dark screens, six languages, broken links");
  }
} finally {
  await browser.close();
}
