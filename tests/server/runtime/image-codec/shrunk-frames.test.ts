import { expect, it } from 'vitest';
import { firstFrame } from '../../../../models/kernels/raster/first-frame.ts';
import { flatten } from '../../../../models/kernels/raster/opaque.ts';
import { resizeRaster } from '../../../../models/kernels/raster/resize.ts';
import { WHITE } from '../../../../models/raster.ts';
import { firstFrameOf, fixture, open, psnr } from '../../../support/images.ts';

const FILES = ['camera.jpg', 'fading.png', 'deep.png', 'fading.heic'];

it.each(FILES)('%s is read at the requested size, with the filter of our own kernels', async (name) => {
  const input = await fixture(name);
  const whole = await firstFrameOf(input);
  const sideMax = Math.round(Math.max(whole.width, whole.height) / 3);
  const shrunk = await firstFrame(await open(input), { sideMax });
  expect(Math.max(shrunk.width, shrunk.height)).toBe(sideMax);
  const expected = resizeRaster(flatten(whole, WHITE), shrunk.width, shrunk.height);
  expect(psnr(flatten(shrunk, WHITE), expected)).toBeGreaterThan(45);
});

it.each(FILES)('%s is never enlarged', async (name) => {
  const picture = await open(await fixture(name));
  const { width, height } = await firstFrame(picture, { sideMax: 10_000 });
  expect([width, height]).toEqual([picture.width, picture.height]);
});
