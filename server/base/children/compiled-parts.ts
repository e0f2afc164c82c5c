import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getKeys } from '../../../models/core/records.ts';

/** Folder of the project. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Programs of `npm start` and modules of their child processes that are compiled, by the paths of their sources. */
export const COMPILED_PARTS = {
  'is-built': 'server/ops/build/is-built.ts',
  main: 'server/ops/process/main.ts',
  web: 'server/ops/process/web.ts',
  runner: 'server/ops/process/runner.ts',
  'runner-child': 'server/jobs/runs/child.ts',
  'acceptance-child': 'server/jobs/runner/acceptance-child.ts',
  'probe-child': 'server/io/probing/child.ts',
  operations: 'models/registry.ts',
};

/** Returns the folder of the compiled parts, which is one of Next's build. */
export function compiledPartsDir(root: string): string {
  return join(root, '.next', 'parts');
}

/** Returns the path of a compiled part. */
export function compiledPart(root: string, part: keyof typeof COMPILED_PARTS): string {
  return join(compiledPartsDir(root), `${part}.mjs`);
}

/**
 * Returns the path of a source's compiled form.
 * @param source absolute path
 * @returns undefined in a process that runs sources, and for a source that is not compiled
 */
export function compiledSource(source: string): string | undefined {
  const [, program = ''] = process.argv;
  if (!program.startsWith(compiledPartsDir(ROOT))) return undefined;
  const part = getKeys(COMPILED_PARTS).find((name) => join(ROOT, COMPILED_PARTS[name]) === source);
  return part && compiledPart(ROOT, part);
}
