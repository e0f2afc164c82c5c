import { describe, expect, it } from 'vitest';
import type { Raster8 } from '../../../../../models/core/runtime/raster.ts';
import { continuePattern } from '../../../../../models/operations/extend/fill/continue-pattern.ts';
import { judgeFill } from '../../../../../models/operations/extend/fill/estimate-fill.ts';

const { signal } = new AbortController();

type GetLevel = (x: number, y: number) => number;

function paint(width: number, height: number, getLevel: GetLevel): Raster8 {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const level = Math.round(getLevel(pixel % width, Math.floor(pixel / width)));
    data.fill(Math.max(0, Math.min(255, level)), pixel * 4, pixel * 4 + 3);
  }
  return { width, height, data };
}

/** Returns noise of a place, -12 to 12: the same each time. */
const getNoise = (x: number, y: number) => {
  let hash = Math.imul(x + 7919 * y + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash >>> 0) / 2 ** 31 - 1) * 12;
};
const getStripes: GetLevel = (x) => (Math.floor(x / 10) % 2 === 0 ? 30 : 240);
/** Bricks of 32 x 16 pixels with joints of two, every other row moved by half a brick. */
const getBricks: GetLevel = (x, y) => {
  const row = Math.floor(y / 16);
  const isJoint = y % 16 < 2 || (x + (row % 2) * 16) % 32 < 2;
  return (isJoint ? 190 : 110) + getNoise(x, y);
};

async function extend(
  getLevel: GetLevel,
  size: readonly [width: number, height: number],
  added: readonly [across: number, down: number],
) {
  const [width, height] = size;
  const [left, top] = added;
  const canvas = { width: width + 2 * left, height: height + 2 * top, kept: { left, top, width, height } };
  const { image, share } = await continuePattern(paint(width, height, getLevel), canvas, signal);
  let error = 0;
  if (share === 1) {
    for (let y = 0; y < canvas.height; y++) {
      for (let x = 0; x < canvas.width; x++) {
        const wanted = getLevel(x - left + 6400, y - top + 6400);
        error += Math.abs(image.data[(y * canvas.width + x) * 4] - wanted) / (canvas.width * canvas.height);
      }
    }
  }
  return { share, error };
}

describe('extending what is regular', () => {
  it('continues stripes in phase', async () => {
    expect(await extend(getStripes, [200, 150], [100, 0])).toEqual({ share: 1, error: 0 });
  });

  it('continues stripes of a broken period', async () => {
    const getSlats: GetLevel = (x) => 128 + 90 * Math.sin((2 * Math.PI * (x - 6400)) / 21.3);
    const { share, error } = await extend(
      (x, y) => getSlats(x < 6000 ? x + 6400 : x, y),
      [400, 90],
      [150, 0],
    );
    expect(share).toBe(1);
    expect(error).toBeLessThan(8);
  });

  it('continues bricks with noise on all sides', async () => {
    const { share, error } = await extend(getBricks, [320, 240], [80, 60]);
    expect(share).toBe(1);
    expect(error).toBeLessThan(12);
  });

  it('leaves the sides whose half is interrupted to the fill', async () => {
    const getInterrupted: GetLevel = (x, y) => (Math.hypot(x - 60, y - 75) < 40 ? 128 : getStripes(x, y));
    expect((await extend(getInterrupted, [200, 150], [100, 0])).share).toBe(0);
  });

  it('leaves what grows lighter, and noise, to the fill', async () => {
    expect((await extend((x) => x, [200, 150], [60, 0])).share).toBe(0);
    expect((await extend((x, y) => 128 + 8 * getNoise(x, y), [200, 150], [60, 40])).share).toBe(0);
  });

  it('ends once the signal aborts', async () => {
    const stripes = paint(272, 90, (x) => (x % 16 < 8 ? 30 : 240));
    const canvas = { width: 372, height: 90, kept: { left: 100, top: 0, width: 272, height: 90 } };
    const aborted = AbortSignal.abort(new Error('ended'));
    await expect(continuePattern(stripes, canvas, aborted)).rejects.toThrow('ended');
  });
});

describe('judging a fill', () => {
  const canvas = { width: 300, height: 150, kept: { left: 0, top: 0, width: 200, height: 150 } };
  const estimate = { quality: 0.72, weakness: null };

  it('keeps the estimate of a fill that looks like its neighbourhood', () => {
    expect(judgeFill(estimate, paint(300, 150, getStripes), canvas).quality).toBeGreaterThan(0.6);
  });

  it('lowers it for a flat and dark end of a fence', () => {
    const judged = judgeFill(
      estimate,
      paint(300, 150, (x, y) => (x < 200 ? getStripes(x, y) : 25)),
      canvas,
    );
    expect(judged.quality).toBeLessThan(0.3);
    expect(judged.weakness).toBe('structure');
  });
});
