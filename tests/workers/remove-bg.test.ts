import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageRun, WorkerPage } from '../../lab/support/worker-page.ts';
import { OPERATIONS, WEIGHTS } from '../../models/registry.ts';
import { NodeInference } from '../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { WeightStore } from '../../server/runtime/weight-store/index.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { drawSubjectPicture } from '../support/media/subject-picture.ts';

const OURS = { engine: 'matte' };

async function getAlpha(file: Uint8Array | ArrayBuffer): Promise<Buffer> {
  return sharp(file).ensureAlpha().extractChannel('alpha').raw().toBuffer();
}

async function onServer(input: Blob): Promise<ArrayBuffer> {
  const weights = new WeightStore({ directory: '/nowhere', mirror: null, isOffline: true });
  const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 1_000_000_000 });
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const { files } = await OPERATIONS['remove-bg'].execute(input, OURS, runtime);
  const [file] = files;
  if (!file) throw new Error('no file');
  return file.blob.arrayBuffer();
}

/** Returns the share of pixels whose alpha differs by more than one step of 255. */
function differing(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.filter((value, at) => Math.abs(value - (other[at] as number)) > 1).length / one.length;
}

describe('remove-bg in the browser', () => {
  let page: WorkerPage;
  let picture: Blob;
  let cutOut: PageRun;
  beforeAll(async () => {
    [page, picture] = await Promise.all([openSharedWorkerPage(), drawSubjectPicture()]);
    cutOut = await page.operate('remove-bg', picture, OURS);
  });
  afterAll(() => page.stop());

  test('cuts a subject out with the bundled model', async () => {
    expect(cutOut).toMatchObject({ ok: true, mediaType: 'image/png', engine: 'matte on wasm', warnings: [] });
    expect(cutOut).toMatchObject({ details: { original_size: '640x480' } });
    const alpha = await getAlpha(cutOut.bytes);
    expect(alpha[360 * 640 + 320]).toBeGreaterThan(200);
    expect(alpha[20 * 640 + 20]).toBeLessThan(30);
  });

  test('tells the page where the subject is before it is cut out', async () => {
    const path = await page.put(picture);
    const drafts = await page.page.evaluate<
      { width: number; middle: number; corner: number }[]
    >(`(async () => {
      const input = await (await fetch('${path}')).blob();
      const drafts = [];
      await run('remove-bg', input, { engine: 'matte' }, { onDraft: (draft) => drafts.push(draft) });
      return drafts.map(({ width, height, opacity }) => ({
        width,
        middle: opacity[Math.floor(height * 0.75) * width + Math.floor(width / 2)],
        corner: opacity[Math.floor(height / 24) * width + Math.floor(width / 32)],
      }));
    })()`);
    expect(drafts.map(({ middle, corner }) => [middle > 200, corner < 30])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(drafts[0]?.width).toBe(320);
  });

  test('gives the matte of onnxruntime-node', { tags: ['long'] }, async () => {
    const server = await getAlpha(await onServer(picture));
    expect(differing(await getAlpha(cutOut.bytes), server)).toBeLessThan(0.001);
  });

  test('uses the bundled model by default, and requests no larger one', async () => {
    expect(await page.operate('remove-bg', picture, {})).toMatchObject({ engine: 'matte on wasm' });
    const published = WEIGHTS.flatMap(({ url }) => (url === null ? [] : [new URL(url).host]));
    const asked = page.requests.map(({ url }) => new URL(url).host);
    expect(asked.filter((host) => published.includes(host))).toEqual([]);
    expect(page.requests.filter(({ url }) => url.includes('/api/'))).toEqual([]);
  });

  test('names the sources that lack a larger model when it is requested by name', async () => {
    const outcome = await page.operate('remove-bg', picture, { engine: 'u2netp' });
    expect(outcome).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(
        'u2netp: the weights cannot be downloaded: this site responded with status 404',
      ),
    });
  });

  test('uses an attached image as background', { tags: ['long'] }, async () => {
    const backdrop = sharp({ create: { width: 20, height: 10, channels: 3, background: '#8090a0' } }).png();
    const path = await page.put(new Blob([new Uint8Array(await backdrop.toBuffer())]));
    const params = { ...OURS, background: 'https://example.com/wall.png' };
    const outcome = await page.page.evaluate<{ base64: string }>(`(async () => {
      const background = await (await fetch('${path}')).blob();
      const options = { attachments: { background } };
      return operate('remove-bg', '${await page.put(picture)}', ${JSON.stringify(params)}, options);
    })()`);
    const corner = await sharp(Buffer.from(outcome.base64, 'base64'))
      .extract({ left: 4, top: 4, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer();
    expect([...corner].map((value, at) => Math.abs(value - ([128, 144, 160][at] as number)) < 12)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

test('without cross-origin isolation a picture is left to the server, at once', async () => {
  const page = await openSharedWorkerPage({ isolated: false });
  try {
    const outcome = await page.operate('remove-bg', await drawSubjectPicture(320, 240), OURS);
    expect(outcome).toMatchObject({ code: 'unavailable', message: expect.stringContaining('on the server') });
  } finally {
    await page.stop();
  }
});
