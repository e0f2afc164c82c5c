import { describe, expect, it } from 'vitest';
import { resizeColours } from '../../../../models/kernels/raster/resize.ts';
import { getBackdrop, parseBackground } from '../../../../models/operations/remove-bg/background.ts';
import { cutOutWithMatte } from '../../../../models/operations/remove-bg/matte-edges.ts';

const SIDE = 256;
const MIDDLE = SIDE / 2;
/** Largest value below 1 that resizing leaves. */
const SOLID = 1 - 2 ** -24;
/** Disc with an edge that is soft over 4 pixels. */
const truth = Float32Array.from({ length: SIDE * SIDE }, (_, place) => {
  const distance = Math.hypot((place % SIDE) - MIDDLE, Math.floor(place / SIDE) - MIDDLE);
  return Math.min(SOLID, Math.max(0, (80 - distance) / 4));
});
const matte = { width: SIDE, height: SIDE, channels: 1, data: truth };

/** Red disc on blue, with a little fixed texture. */
const photo = () => {
  const pixels = Array.from(truth, (alpha, place) => {
    const grain = ((place * 31) % 13) - 6;
    return [30 + 190 * alpha + grain, 90 + grain, 200 - 160 * alpha + grain, 255];
  });
  return { width: SIDE, height: SIDE, data: Uint8Array.from(pixels.flat()) };
};
const colours = resizeColours(photo(), SIDE, SIDE);
const cutAgain = (seen = colours) => {
  const raster = photo();
  cutOutWithMatte(raster, seen, matte, { backdrop: null, isRefined: true, onRow: () => {} });
  return (place: number) => Array.from(raster.data.subarray(place * 4, place * 4 + 4));
};

it('cutting out with a refined matte keeps the matte', () => {
  const pixel = cutAgain();
  const errors = Array.from(truth, (alpha, place) => Math.abs((pixel(place)[3] ?? 0) / 255 - alpha));
  const edges = errors.filter((_, place) => truth[place] !== 0 && truth[place] !== SOLID);
  expect(edges.reduce((sum, error) => sum + error, 0) / edges.length).toBeLessThan(0.004);
});

it('cutting out with a refined matte ignores colours away from edges', () => {
  const center = MIDDLE * SIDE + MIDDLE;
  const unreadable = colours.data.slice();
  for (const place of [0, center]) unreadable.fill(Number.NaN, place * 3, place * 3 + 3);
  const pixel = cutAgain({ ...colours, data: unreadable });
  expect(pixel(0)).toEqual([0, 0, 0, 0]);
  expect(pixel(center)).toEqual(Array.from(photo().data.subarray(center * 4, center * 4 + 4)));
});

it('cutting out clears the colour of transparent pixels', () => {
  const pixel = cutAgain();
  const coloured = Array.from(truth, (_, place) => pixel(place)).filter(
    ([red, green, blue, alpha]) => alpha === 0 && (red || green || blue),
  );
  expect(coloured).toEqual([]);
});

describe('a background', () => {
  it.each([
    ['transparent', 'transparent'],
    ['#fff', 'colour'],
    ['rgb(0 0 0 / 50%)', 'colour'],
    ['linear-gradient(red, blue)', 'gradient'],
    ['radial-gradient(circle, red, blue)', 'gradient'],
    ['https://example.com/beach.jpg', 'picture'],
  ])('"%s" is of the kind %s', (text, kind) => {
    expect(parseBackground(text)?.kind).toBe(kind);
  });

  it.each(['', 'blurple', 'ftp://example.com/x.png', 'file:///etc/passwd', 'url(https://example.com/x.png)'])(
    '"%s" is rejected',
    (text) => {
      expect(parseBackground(text)).toBeNull();
    },
  );

  it('that is transparent has no backdrop', () => {
    expect(getBackdrop({ kind: 'transparent' }, 2, 2)).toBeNull();
  });

  it('fills every pixel', () => {
    const colour = parseBackground('#ff000080');
    const row = new Float32Array(8);
    if (colour?.kind === 'colour') getBackdrop(colour, 2, 2)?.paint(0, row);
    expect(Array.from(row, (part) => Math.round(part * 255))).toEqual([255, 0, 0, 128, 255, 0, 0, 128]);
  });
});
