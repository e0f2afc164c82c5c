import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WeightCard } from '../../../../models/core/runtime/weight-card.ts';
import {
  WeightStore,
  type WeightStoreOptions,
} from '../../../../server/runtime/weight-store/weight-store.ts';
import { startHttpTarget } from '../../../support/servers/http-target.ts';
import { startWeightServer, type WeightServer } from '../../../support/servers/weight-server.ts';
import { createWeightCard } from '../../../support/service/weight-files.ts';

const BYTES = 100_000;
const content = new Uint8Array(randomBytes(BYTES));
const { signal } = new AbortController();

let directory: string;
let server: WeightServer;
let catalogue: WeightCard[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'eviction-'));
  server = await startWeightServer(content);
  catalogue = ['a', 'b', 'c', 'd'].map((id) => createWeightCard(content, { id, url: server.url }));
});
afterEach(async () => {
  await server.target.stop();
  await rm(directory, { recursive: true, force: true });
});

const getCard = (id: string) => catalogue.find((card) => card.id === id) as WeightCard;

/** Opens a store of two files; each call is like that of another process. */
const store = (options: Partial<WeightStoreOptions> = {}) =>
  new WeightStore({
    directory,
    mirror: null,
    isOffline: false,
    catalogue,
    bytesMax: 2 * BYTES,
    leftBytesMin: 0,
    ...options,
  });

const fetch = (id: string, keepsOthers = false, options: Partial<WeightStoreOptions> = {}) =>
  store(options).fetch([getCard(id)], { signal, keepsOthers, onProgress: () => {} });

/** Lists the weights that are here. */
const here = async () =>
  (await readdir(directory)).filter((name) => name.endsWith('.onnx')).map((name) => name.slice(0, -5));

/** Says when a file was used last, in seconds before now. */
async function used(id: string, secondsAgo: number): Promise<void> {
  const path = store().getPath(getCard(id));
  await utimes(path, new Date(Date.now() - secondsAgo * 1000), (await stat(path)).mtime);
}

async function fill(): Promise<void> {
  await fetch('a');
  await fetch('b');
  await used('a', 100);
  await used('b', 200);
}

const NO_ROOM = expect.objectContaining({ code: 'unavailable', kind: 'storage_full' });

describe('a download into a full folder', () => {
  beforeEach(fill);

  it('deletes what was used least recently, and notes it until it is back', async () => {
    await fetch('c');
    expect(await here()).toEqual(['a', 'c']);
    const [evicted, ...others] = await store().evictions();
    expect(evicted).toMatchObject({ id: 'b', bytes: BYTES });
    expect(Date.now() - Date.parse(evicted?.at ?? '')).toBeLessThan(60_000);
    expect(others).toEqual([]);
    await fetch('b');
    expect(await here()).toEqual(['b', 'c']);
    expect((await store().evictions()).map(({ id }) => id)).toEqual(['a']);
  });

  it('counts a read as a use', async () => {
    await store().read(getCard('b'), { signal });
    await fetch('c');
    expect(await here()).toEqual(['b', 'c']);
  });

  it('leaves what a job of another process uses, until it ends', async () => {
    const ends = [store().markUse(getCard('b')), store().markUse(getCard('a'))];
    const isAhead = async (id: string) => (await stat(store().getPath(getCard(id)))).atimeMs > Date.now();
    await expect.poll(() => isAhead('a')).toBe(true);
    await expect.poll(() => isAhead('b')).toBe(true);
    await expect(fetch('c')).rejects.toEqual(NO_ROOM);
    expect(await here()).toEqual(['a', 'b']);
    for (const end of ends) end();
    await expect.poll(() => isAhead('a')).toBe(false);
    await expect.poll(() => isAhead('b')).toBe(false);
    await fetch('c');
    expect(await here()).toHaveLength(2);
  });

  it('deletes nothing for what no run has asked for yet', async () => {
    await expect(fetch('c', true)).rejects.toEqual(NO_ROOM);
    expect(await here()).toEqual(['a', 'b']);
  });

  it('is refused, and deletes nothing, where the file is larger than the limit', async () => {
    const options = { bytesMax: BYTES - 1 };
    expect(await store(options).mayFetch(getCard('c'))).toBe(false);
    await expect(fetch('c', false, options)).rejects.toEqual(
      expect.objectContaining({ message: expect.stringMatching(/MODELS_DISK_MB leaves no room for it/) }),
    );
    expect(await here()).toEqual(['a', 'b']);
    expect(server.target.requests).toHaveLength(2);
  });

  it('leaves what no source has, as on a machine without internet', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'mirror-'));
    await writeFile(join(mirror, 'c.onnx'), content);
    await expect(fetch('c', false, { mirror, isOffline: true })).rejects.toEqual(NO_ROOM);
    expect(await here()).toEqual(['a', 'b']);
    await rm(mirror, { recursive: true });
  });

  it('deletes abandoned downloads as well, and none that goes on', async () => {
    await rm(store().getPath(getCard('b')));
    const part = join(directory, 'b.onnx.part');
    await writeFile(part, content.subarray(0, 1000));
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(part, longAgo, longAgo);
    const lock = join(directory, 'b.onnx.lock');
    await writeFile(lock, 'another process');
    await fetch('c');
    expect((await readdir(directory)).toSorted()).toEqual([
      'a.onnx.evicted',
      'b.onnx.lock',
      'b.onnx.part',
      'c.onnx',
    ]);
    await rm(lock);
    await fetch('a');
    expect(await here()).toEqual(['a', 'c']);
    expect(await readdir(directory)).not.toContain('b.onnx.part');
  });

  it('makes room on a disk that is nearly full, too', async () => {
    const roomy = { bytesMax: 10 * BYTES };
    await fetch('c', false, roomy);
    expect(await here()).toEqual(['a', 'b', 'c']);
    await rm(store().getPath(getCard('c')));
    await expect(fetch('c', false, { ...roomy, leftBytesMin: 1e18 })).rejects.toEqual(
      expect.objectContaining({ message: expect.stringMatching(/disk .* has too little room/) }),
    );
    expect(await here()).toEqual(['a', 'b']);
  });
});

