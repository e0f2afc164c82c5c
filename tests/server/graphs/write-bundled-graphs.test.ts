import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import { writeBundledGraphs } from '../../../server/build/graphs/write-bundled-graphs.ts';

const GRAPH = new TextEncoder().encode('graph');
const card = {
  ...REMOVE_BG_WEIGHTS.matte,
  bytes: GRAPH.length,
  sha256: createHash('sha256').update(GRAPH).digest('hex'),
};
let root = '';
let path = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'graphs-'));
  path = join(root, 'models/weights/matte.onnx');
  await mkdir(join(root, 'models/weights'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('writes the file that a card pins, also in place of another one of its size, and makes it once', async () => {
  let made = 0;
  const read = async () => {
    made += 1;
    return GRAPH;
  };
  await writeFile(path, 'grave');
  await writeBundledGraphs(root, [{ card, read }]);
  await writeBundledGraphs(root, [{ card, read }]);
  expect(await readFile(path, 'utf8')).toBe('graph');
  expect(made).toBe(1);
});

it('refuses a package that holds another file', async () => {
  const read = async () => new TextEncoder().encode('other');
  await expect(writeBundledGraphs(root, [{ card, read }])).rejects.toThrow(
    'matte: its package or our own part is another file than its card pins.',
  );
  expect(await readdir(join(root, 'models/weights'))).toEqual([]);
});
