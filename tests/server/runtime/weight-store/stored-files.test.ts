import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WeightCard } from '../../../../models/core/runtime/weight-card.ts';
import { createPublisher, refused } from '../../../support/servers/weight-publisher.ts';
import type { WeightServer } from '../../../support/servers/weight-server.ts';
import { createWeightCard } from '../../../support/service/weight-files.ts';

const { start, stop, content, store, isContent } = createPublisher();
const { signal } = new AbortController();

let directory: string;
let server: WeightServer;
let card: WeightCard;
beforeEach(async () => {
  ({ directory, server, card } = await start());
});
afterEach(stop);

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
    expect(await isContent(readFile(store().getPath(card)))).toBe(true);
  });
});