describe('a file whose size no source states', () => {
  beforeEach(async () => {
    await fill();
    catalogue = catalogue.map((card) => (card.id === 'c' ? { ...card, bytes: null } : card));
  });

  it('makes room once it is here', async () => {
    await fetch('c');
    expect(await here()).toEqual(['a', 'c']);
  });

  it('is not kept where there is none', async () => {
    await expect(fetch('c', true)).rejects.toEqual(NO_ROOM);
    expect(await readdir(directory)).toEqual(['a.onnx', 'b.onnx']);
  });
});

it('a limit that was lowered deletes what is beyond it', async () => {
  await fill();
  expect(await store({ bytesMax: BYTES }).trim(signal)).toBe(0);
  expect(await here()).toEqual(['a']);
  expect(await store().bytes()).toBe(BYTES);
});

it('a limit that was lowered deletes nothing whose source does not respond, or has another file', async () => {
  await fill();
  await server.target.stop();
  expect(await store({ bytesMax: BYTES }).trim(signal)).toBe(BYTES);
  server = await startWeightServer(content.subarray(1));
  catalogue = catalogue.map((card) => ({ ...card, url: server.url }));
  expect(await store({ bytesMax: BYTES }).trim(signal)).toBe(BYTES);
  expect(await here()).toEqual(['a', 'b']);
});

it('a limit that was lowered deletes nothing that is fetched or taken into use by then', async () => {
  await fill();
  const asked: ServerResponse[] = [];
  const source = await startHttpTarget((_, response) => void asked.push(response));
  catalogue = catalogue.map((card) => ({ ...card, url: source.origin }));
  const trimming = store({ bytesMax: 0 }).trim(signal);
  await expect.poll(() => asked.length).toBe(2);
  await writeFile(join(directory, 'b.onnx.lock'), 'another process');
  await used('a', -100);
  for (const response of asked) response.writeHead(200, { 'content-length': BYTES }).end(content);
  expect(await trimming).toBe(2 * BYTES);
  expect(await here()).toEqual(['a', 'b']);
  await source.stop();
});

it('downloads of several processes at once stay within the limit', async () => {
  await fill();
  await Promise.all([fetch('c'), fetch('d'), fetch('c')]);
  expect(await here()).toEqual(['c', 'd']);
  expect((await readdir(directory)).toSorted()).toEqual([
    'a.onnx.evicted',
    'b.onnx.evicted',
    'c.onnx',
    'd.onnx',
  ]);
});

it('a mark of use leaves the verdict about the bytes as it is', async () => {
  await fetch('a');
  const before = (await stat(store().getPath(getCard('a')))).mtimeMs;
  await store().read(getCard('a'), { signal });
  expect(Math.round((await stat(store().getPath(getCard('a')))).mtimeMs)).toBe(Math.round(before));
  expect(await store().isRight(getCard('a'))).toBe(true);
});
