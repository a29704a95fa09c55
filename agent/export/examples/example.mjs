import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url));
const manifest = JSON.parse(read("manifest.json"));
const position = JSON.parse(read("vectors.jsonl").toString().split("\n")[0]);
const session = await ort.InferenceSession.create(read("bot-raw.onnx"));
const observation = new ort.Tensor("float32", position.observation, [1, ...manifest.observation.shape]);
const { policy_logits: policy, win_draw_loss: outcome } = await session.run({ observation });
const best = position.legal.reduce((a, b) => (policy.data[b] > policy.data[a] ? b : a));
console.log(position.position, manifest.actions[best][["south", "north"][position.player]], "win, draw, loss", ...outcome.data);
