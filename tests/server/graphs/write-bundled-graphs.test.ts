import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import { writeBundledGraphs } from '../../../server/ops/build/graphs/write-bundled-graphs.ts';

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

it('writes a file several times at once, without leftovers', async () => {
  const read = async () => GRAPH;
  await Promise.all(Array.from({ length: 4 }, () => writeBundledGraphs(root, [{ card, read }])));
  expect(await readFile(path, 'utf8')).toBe('graph');
  expect(await readdir(join(root, 'models/weights'))).toEqual(['matte.onnx']);
});

it('leaves no part of a file that it cannot write', async () => {
  await mkdir(path);
  await expect(writeBundledGraphs(root, [{ card, read: async () => GRAPH }])).rejects.toThrow('EISDIR');
  expect(await readdir(join(root, 'models/weights'))).toEqual(['matte.onnx']);
});

it('refuses a package that holds another file', async () => {
  const read = async () => new TextEncoder().encode('other');
  await expect(writeBundledGraphs(root, [{ card, read }])).rejects.toThrow(
    'matte: what its packages and our own part give is not the file that its card pins.',
  );
  expect(await readdir(join(root, 'models/weights'))).toEqual([]);
});
