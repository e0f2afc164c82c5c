import { openAsBlob } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { messagesOf } from '../../../models/core/runtime/run-warnings.ts';
import { createAnimatedPng } from '../../support/media/animated-png.ts';
import { createImageSequence } from '../../support/media/image-sequence.ts';
import { convert, convertToBlob, decodeFirstFrame, decodeFrames, psnr } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { createTiff } from '../../support/media/tiff/tiff-pages.ts';

const RED = { r: 255, g: 0, b: 0, alpha: 1 };
const GREEN = { r: 0, g: 255, b: 0, alpha: 1 };
const VEIL = { r: 0, g: 0, b: 255, alpha: 0.5 };
const WHOLE = { left: 0, top: 0, width: 8, height: 4 };
const RIGHT = { left: 4, top: 0, width: 4, height: 4 };

/** Red; green on the right half, removed again; a veil over the right half, then taken back; a veil in place. */
const animation = () =>
  createAnimatedPng(
    [
      { ...WHOLE, colour: RED, delay: [1, 2] },
      { ...RIGHT, colour: GREEN, delay: [25, 0], dispose: 1 },
      { ...RIGHT, colour: VEIL, delay: [1, 5], blend: 1, dispose: 2 },
      { ...WHOLE, colour: VEIL, delay: [1, 3], blend: 1 },
    ],
    3,
  );

const SHOWN = {
  left: [
    [255, 0, 0, 255],
    [255, 0, 0, 255],
    [255, 0, 0, 255],
    [127, 0, 128, 255],
  ],
  right: [
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 128],
    [0, 0, 255, 128],
  ],
};

async function timingOf(blob: Blob) {
  const { pages, loop, delay } = await sharp(new Uint8Array(await blob.arrayBuffer())).metadata();
  return { pages, loop, delay };
}

describe('an animated PNG', () => {
  test('becomes whole frames, as its controls say', async () => {
    const pages = await decodeFrames(
      await convertToBlob(new Blob([await animation()]), { to_format: 'tiff' }),
    );
    expect(pages).toHaveLength(4);
    pages.forEach(({ data }, place) => {
      for (const [side, at] of [
        ['left', 0],
        ['right', 4 * 4],
      ] as const) {
        const found = [...data.subarray(at, at + 4)];
        SHOWN[side][place]?.forEach((level, channel) => {
          expect(
            Math.abs((found[channel] ?? 0) - level),
            `${side} of ${place}: ${found}`,
          ).toBeLessThanOrEqual(1);
        });
      }
    });
  });

  test.each(['gif', 'webp'])('keeps frames, delays and loops as %s', async (to_format) => {
    const { files, warnings } = await convert(new Blob([await animation()]), { to_format });
    const third = to_format === 'gif' ? 330 : 333;
    expect(await timingOf(files[0]?.blob ?? new Blob([]))).toEqual({
      pages: 4,
      loop: 3,
      delay: [500, 250, 200, third],
    });
    expect(warnings).toEqual([]);
  });

  test('gives its first frame to still formats, with a warning', async () => {
    const { warnings } = await convert(new Blob([await animation()]), { to_format: 'avif' });
    expect(messagesOf(warnings)).toEqual(['The image has 4 frames: only the first is kept.']);
  });

  test('a frame beyond the image is damage', async () => {
    const broken = await createAnimatedPng(
      [
        { ...WHOLE, colour: RED, delay: [1, 2] },
        { ...RIGHT, left: 5, colour: GREEN, delay: [1, 2] },
      ],
      0,
    );
    await expect(convert(new Blob([broken]), { to_format: 'gif' })).rejects.toMatchObject({
      code: 'unprocessable',
    });
  });
});

