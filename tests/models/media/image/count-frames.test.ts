import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ascii, concat, u8 } from '../../../../models/media/bytes/byte-writer.ts';
import { countFrames } from '../../../../models/media/image/read-contents.ts';
import { createAnimation } from '../../../support/media/animation.ts';

const getBlob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);

test.each(['gif', 'webp'] as const)('frames of an animated %s are counted', async (format) => {
  expect(await countFrames(getBlob(await createAnimation(5, format)))).toBe(5);
  expect(await countFrames(getBlob(await createAnimation(1, format)))).toBe(1);
});

test('frames of an animated PNG are counted by its acTL chunk', async () => {
  const still = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const frames = 7;
  const chunk = concat([u8(0, 0, 0, 8), ascii('acTL'), u8(0, 0, 0, frames, 0, 0, 0, 0), u8(0, 0, 0, 0)]);
  const headEnd = 8 + 25;
  const animated = concat([
    new Uint8Array(still.subarray(0, headEnd)),
    chunk,
    new Uint8Array(still.subarray(headEnd)),
  ]);
  expect(await countFrames(getBlob(animated))).toBe(frames);
  expect(await countFrames(getBlob(still))).toBe(1);
});

test('what is no animation has one frame, and a truncated GIF those that are there', async () => {
  expect(await countFrames(new Blob(['no image at all']))).toBe(1);
  expect(await countFrames(new Blob([]))).toBe(1);
  const whole = await createAnimation(5, 'gif');
  const frames = await countFrames(getBlob(whole.subarray(0, Math.floor(whole.length / 2))));
  expect(frames).toBeGreaterThanOrEqual(1);
  expect(frames).toBeLessThan(5);
});
