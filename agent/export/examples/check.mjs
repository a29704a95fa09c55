// Checks this folder with onnxruntime-web, in Node and in browsers:
//
//	npm install onnxruntime-web
//	node examples/check.mjs
//
// or serve the folder, as by `python -m http.server`, and open examples/check.html.

const tolerance = 1e-4; // of probabilities; margins, in seeds, get this share of the largest
const featureTolerance = 1e-6; // of the features that bot-raw.onnx computes

/**
 * Checks the folder and throws at the first thing that is not as it should be.
 * @param ort the module onnxruntime-web
 * @param {(path: string) => Promise<Uint8Array>} read reads a file of the folder
 * @param {(line: string) => void} say is told what was found
 */
export async function check(ort, read, say) {
  const bytes = async (path) => {
    try {
      return await read(path);
    } catch (error) {
      throw new Error(`${path}: found no file that can be read (${error.message}): copy the folder again`);
    }
  };
  const parse = (path, text) => {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`${path}: found damaged JSON (${error.message}): copy the folder again`);
    }
  };
  const text = async (path) => new TextDecoder().decode(await bytes(path));
  const manifest = parse("manifest.json", await text("manifest.json"));
  if (![manifest?.files, manifest?.models].every(Array.isArray) || typeof manifest.vectors?.file !== "string") {
    throw new Error("manifest.json: found no list of files and models, expected what kiothi export wrote: copy the folder again");
  }
  for (const file of manifest.files) {
    const data = await bytes(file.path);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (data.length !== file.bytes || hex !== file.sha256) {
      throw new Error(`${file.path}: found ${data.length} bytes that are not those of the manifest: copy the folder again`);
    }
  }
  say(`${manifest.files.length} files are those of the manifest`);

  const lines = (await text(manifest.vectors.file)).trimEnd().split("\n");
  const vectors = lines.map((line) => parse(manifest.vectors.file, line));
  if (vectors.length !== manifest.vectors.positions) {
    throw new Error(`${manifest.vectors.file}: found ${vectors.length} vectors, expected ${manifest.vectors.positions}`);
  }
  for (const model of manifest.models) {
    const session = await ort.InferenceSession.create(await bytes(model.file));
    for (const batch of [1, vectors.length]) {
      const worst = await compareAll(ort, manifest, model, session, vectors, batch);
      const found = Object.entries(worst).map(([name, value]) => `${name} ${value.toExponential(1)}`);
      say(`${model.file}: ${vectors.length} positions in batches of ${batch}, largest differences: ${found.join(", ")}`);
    }
    await session.release();
  }
  say("passed");
}

/** Runs a model on all the vectors and returns the largest differences. */
async function compareAll(ort, manifest, model, session, vectors, batch) {
  const input = model.inputs[0];
  const sizes = Object.fromEntries(model.outputs.map((t) => [t.name, t.shape[1]]));
  const worst = {};
  for (let first = 0; first < vectors.length; first += batch) {
    const rows = vectors.slice(first, first + batch);
    const given = new ort.Tensor("float32", rows.flatMap((row) => row[input.name]), [rows.length, ...input.shape.slice(1)]);
    const outputs = await session.run({ [input.name]: given });
    rows.forEach((row, i) => {
      const out = (name) => outputs[name].data.slice(i * sizes[name], (i + 1) * sizes[name]);
      const policy = out("policy_logits");
      const compare = (name, got, want, limit) => {
        const difference = Math.max(...want.map((value, at) => Math.abs(value - got[at])));
        if (!(difference <= limit)) {
          throw new Error(`${model.file}, position "${row.position}": ${name} is off by ${difference}, expected at most ${limit}`);
        }
        worst[name] = Math.max(worst[name] ?? 0, difference);
      };
      compare("policy", softmax(row.legal.map((action) => policy[action])), row.policy, tolerance);
      compare("margins", softmax(Array.from(out("margin_logits"))), row.margins, tolerance);
      compare("margin_probabilities", out("margin_probabilities"), row.margins, tolerance);
      compare("win_draw_loss", out("win_draw_loss"), row.win_draw_loss, tolerance);
      compare("expected_margin", out("expected_margin"), [row.expected_margin], -tolerance * manifest.margins.first);
      if ("features" in outputs) {
        compare("features", out("features"), row.features, featureTolerance);
      }
    });
  }
  return worst;
}

function softmax(logits) {
  const highest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / sum);
}

// Node runs the check when it is given this file; a page imports it.
if (typeof process !== "undefined" && process.argv?.[1]) {
  const [{ realpathSync }, { readFile }, { pathToFileURL }] = await Promise.all(["fs", "fs/promises", "url"].map((name) => import(`node:${name}`)));
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
    try {
      const ort = await import("onnxruntime-web");
      await check(ort, (path) => readFile(new URL(`../${path}`, import.meta.url)), console.log);
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
