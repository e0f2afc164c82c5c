import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WeightCard } from '../../../../models/runtime/weight-card.ts';
import { RETRY_AFTER_REFUSAL_MS, WeightStore } from '../../../../server/runtime/weight-store/index.ts';
import { startHttpTarget } from '../../../support/servers/http-target.ts';
import { startWeightServer, type WeightServer } from '../../../support/servers/weight-server.ts';
import { createWeightCard } from '../../../support/service/weight-files.ts';

const content = new Uint8Array(randomBytes(600_000));
const signal = new AbortController().signal;

let directory: string;
let server: WeightServer;
let card: WeightCard;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weights-'));
  server = await startWeightServer(content);
  card = createWeightCard(content, { url: server.url });
});

afterEach(async () => {
  await server.target.stop();
  await rm(directory, { recursive: true, force: true });
});

const store = (options: { mirror?: string; isOffline?: boolean } = {}) =>
  new WeightStore({ directory, mirror: options.mirror ?? null, isOffline: options.isOffline ?? false });

const partBytes = async () => (await store().state(card)).bytes;

const isContent = async (bytes: Promise<Uint8Array>) => Buffer.from(content).equals(await bytes);

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(message) });

describe('a download', () => {
  it('returns the bytes, and sends no further request once they are stored', async () => {
    const weights = store();
    expect(await weights.has(card)).toBe(false);
    expect(await isContent(weights.read(card, { signal }))).toBe(true);
    expect(await isContent(weights.read(card, { signal }))).toBe(true);
    expect(server.target.requests).toHaveLength(1);
    expect(await readdir(directory)).toEqual(['test-weights.onnx']);
  });

  it('is flushed to disk before it gets its final name', async () => {
    const handle = await open(join(directory, 'other'), 'w');
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
    await store().read(card, { signal });
    expect(sync).toHaveBeenCalledOnce();
    sync.mockRestore();
    await handle.close();
  });

  it('that broke off resumes where it stopped', async () => {
    server.breaks = 2;
    let kept = 0;
    server.readsFirst = async () => {
      await expect.poll(partBytes).toBeGreaterThan(kept);
      kept = await partBytes();
    };
    expect(await isContent(store().read(card, { signal }))).toBe(true);
    const starts = server.target.requests.map(({ request }) => request.headers.range?.match(/\d+/)?.[0]);
    expect(starts).toHaveLength(3);
    expect(starts[0]).toBeUndefined();
    expect(Number(starts[1])).toBeGreaterThan(0);
    expect(Number(starts[2])).toBeGreaterThan(Number(starts[1]));
  });

  it('resumes in a later process too', async () => {
    await writeFile(join(directory, 'test-weights.onnx.part'), content.subarray(0, 123_456));
    expect(await store().state(card)).toEqual({ state: 'partial', bytes: 123_456 });
    expect(await isContent(store().read(card, { signal }))).toBe(true);
    expect(server.target.requests[0]?.request.headers.range).toBe('bytes=123456-');
  });

  it('restarts where the server does not support ranges', async () => {
    server.takesRanges = false;
    await writeFile(join(directory, 'test-weights.onnx.part'), content.subarray(0, 1000));
    expect(await isContent(store().read(card, { signal }))).toBe(true);
  });

  it('that began with other bytes restarts', async () => {
    await writeFile(join(directory, 'test-weights.onnx.part'), randomBytes(1000));
    expect(await isContent(store().read(card, { signal }))).toBe(true);
    expect(server.target.requests).toHaveLength(2);
  });

  it('reports when the server is unreachable', async () => {
    await server.target.stop();
    await expect(store().read(card, { signal })).rejects.toEqual(
      refused(
        /test-weights: the weights cannot be downloaded: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/,
      ),
    );
  });

  it('reports when the server keeps breaking off, and keeps the bytes received', async () => {
    server.breaks = Number.POSITIVE_INFINITY;
    server.takesRanges = false;
    server.readsFirst = () => expect.poll(partBytes).toBeGreaterThan(0);
    await expect(store().read(card, { signal })).rejects.toEqual(refused(/broke off/));
    expect((await store().state(card)).state).toBe('partial');
  });

  it('reports a full disk, and tries no other source', async () => {
    await symlink('/dev/full', join(directory, 'test-weights.onnx.part'));
    await expect(store().read(card, { signal })).rejects.toEqual(refused(/the disk is full/));
    expect(server.target.requests).toHaveLength(1);
  });

  it('leaves room on the disk for everything else: one that would not is refused before it begins', async () => {
    const full = new WeightStore({ directory, mirror: null, isOffline: false, leftBytesMin: 1e18 });
    await expect(full.read(card, { signal })).rejects.toEqual(refused(/too little room/));
    expect(server.target.requests).toHaveLength(0);
    // That is a matter of this machine, which may be mended at once.
    expect(await full.mayFetch(card)).toBe(true);
    expect(await isContent(store().read(card, { signal }))).toBe(true);
  });

  it('reports when its partial file is removed', async () => {
    server.breaks = 1;
    server.readsFirst = async () => {
      await expect.poll(partBytes).toBeGreaterThan(0);
      await store().remove(card);
    };
    await expect(store().read(card, { signal })).rejects.toEqual(refused(/was deleted before the end/));
    expect(await isContent(store().read(card, { signal }))).toBe(true);
  });

  it('ends when it is aborted', async () => {
    await expect(store().read(card, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});

describe('unavailable weights', () => {
  const GONE = refused(/cannot be downloaded: 127\.0\.0\.1:\d+ has a file of 1000 bytes/);
  const refusal = () => join(directory, 'test-weights.onnx.refused');
  const fetchAgain = () => store().fetch([card], { signal, onProgress: () => {}, retriesRefused: true });

  beforeEach(() => {
    server.content = content.subarray(0, 1000);
  });

  it('are requested once by concurrent callers', async () => {
    const reads = [1, 2, 3].map(() => expect(store().read(card, { signal })).rejects.toEqual(GONE));
    await Promise.all(reads);
    expect(server.target.requests).toHaveLength(1);
  });

  it('are not requested again until some time has passed', async () => {
    await expect(store().read(card, { signal })).rejects.toEqual(GONE);
    server.content = content;
    expect(await store().mayFetch(card)).toBe(false);
    await expect(store().read(card, { signal })).rejects.toEqual(GONE);
    expect(server.target.requests).toHaveLength(1);
    const longAgo = new Date(Date.now() - RETRY_AFTER_REFUSAL_MS);
    await utimes(refusal(), longAgo, longAgo);
    expect(await store().mayFetch(card)).toBe(true);
    expect(await isContent(store().read(card, { signal }))).toBe(true);
    expect(await readdir(directory)).toEqual(['test-weights.onnx']);
  });

  it('are requested again at once on demand', async () => {
    await expect(store().read(card, { signal })).rejects.toEqual(GONE);
    await expect(fetchAgain()).rejects.toEqual(GONE);
    server.content = content;
    await fetchAgain();
    expect(await readdir(directory)).toEqual(['test-weights.onnx']);
  });

  it('are requested again after they are removed', async () => {
    await expect(store().read(card, { signal })).rejects.toEqual(GONE);
    await store().remove(card);
    expect(await readdir(directory)).toEqual([]);
  });

  it('for a reason of this machine may be requested again at once', async () => {
    await expect(store({ isOffline: true }).read(card, { signal })).rejects.toEqual(
      refused(/MODELS_OFFLINE/),
    );
    expect(await readdir(directory)).toEqual([]);
    server.content = content;
    await symlink('/dev/full', join(directory, 'test-weights.onnx.part'));
    await expect(store().read(card, { signal })).rejects.toEqual(refused(/the disk is full/));
    await store().remove(card);
    expect(await isContent(store().read(card, { signal }))).toBe(true);
  });
});

describe('a relayed source', () => {
  it('returns the rest from the requested position, and stores nothing', async () => {
    const { offset, bytesTotal, chunks } = await store().openSource(card, 200_000, signal);
    expect({ offset, bytesTotal }).toEqual({ offset: 200_000, bytesTotal: 600_000 });
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    expect(Buffer.concat(parts).equals(content.subarray(200_000))).toBe(true);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is rejected when it responds 416 to a request for the whole file', async () => {
    let answers = 0;
    const confused = await startHttpTarget((_, response) => {
      answers += 1;
      response.writeHead(answers > 3 ? 404 : 416).end();
    });
    const elsewhere = { ...card, url: `${confused.origin}/weights.onnx` };
    await expect(store().openSource(elsewhere, 200_000, signal)).rejects.toEqual(refused(/status 416/));
    expect(confused.requests.map(({ request }) => request.headers.range)).toEqual([
      'bytes=200000-',
      undefined,
    ]);
    await confused.stop();
  });

  it('is rejected when it has another file', async () => {
    server.content = content.subarray(0, 1000);
    await expect(store().openSource(card, 0, signal)).rejects.toEqual(refused(/has a file of another size/));
  });
});

describe('bytes that do not match the card', () => {
  const flipped = content.slice();
  flipped[300_000] = (flipped[300_000] as number) ^ 1;

  it('are never returned or stored when downloaded', async () => {
    server.content = flipped;
    await expect(store().read(card, { signal })).rejects.toEqual(refused(/different bytes than expected/));
    expect((await store().state(card)).state).toBe('absent');
  });

  it('are never returned from the store: the file is downloaded again', async () => {
    await writeFile(join(directory, 'test-weights.onnx'), flipped);
    expect(await store().verify(card)).toBe(false);
    expect(await isContent(store().read(card, { signal }))).toBe(true);
    expect(await store().verify(card)).toBe(true);
  });

  it('are downloaded again when truncated, and do not count as stored', async () => {
    await writeFile(join(directory, 'test-weights.onnx'), content.subarray(0, 1000));
    expect(await store().state(card)).toEqual({ state: 'damaged', bytes: 1000 });
    expect(await store().has(card)).toBe(false);
    await store().fetch([card], { signal, onProgress: () => {} });
    expect(await store().verify(card)).toBe(true);
  });

  it('are verified once, and again when the file has changed', async () => {
    const path = join(directory, 'test-weights.onnx');
    const writtenAt = async (bytes: Uint8Array, date: string) => {
      await writeFile(path, bytes);
      await utimes(path, new Date(date), new Date(date));
    };
    await writtenAt(flipped, '2026-01-01');
    expect(await store().isRight(card)).toBe(false);
    await writtenAt(content, '2026-01-02');
    expect(await store().isRight(card)).toBe(true);
    // Only the bytes reveal this change, and they are not read again.
    await writtenAt(flipped, '2026-01-02');
    expect(await store().isRight(card)).toBe(true);
    await writtenAt(flipped, '2026-01-03');
    expect(await store().isRight(card)).toBe(false);
  });

  it('are removed without affecting a download in progress', async () => {
    const removeDamaged = () => store().removeDamaged(card, { signal, onProgress: () => {} });
    await writeFile(join(directory, 'test-weights.onnx'), content);
    await writeFile(join(directory, 'test-weights.onnx.part'), 'x');
    await removeDamaged();
    expect(await readdir(directory)).toEqual(['test-weights.onnx', 'test-weights.onnx.part']);
    await writeFile(join(directory, 'test-weights.onnx'), flipped);
    await removeDamaged();
    expect(await readdir(directory)).toEqual(['test-weights.onnx.part']);
  });

  it('are downloaded once when two callers find them damaged, even when one is late', async () => {
    await writeFile(join(directory, 'test-weights.onnx'), flipped);
    server.breaks = 1;
    const [first, late] = [store(), store()];
    let lateIsHere = false;
    server.readsFirst = () => expect.poll(() => lateIsHere).toBe(true);
    const removeDamaged = late.removeDamaged.bind(late);
    vi.spyOn(late, 'removeDamaged').mockImplementation(async (...args) => {
      const begun = { state: 'partial', bytes: 300_000 };
      await expect.poll(() => store().state(card)).toEqual(begun);
      const removed = removeDamaged(...args);
      lateIsHere = true;
      return removed;
    });
    const reads = [first.read(card, { signal }), late.read(card, { signal })];
    expect(await Promise.all(reads.map(isContent))).toEqual([true, true]);
    expect(server.target.requests.map(({ request }) => request.headers.range ?? 'all')).toEqual([
      'all',
      expect.stringMatching(/^bytes=/),
    ]);
  });

  it('are downloaded again when the file disappears before it is read', async () => {
    const weights = store();
    vi.spyOn(weights, 'has').mockResolvedValueOnce(true);
    expect(await isContent(weights.read(card, { signal }))).toBe(true);
  });

  it('are rejected by their size before they are downloaded', async () => {
    server.content = content.subarray(0, 1000);
    await expect(store().read(card, { signal })).rejects.toEqual(refused(/1000 bytes instead of 600000/));
  });
});

describe('a mirror', () => {
  it('that is a folder is tried first, by our file name or that of the publisher', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'mirror-'));
    await writeFile(join(mirror, 'weights.onnx'), content);
    expect(await isContent(store({ mirror, isOffline: true }).read(card, { signal }))).toBe(true);
    expect(server.target.requests).toHaveLength(0);
    await rm(mirror, { recursive: true });
  });

  it('that is a URL is tried first', async () => {
    const mirrored = { ...card, url: 'http://127.0.0.1:9/elsewhere/weights.onnx' };
    expect(await isContent(store({ mirror: server.target.origin }).read(mirrored, { signal }))).toBe(true);
    expect(server.target.requests[0]?.request.url).toBe('/test-weights.onnx');
  });

  it('with a wrong file does not prevent a download from the publisher', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'mirror-'));
    await writeFile(join(mirror, 'weights.onnx'), randomBytes(content.length));
    expect(await isContent(store({ mirror }).read(card, { signal }))).toBe(true);
    await rm(mirror, { recursive: true });
  });

  it('is the only source offline', async () => {
    await expect(store({ isOffline: true }).read(card, { signal })).rejects.toEqual(
      refused(/MODELS_OFFLINE/),
    );
    expect(await store({ isOffline: true }).mayFetch(card)).toBe(false);
    expect(await store({ isOffline: true, mirror: directory }).mayFetch(card)).toBe(false);
    expect(server.target.requests).toHaveLength(0);
  });
});

describe('the store', () => {
  it('reports one progress over several files, up to their sum', async () => {
    const other = createWeightCard(content, { id: 'other-weights', url: server.url });
    const seen: [number, number | null][] = [];
    await store().fetch([card, other], {
      signal,
      onProgress: ({ receivedBytes, totalBytes }) => seen.push([receivedBytes, totalBytes]),
    });
    expect(seen.every(([, total]) => total === 1_200_000)).toBe(true);
    expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((a, b) => a - b));
    expect(seen.at(-1)).toEqual([1_200_000, 1_200_000]);
  });

  it('removes a file and its partial downloads', async () => {
    await store().read(card, { signal });
    expect(await store().remove(card)).toBe(600_000);
    expect(await store().state(card)).toEqual({ state: 'absent', bytes: 0 });
    await writeFile(join(directory, 'test-weights.onnx.part'), 'x');
    await store().remove(card);
    expect(await readdir(directory)).toEqual([]);
  });

  it('returns a file with exactly its bytes', async () => {
    await store().read(card, { signal });
    expect(await isContent(readFile(store().pathOf(card)))).toBe(true);
  });
});
