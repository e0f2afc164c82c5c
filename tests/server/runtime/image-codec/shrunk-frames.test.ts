import { expect, it } from 'vitest';
import { WHITE } from '../../../../models/core/runtime/raster.ts';
import { firstFrame } from '../../../../models/kernels/raster/picture.ts';
import { flatten } from '../../../../models/kernels/raster/pixel-format.ts';
import { resizeRaster } from '../../../../models/kernels/raster/resize.ts';
import { decodeFirstFrame, decodeImage, imageFixture, psnr } from '../../../support/media/images.ts';

const FILES = ['camera.jpg', 'fading.png', 'deep.png', 'fading.heic'];

it.each(FILES)('%s is read at the requested size, with the filter of our own kernels', async (name) => {
  const input = await imageFixture(name);
  const whole = await decodeFirstFrame(input);
  const sideMax = Math.round(Math.max(whole.width, whole.height) / 3);
  const shrunk = await firstFrame(await decodeImage(input), { sideMax });
  expect(Math.max(shrunk.width, shrunk.height)).toBe(sideMax);
  const expected = resizeRaster(flatten(whole, WHITE), shrunk.width, shrunk.height);
  expect(psnr(flatten(shrunk, WHITE), expected)).toBeGreaterThan(45);
});

it.each(FILES)('%s is never enlarged', async (name) => {
  const picture = await decodeImage(await imageFixture(name));
  const { width, height } = await firstFrame(picture, { sideMax: 10_000 });
  expect([width, height]).toEqual([picture.width, picture.height]);
});
