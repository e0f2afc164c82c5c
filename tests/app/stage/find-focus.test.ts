import { expect, test } from 'vitest';
import { partInShape, shortenText, splitAt } from '../../../app/studio/stage/comparison-geometry.ts';
import { mostDetailed, mostDifferent } from '../../../app/studio/stage/find-focus.ts';

const WIDTH = 240;
const HEIGHT = 120;

/** Gray picture in which a square at (180, 90) has stripes. */
function picture(stripes: number) {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(128);
  for (let y = 80; y < 100; y++) {
    for (let x = 170; x < 190; x++)
      data.fill(x % 2 === 0 ? 128 : 128 + stripes, (y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3);
  }
  return { width: WIDTH, height: HEIGHT, data };
}

test('the finest detail and the largest difference are found where they are', () => {
  for (const { x, y } of [mostDetailed(picture(60)), mostDifferent(picture(0), picture(60))]) {
    expect(Math.abs(x * WIDTH - 180)).toBeLessThanOrEqual(20);
    expect(Math.abs(y * HEIGHT - 90)).toBeLessThanOrEqual(20);
  }
});

test('a flat picture, and two that are alike, have a point within them', () => {
  const { x, y } = mostDifferent(picture(0), picture(0));
  expect(x).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThanOrEqual(1);
});

test('the line of a video begins and ends in the middle, and comes near both edges', () => {
  expect(splitAt(0)).toBeCloseTo(0.5);
  expect(splitAt(1)).toBeCloseTo(0.5);
  expect([splitAt(0.25), splitAt(0.75)]).toEqual([expect.closeTo(0.95), expect.closeTo(0.05)]);
});

test('an image next to a result of another shape is cut to it around its middle, not distorted', () => {
  const wide = { width: 300, height: 200 };
  expect(partInShape(wide, { width: 1000, height: 1000 })).toEqual({
    left: 50,
    top: 0,
    width: 200,
    height: 200,
  });
  expect(partInShape(wide, { width: 60, height: 20 })).toEqual({ left: 0, top: 50, width: 300, height: 100 });
  expect(partInShape(wide, { width: 600, height: 400 })).toEqual({ left: 0, top: 0, ...wide });
});

test('a text that is too wide for its place ends in an ellipsis', () => {
  const getWidth = (text: string) => text.length * 10;
  expect(shortenText('before', 60, getWidth)).toBe('before');
  expect(shortenText('A · JPG 80 · 1.2 MB', 100, getWidth)).toBe('A · JPG 8…');
  expect(shortenText('A · JPG 80 · 1.2 MB', 50, getWidth)).toBe('A ·…');
  expect(shortenText('before', 5, getWidth)).toBe('…');
});
