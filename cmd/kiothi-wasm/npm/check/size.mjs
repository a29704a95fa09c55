// How large the module is over the wire: node check/size.mjs FILE LIMIT ends with status 1 when it is more than LIMIT bytes.

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [file, limit] = process.argv.slice(2);
const bytes = readFileSync(file);
const gzip = gzipSync(bytes, { level: 9 }).length;
const brotli = brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
}).length;
console.log(`${bytes.length} bytes, ${gzip} with gzip, ${brotli} with brotli; ${limit} are allowed with gzip`);
process.exit(gzip > Number(limit) ? 1 : 0);
