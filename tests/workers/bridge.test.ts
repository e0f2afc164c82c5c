import type { Worker } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';

/** A browser lets a busy worker continue for some seconds before it terminates it. */
const GONE = { timeout: 60_000 };

async function noise(side: number): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: 'white', noise } });
  return new Blob([new Uint8Array(await picture.jpeg().toBuffer())]);
}

/** Whether a worker carries out runs. A codec has threads, which are workers as well. */
const isForRuns = (worker: Worker) => worker.url().includes('operation.worker');

/** Returns the number of workers for runs that are alive. */
const countAlive = ({ page }: WorkerPage) => page.workers().filter(isForRuns).length;

/**
 * Counts the workers started for runs.
 * @returns how many so far
 */
function countStarted({ page }: WorkerPage): () => number {
  let count = 0;
  page.on('worker', (worker) => {
    if (isForRuns(worker)) count += 1;
  });
  return () => count;
}

describe('the bridge', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openSharedWorkerPage();
  });
  afterAll(() => page.stop());

  it('runs an operation in a worker that stays for the next one', async () => {
    const outcome = await page.convert(await noise(64), { to_format: 'png' });
    expect(outcome).toMatchObject({ ok: true, mediaType: 'image/png', warnings: [] });
    await expect.poll(() => countAlive(page), GONE).toBe(1);
  });

  it.each(['gif', 'heic'])(
    'runs the next in the same worker without loading its codec again: %s',
    { tags: ['long'] },
    async (to_format) => {
      const path = await page.put(await noise(64));
      const started = countStarted(page);
      const before = page.requests.length;
      const outcomes = await page.page.evaluate<{ ok: boolean }[]>(`(async () => {
        const outcomes = [];
        for (let index = 0; index < 3; index++) {
          outcomes.push(await convert('${path}', { to_format: '${to_format}' }));
        }
        return outcomes;
      })()`);
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true]);
      // A worker that another test left serves these runs, too.
      expect(started()).toBeLessThanOrEqual(1);
      const loads = page.requests.slice(before).filter(({ url }) => url.endsWith('.wasm'));
      expect(new Set(loads.map(({ url }) => url)).size).toBe(loads.length);
      await expect.poll(() => countAlive(page), GONE).toBe(1);
    },
  );

  it('runs the next in a new worker after a run was cancelled or failed, without affecting others', {
    tags: ['long'],
  }, async () => {
    const [path, wrong] = [await page.put(await noise(64)), await page.put(new Blob(['no image']))];
    // Progress and result arrive on channels of their own: a small image may end before its progress arrives.
    const large = await page.put(await noise(2500));
    await page.convert(await noise(64), { to_format: 'png' });
    const started = countStarted(page);
    const outcomes = await page.page.evaluate<{ ok: boolean; code?: string }[]>(`(async () => {
      const well = () => convert('${path}', { to_format: 'png' });
      const controller = new AbortController();
      const options = { signal: controller.signal, onProgress: () => controller.abort() };
      const outcomes = [await well(), await convert('${large}', { to_format: 'png' }, options), await well()];
      outcomes.push(await convert('${wrong}', { to_format: 'png' }), await well());
      return outcomes;
    })()`);
    expect(outcomes.map(({ ok, code }) => code ?? ok)).toEqual([
      ...[true, 'cancelled', true],
      ...['bad_request', true],
    ]);
    await expect.poll(started).toBe(2);
    await expect.poll(() => countAlive(page), GONE).toBe(1);
  });

  it('passes on the kind and the names of a warning', async () => {
    const outcome = await page.convert(await noise(8), { to_format: 'bmp', keep_metadata: true });
    const message = 'keep_metadata: bmp files hold no EXIF, XMP or colour profile, so none was kept.';
    expect(outcome).toMatchObject({ ok: true, warnings: [{ kind: 'no_metadata', names: ['bmp'], message }] });
  });

  it('passes on the code and the message of an error', async () => {
    const outcome = await page.convert(new Blob(['no image']), { to_format: 'png' });
    expect(outcome).toMatchObject({ ok: false, name: 'OperationError', code: 'bad_request' });
    const wrong = await page.convert(await noise(8), { to_format: 'exe' });
    expect(wrong).toMatchObject({
      ok: false,
      code: 'bad_request',
      message: expect.stringContaining('to_format'),
    });
  });

  it('reports progress that never falls and ends at 1, including the download of a codec', async () => {
    const path = await page.put(await noise(64));
    const shown = await page.page.evaluate<number[]>(`(async () => {
      const shown = [];
      await convert('${path}', { to_format: 'gif' }, { onProgress: ({ fraction }) => shown.push(fraction) });
      return shown;
    })()`);
    expect(shown).toEqual([...shown].sort((left, right) => left - right));
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.at(-1)).toBe(1);
  });

  it('cancels a run inside an encoder that cannot be interrupted', async () => {
    const path = await page.put(await noise(2000));
    const outcome = await page.page.evaluate(`(async () => {
      const controller = new AbortController();
      const onProgress = ({ fraction }) => fraction >= 0.3 && controller.abort();
      return convert('${path}', { to_format: 'avif' }, { signal: controller.signal, onProgress });
    })()`);
    expect(outcome).toMatchObject({ ok: false, name: 'OperationError', code: 'cancelled' });
    await expect.poll(() => page.page.workers().length, GONE).toBe(0);
    expect(await page.convert(await noise(8), { to_format: 'png' })).toMatchObject({ ok: true });
  });

  it('starts no worker for a run that is already cancelled', async () => {
    const path = await page.put(await noise(8));
    const before = page.requests.length;
    const outcome = await page.page.evaluate(
      `convert('${path}', { to_format: 'png' }, { signal: AbortSignal.abort() })`,
    );
    expect(outcome).toMatchObject({ ok: false, code: 'cancelled' });
    expect(page.requests.slice(before).map(({ url }) => new URL(url).pathname)).toEqual([path]);
  });

  it('runs many files with at most four workers, and all succeed', { tags: ['long'] }, async () => {
    const path = await page.put(await noise(200));
    let workersMax = countAlive(page);
    page.page.on('worker', () => {
      workersMax = Math.max(workersMax, countAlive(page));
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
      const page = await openSharedWorkerPage({ worker });
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

/** Responds immediately and reports progress afterwards, in comlink's protocol. */
const TELLS_LATE = `addEventListener('message', ({ data: { id, argumentList } }) => {
  const value = { ok: true, value: { files: [], engine: 'late', warnings: [] } };
  postMessage({ id, type: 'RAW', value });
  const tell = { id: 'late', type: 'APPLY', path: [], argumentList: [{ type: 'RAW', value: { fraction: 0.5 } }] };
  setTimeout(() => argumentList[2].value.postMessage(tell), 50);
})`;

it('the bridge reports no progress of a run that has ended', async () => {
  const page = await openSharedWorkerPage({ worker: TELLS_LATE });
  try {
    const told = await page.page.evaluate<number[]>(`(async () => {
      const told = [];
      // Comlink acknowledges on the port of the progress, once the callback has been called.
      const heard = new Promise((resolve) => {
        const { prototype } = MessagePort;
        const { postMessage } = prototype;
        prototype.postMessage = function (...given) { resolve(); return postMessage.apply(this, given); };
      });
      await run('media-convert-image', new Blob(), {}, { onProgress: ({ fraction }) => told.push(fraction) });
      await heard;
      return told;
    })()`);
    expect(told).toEqual([]);
  } finally {
    await page.stop();
  }
});

/** Never ends a cutout, and responds to a conversion at once, in comlink's protocol. */
const CONVERTS_ONLY = `addEventListener('message', ({ data: { id, argumentList } }) => {
  if (argumentList[0].value !== 'media-convert-image') return;
  postMessage({ id, type: 'RAW', value: { ok: true, value: { files: [], engine: 'converter', warnings: [] } } });
})`;

it('the bridge opens an image while all places of runs are taken', async () => {
  const page = await openSharedWorkerPage({ worker: CONVERTS_ONLY });
  try {
    const engine = await page.page.evaluate<string>(`(async () => {
      for (let place = 0; place < 4; place++) void run('remove-bg', new Blob(), {});
      return (await run('media-convert-image', new Blob(), {}, { isOpening: true })).engine;
    })()`);
    expect(engine).toBe('converter');
  } finally {
    await page.stop();
  }
});
