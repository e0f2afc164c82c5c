import { randomBytes } from 'node:crypto';
import { open, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WeightCard } from '../../../../models/core/runtime/weight-card.ts';
import { RETRY_AFTER_REFUSAL_MS, WeightStore } from '../../../../server/runtime/weight-store/index.ts';
import { startHttpTarget } from '../../../support/servers/http-target.ts';
import { createPublisher, refused } from '../../../support/servers/weight-publisher.ts';
import type { WeightServer } from '../../../support/servers/weight-server.ts';

const { start, stop, content, store, isContent } = createPublisher();
const { signal } = new AbortController();

let directory: string;
let server: WeightServer;
let card: WeightCard;
beforeEach(async () => {
  ({ directory, server, card } = await start());
});
afterEach(stop);

const partBytes = async () => (await store().state(card)).bytes;

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
    let requestCount = 0;
    const confused = await startHttpTarget((_, response) => {
      requestCount += 1;
      response.writeHead(requestCount > 3 ? 404 : 416).end();
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
