"""Checks this folder with onnxruntime: python examples/check.py

Needs the packages onnxruntime and numpy. Where onnx and jsonschema are installed as well, the models are also given to the
ONNX checker, and the manifest is compared with its schema. Ends with status 1 at the first thing that is not as it should be.
"""

import hashlib
import json
import pathlib
import sys

try:
    import numpy as np
    import onnxruntime as ort
except ImportError as error:
    sys.exit(f"{error}: pip install onnxruntime numpy")

TOLERANCE = 1e-4  # of probabilities; margins, in seeds, get this share of the largest
FEATURES = 1e-6  # of the features that bot-raw.onnx computes


def read(folder, name):
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        sys.exit(f"{name}: found no file that can be read ({error.strerror}): copy the folder again")


def parse(name, text):
    try:
        return json.loads(text)
    except ValueError as error:
        sys.exit(f"{name}: found damaged JSON ({error}): copy the folder again")


def files(folder, manifest):
    for file in manifest["files"]:
        data = read(folder, file["path"])
        if len(data) != file["bytes"] or hashlib.sha256(data).hexdigest() != file["sha256"]:
            sys.exit(f"{file['path']}: found {len(data)} bytes that are not those of the manifest: copy the folder again")
    print(f"{len(manifest['files'])} files are those of the manifest")


def schema(folder, manifest):
    try:
        import jsonschema
    except ImportError:
        print("skipped: the manifest is not compared with its schema, because there is no package jsonschema")
        return
    try:
        jsonschema.validate(manifest, parse("manifest.schema.json", read(folder, "manifest.schema.json")))
    except (jsonschema.ValidationError, jsonschema.SchemaError) as error:
        sys.exit(f"manifest.json does not follow its schema, {error.json_path}: {error.message[:200]}: copy the folder again")
    print("the manifest follows its schema")


def checker(folder, manifest):
    try:
        import onnx
    except ImportError:
        print("skipped: the models are not given to the ONNX checker, because there is no package onnx")
        return
    for model in manifest["models"]:
        loaded = onnx.load(folder / model["file"])
        onnx.checker.check_model(loaded, full_check=True)
        if (loaded.ir_version, loaded.opset_import[0].version) != (model["ir_version"], model["opset"]):
            sys.exit(f"{model['file']}: found versions other than the manifest's")
        print(f"{model['file']}: the ONNX checker accepts {len(loaded.graph.node)} nodes")


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def compare(name, got, want, tolerance):
    difference = float(np.abs(np.asarray(got, np.float64) - np.asarray(want, np.float64)).max())
    if not difference <= tolerance:
        sys.exit(f"{name} is off by {difference:.2g}, expected at most {tolerance:.2g}")
    return difference


def check(folder, manifest, model, vectors, batch):
    """Runs a model on all the vectors and returns the largest differences."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1  # the network is too small to be shared
    session = ort.InferenceSession(folder / model["file"], options, providers=["CPUExecutionProvider"])
    for ports, tensors in ((session.get_inputs(), model["inputs"]), (session.get_outputs(), model["outputs"])):
        if [(p.name, p.shape) for p in ports] != [(t["name"], t["shape"]) for t in tensors]:
            sys.exit(f"{model['file']}: found tensors other than the manifest's")
    entry = model["inputs"][0]
    names = [t["name"] for t in model["outputs"]]
    largest = -manifest["margins"]["first"]
    worst = {}
    for first in range(0, len(vectors), batch):
        rows = vectors[first : first + batch]
        given = np.array([row[entry["name"]] for row in rows], np.float32).reshape(len(rows), *entry["shape"][1:])
        outputs = dict(zip(names, session.run(names, {entry["name"]: given})))
        for i, row in enumerate(rows):
            out = {name: values[i] for name, values in outputs.items()}
            pairs = [
                ("policy", softmax(out["policy_logits"][row["legal"]]), row["policy"], TOLERANCE),
                ("margins", softmax(out["margin_logits"]), row["margins"], TOLERANCE),
                ("margin_probabilities", out["margin_probabilities"], row["margins"], TOLERANCE),
                ("win_draw_loss", out["win_draw_loss"], row["win_draw_loss"], TOLERANCE),
                ("expected_margin", out["expected_margin"][0], row["expected_margin"], TOLERANCE * largest),
            ]
            if "features" in out:
                pairs.append(("features", out["features"], row["features"], FEATURES))
            for name, got, want, tolerance in pairs:
                difference = compare(f"{model['file']}, position {row['position']!r}: {name}", got, want, tolerance)
                worst[name] = max(worst.get(name, 0), difference)
    return worst


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    manifest = parse("manifest.json", read(folder, "manifest.json"))
    if not isinstance(manifest, dict) or not {"files", "models", "vectors", "actions", "margins"} <= manifest.keys():
        sys.exit("manifest.json: found no files, models, vectors, actions and margins, expected what kiothi export wrote: copy the folder again")
    schema(folder, manifest)
    files(folder, manifest)
    checker(folder, manifest)
    name = manifest["vectors"]["file"]
    vectors = [parse(name, line) for line in read(folder, name).splitlines()]
    if len(vectors) != manifest["vectors"]["positions"]:
        sys.exit(f"{name}: found {len(vectors)} vectors, expected {manifest['vectors']['positions']}")
    for row in vectors:
        move = manifest["actions"][row["action"]][["south", "north"][row["player"]]]
        if row["action"] not in row["legal"] or move != row["text"]:
            sys.exit(f"position {row['position']!r}: found the move {row['text']}, expected a legal one with its text")
    for model in manifest["models"]:
        for batch in (1, len(vectors)):
            worst = check(folder, manifest, model, vectors, batch)
            text = ", ".join(f"{name} {value:.1e}" for name, value in worst.items())
            print(f"{model['file']}: {len(vectors)} positions in batches of {batch}, largest differences: {text}")
    print("passed")


if __name__ == "__main__":
    main()
