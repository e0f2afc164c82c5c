import { openAsBlob } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { messagesOf } from '../../../models/core/runtime/run-warnings.ts';
import { ascii, u8 } from '../../../models/media/bytes/byte-writer.ts';
import { writeWebpMetadata } from '../../../models/media/image/webp/file-code.ts';
import { createAnimatedPng } from '../../support/media/animated-png.ts';
import { convert, convertToBlob, decodeFrames, imageFixture, psnr } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const warning = (part: string) => `The file ends too early: ${part} is missing. The image itself is there.`;

const CASES = [
  ['camera.jpg', 2, 'its end marker'],
  ['camera.jpg', 1, 'its end marker'],
  ['interlaced.png', 12, 'its last chunk'],
  ['interlaced.png', 14, 'its last chunk'],
  ['interlaced.png', 3, 'its last chunk'],
  ['deep.png', 12, 'its last chunk'],
  ['animated.gif', 1, 'its trailer'],
] as const;

test.each(CASES)(
  '%s without its last %i bytes is decoded, with a warning that %s is missing',
  async (name, cut, part) => {
    const whole = await imageFixture(name);
    const { files, warnings } = await convert(whole.slice(0, whole.size - cut), { to_format: 'tiff' });
    expect(messagesOf(warnings)).toEqual([warning(part)]);
    const [expected, found] = [await decodeFrames(whole), await decodeFrames(files[0]?.blob ?? new Blob([]))];
    expect(found).toHaveLength(expected.length);
    found.forEach((frame, place) => {
      expect(psnr(expected[place] ?? frame, frame)).toBeGreaterThan(99);
    });
  },
);

test.each([
  ['camera.jpg', 6],
  ['camera.jpg', 60],
  ['interlaced.png', 24],
  ['animated.gif', 5],
] as const)('%s without its last %i bytes lacks samples, and is rejected', async (name, cut) => {
  const whole = await imageFixture(name);
  await expect(convert(whole.slice(0, whole.size - cut), { to_format: 'tiff' })).rejects.toMatchObject({
    code: 'unprocessable',
  });
});

/** Makes an animation of five frames that ends some bytes after the name of a chunk, the first of that type being 1. */
async function cutAnimation(type: 'fcTL' | 'fdAT', place: number, bytes: number): Promise<Blob> {
  const parts = Array.from({ length: 5 }, (_, index) => ({
    left: 0,
    top: 0,
    width: 16,
    height: 16,
    colour: { r: 50 * index, g: 0, b: 0, alpha: 1 },
    delay: [1, 10] as const,
  }));
  const file = await createAnimatedPng(parts, 0);
  const text = new TextDecoder('latin1').decode(file);
  let at = -1;
  for (let left = place; left > 0; left--) at = text.indexOf(type, at + 1);
  return new Blob([file.subarray(0, at + bytes)]);
}

test.each(['gif', 'webp', 'tiff'])(
  'an animated PNG that ends between two frames has the others as %s',
  async (to_format) => {
    // Four bytes of the control of the third frame; the whole one, and no samples.
    for (const file of [await cutAnimation('fcTL', 4, 8), await cutAnimation('fcTL', 4, 34)]) {
      const { files, warnings } = await convert(file, { to_format });
      expect(messagesOf(warnings)).toEqual([
        warning('its last chunk'),
        'The file ends too early: it has 3 of its 5 frames.',
      ]);
      expect(await decodeFrames(files[0]?.blob ?? new Blob([]))).toHaveLength(3);
    }
  },
);

test.each(['gif', 'webp', 'tiff'])(
  'an animated PNG that ends after its first frame has that one as %s',
  async (to_format) => {
    const { files, warnings } = await convert(await cutAnimation('fcTL', 2, 8), { to_format });
    expect(messagesOf(warnings)).toEqual([
      warning('its last chunk'),
      'The file ends too early: it has 1 of its 5 frames.',
    ]);
    expect(await decodeFrames(files[0]?.blob ?? new Blob([]))).toHaveLength(1);
  },
);