describe.each(['avif', 'heic'] as const)('a sequence of %s', (format) => {
  const COLOURS = [
    [200, 40, 40],
    [40, 160, 60],
    [30, 60, 180],
  ] as const;
  const sequence = (plays: number, opacities?: readonly number[]) =>
    createImageSequence(format, COLOURS, {
      durationsMs: [50, 100, 250],
      plays,
      ...(opacities && { opacities }),
    });

  test.each([0, 1, 3])('keeps frames, delays and %i plays as gif and webp', async (plays) => {
    for (const to_format of ['gif', 'webp']) {
      const { files, warnings } = await convert(await sequence(plays), { to_format });
      const blob = files[0]?.blob ?? new Blob([]);
      expect(await timingOf(blob), to_format).toEqual({ pages: 3, loop: plays, delay: [50, 100, 250] });
      expect(warnings).toEqual([]);
      const frames = await decodeFrames(blob);
      COLOURS.forEach((colour, place) => {
        colour.forEach((level, channel) => {
          expect(Math.abs((frames[place]?.data[channel] ?? 0) - level), `${to_format} ${place}`).toBeLessThan(
            10,
          );
        });
      });
    }
  });

  test('keeps its opacity', async () => {
    const frames = await decodeFrames(
      await convertToBlob(await sequence(0, [255, 128, 0]), { to_format: 'webp' }),
    );
    const [whole, half, none] = frames.map(({ data }) => data[3] ?? -1);
    expect(whole).toBeGreaterThan(250);
    expect(none).toBe(0);
    expect(Math.abs((half ?? 0) - 128)).toBeLessThan(4);
  });

  test.each(['jpg', 'png', 'avif', 'heic', 'bmp'])(
    'gives its first frame to %s, with a warning',
    async (to_format) => {
      const { files, warnings } = await convert(await sequence(0), { to_format });
      expect(await decodeFrames(files[0]?.blob ?? new Blob([]))).toHaveLength(1);
      expect(messagesOf(warnings)).toEqual(['The image has 3 frames: only the first is kept.']);
    },
  );
});

test('a TIFF that begins with a reduced copy gives the full picture, and says so', async () => {
  const file = createTiff([
    { width: 8, height: 6, colour: [255, 0, 0], type: 1 },
    { width: 40, height: 30, colour: [0, 0, 255], type: 0 },
    { width: 20, height: 15, colour: [0, 255, 0], type: 1 },
  ]);
  for (const to_format of ['png', 'tiff']) {
    const { files, warnings } = await convert(new Blob([file]), { to_format });
    expect(messagesOf(warnings)).toEqual([
      'The file begins with a reduced copy of the image: the full image was read instead.',
    ]);
    const { width, height, data } = await decodeFirstFrame(files[0]?.blob ?? new Blob([]));
    expect([width, height, ...data.subarray(0, 4)]).toEqual([40, 30, 0, 0, 255, 255]);
  }
});

const LIBAVIF = sharedData('data/convert/libavif');
test
  .skipIf(LIBAVIF.isMissing)
  .each(['colors-animated-12bpc-keyframes-0-2-3.avif', 'colors-animated-8bpc-alpha-exif-xmp.avif'])(
  LIBAVIF.titled('the first frame of %s equals its primary image'),
  { tags: ['long'] },
  async (name) => {
    const path = `${LIBAVIF.path}/${name}`;
    const [sequence] = await decodeFrames(await openAsBlob(path));
    const primary = await decodeFirstFrame(await convertToBlob(await openAsBlob(path), { to_format: 'png' }));
    expect(sequence && psnr(primary, sequence)).toBeGreaterThan(35);
  },
);

const sequence = sharedData('cases/images/avif-sequence.avif');
test.skipIf(sequence.isMissing)(
  sequence.titled('four frames of 200 ms stay'),
  { tags: ['long'] },
  async () => {
    for (const to_format of ['gif', 'webp']) {
      const blob = await convertToBlob(await openAsBlob(sequence.path), { to_format });
      expect(await timingOf(blob)).toEqual({ pages: 4, loop: 0, delay: [200, 200, 200, 200] });
    }
  },
);

const reduced = sharedData('cases/images/tiff-thumbnail-first.tif');
test.skipIf(reduced.isMissing)(reduced.titled('the full picture is read'), { tags: ['long'] }, async () => {
  const { width, height } = await decodeFirstFrame(await openAsBlob(reduced.path));
  expect([width, height]).toEqual([320, 240]);
});
