import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { createAnimatedPng } from '../support/media/animated-png.ts';
import { convert, decodeFrames, decodeImage, imageFixture, psnr } from '../support/media/images.ts';
import { sharedData } from '../support/media/shared-data.ts';

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

const whole = { left: 0, top: 0, width: 16, height: 16 };
const animatedPng = async () =>
  new Blob([
    await createAnimatedPng(
      [
        { ...whole, colour: { r: 255, g: 0, b: 0, alpha: 1 }, delay: [1, 2] },
        {
          ...whole,
          left: 8,
          width: 8,
          colour: { r: 0, g: 0, b: 255, alpha: 0.5 },
          delay: [1, 4],
          blend: 1,
          dispose: 1,
        },
        { ...whole, width: 8, colour: { r: 0, g: 255, b: 0, alpha: 1 }, delay: [1, 5] },
      ],
      2,
    ),
  ]);
// Chromium reads no sequence that is written by hand; that of the twin is animated PNG.
const AVIF = sharedData('cases/images/avif-sequence.avif');

const SEQUENCES = [
  { title: 'an animated PNG', isMissing: false, create: animatedPng, frames: '3' },
  {
    title: AVIF.titled('an AVIF sequence'),
    isMissing: AVIF.isMissing,
    create: () => openAsBlob(AVIF.path),
    frames: '4',
  },
];

describe.each(SEQUENCES)('$title', ({ isMissing, create, frames }) => {
  test.skipIf(isMissing)('keeps frames, delays and loops as on the server', { tags: ['long'] }, async () => {
    const input = await create();
    for (const to_format of ['gif', 'webp']) {
      const outcome = await page.convert(input, { to_format });
      expect(outcome).toMatchObject({ ok: true, warnings: [] });
      const { files } = await convert(input, { to_format });
      const [device, server] = [new Blob([outcome.bytes]), files[0]?.blob ?? new Blob([])];
      expect((await decodeImage(device)).loopCount, to_format).toBe((await decodeImage(server)).loopCount);
      const [own, expected] = [await decodeFrames(device), await decodeFrames(server)];
      expect(own.map(({ durationMs }) => durationMs)).toEqual(expected.map(({ durationMs }) => durationMs));
      // Where a frame clears all, decoders of GIF paint different colours.
      if (to_format === 'gif') continue;
      own.forEach((frame, place) => {
        expect(psnr(expected[place] ?? frame, frame), `${to_format} ${place}`).toBeGreaterThan(25);
      });
    }
  });

  test.skipIf(isMissing)('gives its first frame to jpg, with a warning', { tags: ['long'] }, async () => {
    expect(await page.convert(await create(), { to_format: 'jpg' })).toMatchObject({
      ok: true,
      warnings: [{ kind: 'lost_frames', names: [frames] }],
    });
  });
});

test.each([
  ['camera.jpg', 2],
  ['interlaced.png', 12],
  ['deep.png', 14],
  ['animated.gif', 1],
] as const)(
  '%s without its last %i bytes gives the same image and warning as on the server',
  async (name, cut) => {
    const file = await imageFixture(name);
    const input = file.slice(0, file.size - cut);
    const outcome = await page.convert(input, { to_format: 'tiff' });
    const { files, warnings } = await convert(input, { to_format: 'tiff' });
    expect(outcome).toMatchObject({ ok: true, warnings });
    const [own] = await decodeFrames(new Blob([outcome.bytes]));
    const [expected] = await decodeFrames(files[0]?.blob ?? new Blob([]));
    expect(own && expected && psnr(expected, own)).toBeGreaterThan(45);
  },
);

test.each([
  ['camera.jpg', 4],
  ['camera.jpg', 60],
  ['camera.jpg', 600],
  ['interlaced.png', 24],
] as const)('%s without its last %i bytes lacks samples, and is rejected', async (name, cut) => {
  const file = await imageFixture(name);
  const outcome = await page.convert(file.slice(0, file.size - cut), { to_format: 'tiff' });
  expect(outcome).toMatchObject({ code: 'unprocessable' });
});

const deep = sharedData('data/convert/libavif/colors-animated-12bpc-keyframes-0-2-3.avif');
test.skipIf(deep.isMissing)(
  deep.titled('a sequence of 12 bits, which browsers cannot read whole, is left to the server'),
  { tags: ['long'] },
  async () => {
    const input = await openAsBlob(deep.path);
    expect(await page.convert(input, { to_format: 'tiff' })).toMatchObject({ code: 'unavailable' });
    const { files } = await convert(input, { to_format: 'tiff' });
    expect(await decodeFrames(files[0]?.blob ?? new Blob([]))).toHaveLength(5);
  },
);
