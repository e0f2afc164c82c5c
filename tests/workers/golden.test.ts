// @module-tag long

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { Picture } from '../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../models/core/runtime/raster.ts';
import { TARGET_FORMATS } from '../../models/operations/convert/schema.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { convertToBlob, decodeImage, imageFixture, psnr } from '../support/media/images.ts';

/**
 * Similarity of the files of both realms at quality 92, in dB. Formats not listed have the same samples: one engine
 * writes them. The palettes of GIF differ by the order of its sums, and HEIC has two builds of x265.
 */
const TARGET_DB: Record<string, number> = { gif: 32, heic: 36 };

const SOURCES = [
  'camera.jpg',
  'cmyk.jpg',
  'interlaced.png',
  'grey.png',
  'fading.png',
  'deep.png',
  'palette.png',
  'lossless.webp',
  'animated.webp',
  'animated.gif',
  'pages.tiff',
  'fading.avif',
  'fading.heic',
];

/** x265 takes seconds in WebAssembly: two sources, with and without alpha, represent all. */
const HEIC_SOURCES = new Set(['camera.jpg', 'fading.png']);

async function getFrames(picture: Picture): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of picture.frames()) frames.push(frame);
  return frames;
}

/** Compares a browser's file with a server's, both as the server reads them. */
async function expectSame(onDevice: Blob, onServer: Blob, tolerableDb: number): Promise<void> {
  const [device, server] = await Promise.all([decodeImage(onDevice, 'own'), decodeImage(onServer, 'own')]);
  expect(device.metadata).toEqual(server.metadata);
  expect(device.bitDepth).toBe(server.bitDepth);
  expect(device.frameCount).toBe(server.frameCount);
  expect(device.loopCount).toBe(server.loopCount);
  const frames = [await getFrames(device), await getFrames(server)] as const;
  expect(frames[0].map(({ durationMs }) => durationMs)).toEqual(
    frames[1].map(({ durationMs }) => durationMs),
  );
  frames[0].forEach((frame, index) => {
    expect(psnr(frames[1][index] as Frame, frame)).toBeGreaterThan(tolerableDb);
  });
}

describe('the same file in both runtimes', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openSharedWorkerPage();
  });
  afterAll(() => page.stop());

  async function compare(
    name: string,
    params: { readonly to_format: string; readonly keep_metadata?: boolean; readonly width?: number },
  ): Promise<void> {
    const input = await imageFixture(name);
    const outcome = await page.convert(input, params);
    expect(outcome).toMatchObject({ ok: true });
    const exact = 99;
    const tolerableDb = TARGET_DB[params.to_format] ?? exact;
    await expectSame(new Blob([outcome.bytes]), await convertToBlob(input, params), tolerableDb);
  }

  describe.each(SOURCES)('%s', (name) => {
    const targets = TARGET_FORMATS.filter((format) => format !== 'heic' || HEIC_SOURCES.has(name));
    test.each(targets)('gives the same image as %s', (to_format) => compare(name, { to_format }));
  });

  test.each(TARGET_FORMATS)('keeps the same metadata in %s', (to_format) =>
    compare('camera.jpg', { to_format, keep_metadata: true }),
  );

  test.each([
    ['camera.jpg', { width: 20 }],
    ['camera.jpg', { crop: { x: 3, y: 5, width: 20, height: 30 }, rotate: 90, flip: 'horizontal' }],
    ['camera.jpg', { width: 30, height: 30, fit: 'contain', rotate: 270, pad_color: '#36f' }],
    ['fading.png', { width: 17, height: 9, fit: 'fill', flip: 'vertical' }],
    ['fading.png', { width: 20, height: 20, fit: 'contain', background: '#fff' }],
    ['grey.png', { width: 20, height: 30, fit: 'contain', pad_color: '#888' }],
    ['animated.gif', { width: 20, rotate: 90 }],
    ['deep.png', { width: 11, enlarge: true }],
  ])('changes the geometry of %s alike by %j', (name, geometry) =>
    compare(name, { to_format: 'png', ...geometry }),
  );

  test('a damaged file is rejected by both', async () => {
    const input = await imageFixture('truncated.jpg');
    expect(await page.convert(input, { to_format: 'png' })).toMatchObject({ code: 'unprocessable' });
  });

  test('nothing leaves the device: every request is a GET for our own files', () => {
    const isOurs = (url: string) => new URL(url).origin === page.origin || url.startsWith('blob:');
    expect(page.requests.length).toBeGreaterThan(0);
    expect(page.requests.filter(({ method, url }) => method !== 'GET' || !isOurs(url))).toEqual([]);
  });
});

describe('on a page that is not cross-origin isolated', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openSharedWorkerPage({ isolated: false });
  });
  afterAll(() => page.stop());

  test.each(TARGET_FORMATS)(
    '%s is unavailable at once, and the message says what to do',
    async (to_format) => {
      const outcome = await page.convert(await imageFixture('fading.png'), { to_format });
      expect(outcome).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('on the server'),
      });
    },
  );
});
