import { expose } from 'comlink';
import { afterEach, expect, test, vi } from 'vitest';
import type { Progress, ReportProgress } from '../../../models/core/runtime/progress.ts';

// Types of the tests know no workers of a page.
const MODULE: string = '../../../workers/edits/enlarge-regions.ts';

interface RegionSession {
  save(request: object, signal: AbortSignal, onProgress: ReportProgress): Promise<object>;
  end(): void;
}

const { openRegions }: { openRegions(image: Blob): RegionSession } = await import(MODULE);

const ROWS = 1000;
const DONE = { ok: true, value: {} };

/** Worker in this process that reports each of many rows at once. */
class BusyWorker {
  readonly #channel = new MessageChannel();
  readonly port = this.#channel.port1;

  constructor() {
    const save = async (_: object, report: (progress: Progress) => Promise<void>) => {
      const reports = Array.from({ length: ROWS + 1 }, (_, row) => ({ fraction: row / ROWS }));
      await Promise.all(reports.map(({ fraction }) => report({ fraction, step: 'enlarging' })));
      return DONE;
    };
    expose({ open: async () => DONE, save }, this.#channel.port2);
    this.port.start();
  }

  postMessage(...sent: Parameters<typeof this.port.postMessage>): void {
    this.port.postMessage(...sent);
  }

  addEventListener(...heard: Parameters<typeof this.port.addEventListener>): void {
    this.port.addEventListener(...heard);
  }

  removeEventListener(...heard: Parameters<typeof this.port.removeEventListener>): void {
    this.port.removeEventListener(...heard);
  }

  terminate(): void {
    this.port.close();
    this.#channel.port2.close();
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a region that reports each of a thousand rows at once renders the page a few times', async () => {
  vi.stubGlobal('Worker', BusyWorker);
  const session = openRegions(new Blob([]));
  const taken: number[] = [];
  await session.save({}, new AbortController().signal, ({ fraction }) => taken.push(fraction));
  session.end();
  expect([taken[0], taken.at(-1)]).toEqual([0, 1]);
  expect(taken.length).toBeLessThan(ROWS / 10);
});
