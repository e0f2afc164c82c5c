import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Libheif } from '../../../models/media/image/heif/libheif.ts';

const require = createRequire(import.meta.url);
let wasmBinary: Buffer | undefined;

/** Loads a new instance with its own memory, in about 30 ms. Its memory is freed only with the instance. */
export function loadLibheif(): Libheif {
  const folder = 'libheif-js/libheif-wasm';
  wasmBinary ??= readFileSync(require.resolve(`${folder}/libheif.wasm`));
  return require(`${folder}/libheif.js`)({ wasmBinary, print: () => {}, printErr: () => {} });
}
