import json, pathlib
import numpy as np, onnxruntime as ort

folder = pathlib.Path(__file__).resolve().parent.parent
manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
with (folder / "vectors.jsonl").open(encoding="utf-8") as lines:
    position = json.loads(next(lines))
session = ort.InferenceSession(folder / "bot-raw.onnx", providers=["CPUExecutionProvider"])
observation = np.array(position["observation"], np.float32).reshape(1, *manifest["observation"]["shape"])
policy, outcome = session.run(["policy_logits", "win_draw_loss"], {"observation": observation})
best = max(position["legal"], key=lambda action: policy[0, action])
print(position["position"], manifest["actions"][best][["south", "north"][position["player"]]], "win, draw, loss", outcome[0])
