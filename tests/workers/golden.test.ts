// @module-tag long

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { Picture } from '../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../models/core/runtime/raster.ts';
import { TARGET_FORMATS } from '../../models/operations/convert/schema.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { convertToBlob, decodeImage, imageFixture, psnr } from '../support/media/images.ts';

/** Similarity of the two realms' decoders, in dB. Formats not listed give the same samples. */
const SOURCE_DB: Record<string, number> = {
  'camera.jpg': 60, // two colour engines
  'cmyk.jpg': 44, // no embedded CMYK profile: the server uses its own, the browser a grid of it
  'fading.avif': 33, // two methods of chroma upsampling
};

/**
 * Similarity of their encoders at quality 92. Formats not listed are lossless; white is composited in whole steps
 * (bmp).
 */
const TARGET_DB: Record<string, number> = {
  jpg: 48,
  jpeg: 48,
  webp: 40,
  avif: 36,
  gif: 32,
  heic: 36,
  bmp: 50,
};

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

async function framesOf(picture: Picture): Promise<Frame[]> {
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
  const frames = [await framesOf(device), await framesOf(server)] as const;
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
    params: { to_format: string; keep_metadata?: boolean },
  ): Promise<void> {
    const input = await imageFixture(name);
    const outcome = await page.convert(input, params);
    expect(outcome).toMatchObject({ ok: true });
    const exact = 99;
    const tolerableDb = Math.min(SOURCE_DB[name] ?? exact, TARGET_DB[params.to_format] ?? exact);
    await expectSame(new Blob([outcome.bytes]), await convertToBlob(input, params), tolerableDb);
  }

  describe.each(SOURCES)('%s', (name) => {
    const targets = TARGET_FORMATS.filter((format) => format !== 'heic' || HEIC_SOURCES.has(name));
    test.each(targets)('gives the same image as %s', (to_format) => compare(name, { to_format }));
  });

  test.each(TARGET_FORMATS)('keeps the same metadata in %s', (to_format) =>
    compare('camera.jpg', { to_format, keep_metadata: true }),
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

  test.each(TARGET_FORMATS.filter((format) => format !== 'heic'))(
    '%s is still written',
    async (to_format) => {
      expect(await page.convert(await imageFixture('fading.heic'), { to_format })).toMatchObject({
        ok: true,
      });
    },
  );

  test('heic is unavailable, and the message says what to do', async () => {
    const outcome = await page.convert(await imageFixture('fading.png'), { to_format: 'heic' });
    expect(outcome).toMatchObject({ code: 'unavailable', message: expect.stringContaining('on the server') });
  });
});
