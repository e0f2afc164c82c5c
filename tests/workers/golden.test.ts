import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Picture } from '../../models/image-codec.ts';
import { TARGET_FORMATS } from '../../models/media-convert-image/schema.ts';
import type { Frame } from '../../models/raster.ts';
import { converted, fixture, open, psnr } from '../support/images.ts';
import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';

/** How near the two realms' decoders come, in dB. Those not named give the same samples. */
const SOURCE_DB: Record<string, number> = {
  'camera.jpg': 60, // two colour engines
  'cmyk.jpg': 16, // no profile says what its inks are, and each realm has an idea of its own
  'fading.avif': 33, // chroma is drawn out in two ways
};

/** How near their encoders come at quality 92. Those not named are lossless; white goes behind in whole steps (bmp). */
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

/** x265 takes seconds in WebAssembly: two sources, with and without alpha, stand for all. */
const HEIC_SOURCES = new Set(['camera.jpg', 'fading.png']);

async function framesOf(picture: Picture): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of picture.frames()) frames.push(frame);
  return frames;
}

/** Compares a file of the browser with one of the server, both as the server reads them. */
async function expectSame(onDevice: Blob, onServer: Blob, tolerableDb: number): Promise<void> {
  const [device, server] = await Promise.all([open(onDevice, 'own'), open(onServer, 'own')]);
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

describe('the same file through both runtimes', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openWorkerPage();
  });
  afterAll(() => page.stop());

  async function compare(
    name: string,
    params: { to_format: string; keep_metadata?: boolean },
  ): Promise<void> {
    const input = await fixture(name);
    const outcome = await page.convert(input, params);
    expect(outcome).toMatchObject({ ok: true });
    const exact = 99;
    const tolerableDb = Math.min(SOURCE_DB[name] ?? exact, TARGET_DB[params.to_format] ?? exact);
    await expectSame(new Blob([outcome.bytes]), await converted(input, params), tolerableDb);
  }

  describe.each(SOURCES)('%s', (name) => {
    const targets = TARGET_FORMATS.filter((format) => format !== 'heic' || HEIC_SOURCES.has(name));
    test.each(targets)('comes out alike as %s', (to_format) => compare(name, { to_format }));
  });

  test.each(TARGET_FORMATS)('metadata is kept alike in %s', (to_format) =>
    compare('camera.jpg', { to_format, keep_metadata: true }),
  );

  test('a damaged file is refused by both', async () => {
    const input = await fixture('truncated.jpg');
    expect(await page.convert(input, { to_format: 'png' })).toMatchObject({ code: 'unprocessable' });
  });

  test('nothing leaves the device: no request but for files of our own, and none with a body', () => {
    const isOurs = (url: string) => new URL(url).origin === page.origin || url.startsWith('blob:');
    expect(page.requests.length).toBeGreaterThan(0);
    expect(page.requests.filter(({ method, url }) => method !== 'GET' || !isOurs(url))).toEqual([]);
  });
});

describe('on a page that is not cross-origin isolated', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openWorkerPage({ isolated: false });
  });
  afterAll(() => page.stop());

  test.each(TARGET_FORMATS.filter((format) => format !== 'heic'))(
    '%s is written all the same',
    async (to_format) => {
      expect(await page.convert(await fixture('fading.heic'), { to_format })).toMatchObject({ ok: true });
    },
  );

  test('heic is said to be unavailable, with what to do', async () => {
    const outcome = await page.convert(await fixture('fading.png'), { to_format: 'heic' });
    expect(outcome).toMatchObject({ code: 'unavailable', message: expect.stringContaining('on the server') });
  });
});
