// Builds kiothi.wasm out of the Go source that this folder lies in: npm run build.

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
execFileSync(
  "go",
  ["build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", `${here}kiothi.wasm`, "."],
  { cwd: fileURLToPath(new URL("..", import.meta.url)), env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm", CGO_ENABLED: "0" }, stdio: "inherit" },
);
console.log(`kiothi.wasm: ${statSync(`${here}kiothi.wasm`).size} bytes`);