test('an animated PNG that ends within a frame is rejected, where all frames are wanted', async () => {
  for (const [place, bytes] of [
    [3, 20],
    [1, 20],
    [4, 6],
  ] as const) {
    const file = await cutAnimation('fdAT', place, bytes);
    await expect(convert(file, { to_format: 'gif' })).rejects.toMatchObject({ code: 'unprocessable' });
    const { warnings } = await convert(file, { to_format: 'png' });
    expect(messagesOf(warnings)).toEqual([
      warning('its last chunk'),
      'The image has 5 frames: only the first is kept.',
    ]);
  }
});

const gifOf = async (...cut: Uint8Array[]) => {
  const whole = new Uint8Array(await (await imageFixture('animated.gif')).arrayBuffer());
  return new Blob([whole.subarray(0, -1), ...cut]);
};

test.each([
  ['the end of the block of its last frame', async () => (await gifOf()).slice(0, -1)],
  ['a part of its comment', async () => gifOf(u8(0x21, 0xfe, 5), ascii('hel'))],
] as const)('a GIF that ends without %s has all its frames, with a warning', async (_, create) => {
  const { files, warnings } = await convert(await create(), { to_format: 'tiff' });
  expect(messagesOf(warnings)).toEqual([warning('its trailer')]);
  const expected = await decodeFrames(await imageFixture('animated.gif'));
  const found = await decodeFrames(files[0]?.blob ?? new Blob([]));
  expect(found.map(({ data }) => data)).toEqual(expected.map(({ data }) => data));
});

test('a GIF that ends within the control of another frame is rejected', async () => {
  const file = await gifOf(u8(0x21, 0xf9, 4, 0));
  await expect(convert(file, { to_format: 'gif' })).rejects.toMatchObject({ code: 'unprocessable' });
});

test('a GIF whose last block has an end and too few pixels is rejected', async () => {
  const still = new Uint8Array(
    await (await convertToBlob(await imageFixture('grey.png'), { to_format: 'gif' })).arrayBuffer(),
  );
  // The first block of its samples, without the end.
  const start = still.indexOf(0x2c, 13 + 3 * 256) + 11;
  const file = new Blob([still.subarray(0, start + 1 + (still[start] ?? 0))]);
  await expect(convert(file, { to_format: 'png' })).rejects.toMatchObject({ code: 'unprocessable' });
});

test.each([
  ['within its XMP', 5],
  ['before the padding of its XMP', 1],
] as const)('a WebP that ends %s is decoded, with a warning', async (_, bytes) => {
  const plain = new Uint8Array(await (await imageFixture('lossless.webp')).arrayBuffer());
  const { width, height } = await sharp(plain).metadata();
  const xmp = ascii(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${'x'.repeat(63)}</x:xmpmeta>`);
  expect(xmp.length % 2).toBe(1);
  const file = new Blob(writeWebpMetadata(plain, { xmp }, { width, height, hasAlpha: true }));
  const { files, warnings } = await convert(file.slice(0, -bytes), { to_format: 'png' });
  expect(messagesOf(warnings)).toEqual([warning('its last chunk')]);
  const [found] = await decodeFrames(files[0]?.blob ?? new Blob([]));
  const [expected] = await decodeFrames(new Blob([plain]));
  expect(found?.data).toEqual(expected?.data);
});

test('a WebP that ends within its samples is rejected', async () => {
  const plain = await imageFixture('lossless.webp');
  const cut = plain.slice(0, plain.size - 10);
  await expect(convert(cut, { to_format: 'png' })).rejects.toMatchObject({ code: 'unprocessable' });
});

const cut = sharedData('cases/images/jpeg-no-eoi.jpg');
test.skipIf(cut.isMissing)(
  cut.titled('a photo without its end marker is decoded with a warning'),
  { tags: ['long'] },
  async () => {
    const { warnings } = await convert(await openAsBlob(cut.path), { to_format: 'png' });
    expect(messagesOf(warnings)).toEqual([warning('its end marker')]);
  },
);
