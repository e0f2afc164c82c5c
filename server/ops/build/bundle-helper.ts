import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

const SOURCE = 'workers/runtime/convolution/helper.ts';
const RESULT = 'workers/vendor/convolution-helper.js';

/**
 * Bundles the script of the threads that help a worker to convolve: the bundler of the pages finds no worker that
 * another one starts, and copies this as it is. A file that is right stays.
 * @param root folder of the checkout
 */
export function bundleHelper(root: string): void {
  const path = join(root, RESULT);
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [SOURCE],
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    legalComments: 'none',
  });
  const text = outputFiles[0]?.text ?? '';
  if (readIfPresent(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
