import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';

/** A browser lets a busy worker go on for some seconds before it ends it by force. */
const GONE = { timeout: 10_000 };

async function noise(side: number): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: 'white', noise } });
  return new Blob([new Uint8Array(await picture.jpeg().toBuffer())]);
}

describe('the bridge', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openWorkerPage();
  });
  afterAll(() => page.stop());

  it('runs an operation in a worker that is gone afterwards', async () => {
    const outcome = await page.convert(await noise(64), { to_format: 'png' });
    expect(outcome).toMatchObject({ ok: true, mediaType: 'image/png', warnings: [] });
    await expect.poll(() => page.page.workers().length, GONE).toBe(0);
  });

  it('brings the code and the message of an error across', async () => {
    const outcome = await page.convert(new Blob(['no image']), { to_format: 'png' });
    expect(outcome).toMatchObject({ ok: false, name: 'OperationError', code: 'bad_request' });
    const wrong = await page.convert(await noise(8), { to_format: 'exe' });
    expect(wrong).toMatchObject({
      ok: false,
      code: 'bad_request',
      message: expect.stringContaining('to_format'),
    });
  });

  it('tells progress that never falls and ends at 1, the loading of a codec included', async () => {
    const path = await page.put(await noise(64));
    const shown = await page.page.evaluate<number[]>(`(async () => {
      const shown = [];
      await convert('${path}', { to_format: 'gif' }, { onProgress: (fraction) => shown.push(fraction) });
      return shown;
    })()`);
    expect(shown).toEqual([...shown].sort((left, right) => left - right));
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.at(-1)).toBe(1);
  });

  it('ends a run in the middle of an encoder that cannot be interrupted', async () => {
    const path = await page.put(await noise(2000));
    const outcome = await page.page.evaluate(`(async () => {
      const controller = new AbortController();
      const onProgress = (fraction) => fraction > 0.5 && controller.abort();
      return convert('${path}', { to_format: 'avif' }, { signal: controller.signal, onProgress });
    })()`);
    expect(outcome).toMatchObject({ ok: false, name: 'OperationError', code: 'cancelled' });
    await expect.poll(() => page.page.workers().length, GONE).toBe(0);
    expect(await page.convert(await noise(8), { to_format: 'png' })).toMatchObject({ ok: true });
  });

  it('starts no worker for a run that was cancelled before', async () => {
    const path = await page.put(await noise(8));
    const before = page.requests.length;
    const outcome = await page.page.evaluate(
      `convert('${path}', { to_format: 'png' }, { signal: AbortSignal.abort() })`,
    );
    expect(outcome).toMatchObject({ ok: false, code: 'cancelled' });
    expect(page.requests.slice(before).map(({ url }) => new URL(url).pathname)).toEqual([path]);
  });

  it('runs many files with few workers at a time, and all come through', async () => {
    const path = await page.put(await noise(200));
    let workersMax = 0;
    page.page.on('worker', () => {
      workersMax = Math.max(workersMax, page.page.workers().length);
    });
    const outcomes = await page.page.evaluate<{ ok: boolean }[]>(
      `Promise.all(Array.from({ length: 12 }, () => convert('${path}', { to_format: 'webp' })))`,
    );
    expect(outcomes.map(({ ok }) => ok)).toEqual(Array(12).fill(true));
    expect(workersMax).toBeGreaterThan(0);
    expect(workersMax).toBeLessThanOrEqual(4);
  });
});

describe('the bridge, when the worker', () => {
  const faults: Record<string, string> = {
    'fails to start': 'throw new Error("it fell over")',
    'fails while it runs': 'addEventListener("message", () => { throw new Error("it fell over"); })',
    'is no script': '<!doctype html>',
  };
  for (const [fault, worker] of Object.entries(faults)) {
    it(`${fault}, settles with an error`, async () => {
      const page = await openWorkerPage({ worker });
      try {
        const outcome = await page.convert(await noise(8), { to_format: 'png' });
        expect(outcome).toMatchObject({ ok: false, name: 'OperationError', code: 'internal' });
        await expect.poll(() => page.page.workers().length, GONE).toBe(0);
      } finally {
        await page.stop();
      }
    });
  }
});
