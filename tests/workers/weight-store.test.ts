import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { WeightCard } from '../../models/core/runtime/weight-card.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { startWeightServer, type WeightServer } from '../support/servers/weight-server.ts';
import { createWeightCard } from '../support/service/weight-files.ts';

const content = new Uint8Array(randomBytes(3_000_000));
const flipped = content.slice();
flipped[1_500_000] = (flipped[1_500_000] as number) ^ 1;

type Read = {
  ok: boolean;
  value?: { sha256: string; shown: number[] };
  error?: { code: string; message: string };
} | null;

let server: WeightServer;
let page: WorkerPage;
let card: WeightCard;
let count = 0;

beforeAll(async () => {
  server = await startWeightServer(content);
  page = await openSharedWorkerPage({ connect: [server.target.origin] });
});

afterAll(async () => {
  await page.stop();
  await server.target.stop();
});

beforeEach(() => {
  count += 1;
  card = createWeightCard(content, { id: `weights-${count}`, url: server.url });
  Object.assign(server, { breaks: 0, takesRanges: true, content, readsFirst: async () => {} });
  server.target.requests.length = 0;
});

function read(options: { isKept?: boolean; endAt?: number; urls?: string[]; on?: Page } = {}): Promise<Read> {
  const { on = page.page, urls = [server.url], ...rest } = options;
  return on.evaluate<Read>(
    `readWeights(${JSON.stringify(card)}, ${JSON.stringify(urls)}, ${JSON.stringify(rest)})`,
  );
}

const stored = async () =>
  (await page.page.evaluate<Record<string, number>>('listWeights()'))[`${card.id}.onnx`];
const starts = () =>
  server.target.requests.map(({ request }) => Number(request.headers.range?.match(/\d+/)?.[0] ?? 0));
const right = () => ({ ok: true, value: expect.objectContaining({ sha256: card.sha256 }) });
const refused = (message: RegExp) =>
  expect.objectContaining({
    ok: false,
    error: expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(message) }),
  });

describe('weights in the browser', () => {
  it('are downloaded once, with progress that rises to 1, and then read from the device', async () => {
    const first = await read();
    expect(first).toEqual(right());
    const shown = first?.value?.shown ?? [];
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    expect(shown.at(-1)).toBe(1);
    expect(await read()).toEqual(right());
    expect(starts()).toEqual([0]);
    expect(await stored()).toBe(content.length);
  });

  it('resume where the connection broke', async () => {
    server.breaks = 2;
    server.readsFirst = async () => {
      const before = starts().at(-1) as number;
      await expect.poll(stored).toBeGreaterThan(before);
    };
    expect(await read()).toEqual(right());
    const [first, second = 0, third = 0] = starts();
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan(second);
  });

  it('resume where a tab was closed', { tags: ['long'] }, async () => {
    server.breaks = Number.POSITIVE_INFINITY;
    expect(await read({ endAt: 0.1 })).toBeNull();
    const begun = (await stored()) ?? 0;
    expect(begun).toBeGreaterThan(0);
    Object.assign(server, { breaks: 0 });
    server.target.requests.length = 0;
    expect(await read()).toEqual(right());
    expect(starts()[0]).toBeGreaterThanOrEqual(begun);
  });

  it('restart where the server does not support ranges', async () => {
    server.breaks = 1;
    server.takesRanges = false;
    expect(await read()).toEqual(right());
  });

  it('are rejected, and not stored, when one byte is wrong', async () => {
    server.content = flipped;
    expect(await read()).toEqual(refused(/sent different bytes than expected/));
    expect(await stored()).toBeUndefined();
  });

  it('that are damaged on the device are never used, but downloaded again', async () => {
    await page.page.evaluate(
      `(async () => {
        const bytes = await (await fetch('${await page.put(new Blob([flipped]))}')).arrayBuffer();
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle('weights', { create: true });
        const file = await (await folder.getFileHandle('${card.id}.onnx', { create: true })).createWritable();
        await file.write(bytes);
        await file.close();
      })()`,
    );
    expect(await stored()).toBe(content.length);
    expect(await read()).toEqual(right());
    expect(starts()).toEqual([0]);
  });

  it('report which server is unreachable', { tags: ['long'] }, async () => {
    const gone = 'http://127.0.0.1:9/weights.onnx';
    expect(await read({ urls: [gone] })).toEqual(
      refused(/^weights-\d+: the weights cannot be downloaded: 127\.0\.0\.1:9 cannot be reached \(/),
    );
  });

  it('come from the next source when the first lacks them', async () => {
    expect(await read({ urls: [`${page.origin}/nothing.onnx`, server.url] })).toEqual(right());
  });

  it('are rejected by their size before they are downloaded', async () => {
    server.content = content.subarray(0, 1000);
    expect(await read()).toEqual(refused(/1000 bytes instead of 3000000/));
  });

  it('are downloaded by one of two tabs for both', { tags: ['long'] }, async () => {
    const other = await page.page.context().newPage();
    await other.goto(`${page.origin}/index.html`);
    await other.waitForFunction('globalThis.readWeights !== undefined');
    expect(await Promise.all([read(), read({ on: other })])).toEqual([right(), right()]);
    expect(starts()).toEqual([0]);
    await other.close();
  });

  it('report what to delete when storage is full, and resume once there is space', {
    tags: ['long'],
  }, async () => {
    await page.page.evaluate('listWeights()');
    const devtools = await page.page.context().newCDPSession(page.page);
    const setQuota = (quotaSize?: number) =>
      devtools.send('Storage.overrideQuotaForOrigin', {
        origin: page.origin,
        ...(quotaSize === undefined ? {} : { quotaSize }),
      });
    const usage = await page.page.evaluate<number>('navigator.storage.estimate().then(({ usage }) => usage)');
    await setQuota(usage + 1_500_000);
    expect(await read()).toEqual(
      refused(
        /no more storage for its 3\.0 MB\. Delete models in the settings \(weights-\d+\.onnx, 3\.0 MB; .*\)/,
      ),
    );
    await setQuota();
    server.target.requests.length = 0;
    expect(await read()).toEqual(right());
  });

  it('are held in memory where the browser cannot store files', async () => {
    expect(await read({ isKept: false })).toEqual(right());
    expect(await stored()).toBeUndefined();
  });
});
