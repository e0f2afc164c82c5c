import { expose } from 'comlink';
import { afterEach, expect, test, vi } from 'vitest';
import type { Progress, ReportProgress } from '../../../models/runtime/progress.ts';

// Types of the tests know no workers of a page.
const MODULE: string = '../../../workers/regions/enlarge-regions.ts';

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

  constructor() {
    const save = async (_: object, report: (progress: Progress) => Promise<void>) => {
      const reports = Array.from({ length: ROWS + 1 }, (_, row) => ({ fraction: row / ROWS }));
      await Promise.all(reports.map(({ fraction }) => report({ fraction, step: 'enlarging' })));
      return DONE;
    };
    expose({ open: async () => DONE, save }, this.#channel.port2);
    this.#channel.port1.start();
  }

  postMessage(message: unknown, transfer: MessagePort[]): void {
    this.#channel.port1.postMessage(message, transfer);
  }

  addEventListener(type: string, listener: EventListener): void {
    this.#channel.port1.addEventListener(type, listener);
  }

  removeEventListener(type: string, listener: EventListener): void {
    this.#channel.port1.removeEventListener(type, listener);
  }

  terminate(): void {
    this.#channel.port1.close();
    this.#channel.port2.close();
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a region that reports each of a thousand rows at once renders the page a few times', async () => {
  vi.stubGlobal('Worker', BusyWorker);
  const session = openRegions(new Blob());
  const taken: number[] = [];
  await session.save({}, new AbortController().signal, ({ fraction }) => taken.push(fraction));
  session.end();
  expect([taken[0], taken.at(-1)]).toEqual([0, 1]);
  expect(taken.length).toBeLessThan(ROWS / 10);
});
