import { describe, expect, it } from 'vitest';
import { parseColour } from '../../../../models/kernels/colour/css-colour.ts';

const inBytes = (text: string) => parseColour(text)?.map((part) => Math.round(part * 255)) ?? null;

describe('a CSS colour', () => {
  // As Chromium 156 paints them on a canvas, within 1 of 255.
  it.each([
    ['transparent', [0, 0, 0, 0]],
    ['RebeccaPurple', [102, 51, 153, 255]],
    [' white ', [255, 255, 255, 255]],
    ['#abc', [170, 187, 204, 255]],
    ['#AbC8', [170, 187, 204, 136]],
    ['#336699', [51, 102, 153, 255]],
    ['#33669980', [51, 102, 153, 128]],
    ['rgb(1, 2, 3)', [1, 2, 3, 255]],
    ['rgba(1,2,3,.5)', [1, 2, 3, 128]],
    ['rgb(1 2 3 / 50%)', [1, 2, 3, 128]],
    ['rgb(100% 0% 50%)', [255, 0, 128, 255]],
    ['rgb(300 -5 0)', [255, 0, 0, 255]],
    ['rgb(none 2 3)', [0, 2, 3, 255]],
    ['hsl(120, 100%, 25%)', [0, 128, 0, 255]],
    ['hsl(0.5turn 50% 50%)', [64, 191, 191, 255]],
    ['hsla(-120deg 100% 50% / 0.25)', [0, 0, 255, 64]],
    ['hwb(90 10% 10%)', [128, 230, 26, 255]],
    ['hwb(0 80% 80%)', [128, 128, 128, 255]],
    ['lab(100% 0 0)', [255, 255, 255, 255]],
    ['lab(29.2345% 39.3825 20.0664)', [125, 35, 41, 255]],
    ['lch(52.2345% 72.2 56.2)', [198, 93, 6, 255]],
    ['oklab(40.101% 0.1147 0.0453)', [125, 35, 41, 255]],
    ['oklch(59.69% 0.156 49.77)', [198, 93, 6, 255]],
    ['color(srgb 1 0.5 0)', [255, 128, 0, 255]],
    ['color(srgb-linear 0.5 0.5 0.5 / 0.5)', [187, 187, 187, 128]],
    ['color(display-p3 1 1 1)', [255, 255, 255, 255]],
    ['color(display-p3 0.5 0.2 0.2)', [138, 44, 48, 255]],
    ['rgb(1\f2\n3 / none)', [1, 2, 3, 0]],
    ['lab(none none none)', [0, 0, 0, 255]],
    ['hsl(120 -20% 50%)', [128, 128, 128, 255]],
    ['lab(120% 0 0)', [255, 255, 255, 255]],
  ])('%s', (text, expected) => {
    const found = inBytes(text);
    expect(found).not.toBeNull();
    found?.forEach((value, index) => {
      expect(Math.abs(value - (expected[index] as number))).toBeLessThanOrEqual(1);
    });
  });

  it.each([
    '',
    'blurple',
    'constructor',
    '#12',
    '#12345',
    'rgb(1, 2)',
    'rgb(1 2 3 4)',
    'rgb(1 2 3 / 4 / 5)',
    'rgb(1 2 x)',
    'hsl(red 50% 50%)',
    'color(toString 1 1 1)',
    'color(srgb 1 1)',
    'url(x)',
    'rgb(1 2 3',
    'rgb(1, 2 3)',
    'rgb(10%, 2, 3)',
    'rgb(none, 2, 3)',
    'rgb(1px 2 3)',
    'rgb(1deg 2 3)',
    'hsl(120, 100, 25)',
    'hwb(1, 2%, 3%)',
    'lab(1, 2, 3)',
    'oklch(1e999 1e999 1e999)',
    'color(',
    'color(constructor 1 1 1)',
    'constructor(1 2 3)',
    '__proto__',
    '336699',
    'srgb(1 2 3)',
  ])('"%s" is not a colour', (text) => {
    expect(parseColour(text)).toBeNull();
  });

  it.each(['rgb(', '(', 'rgb(1,', 'hsl(1', 'a', '#f', ' ', '1', 'rgb(1 ,'])(
    'refuses a megabyte of "%s" at once',
    (part) => {
      const text = part.repeat(1_000_000 / part.length);
      const startedAtMs = performance.now();
      expect(parseColour(text)).toBeNull();
      expect(parseColour(`rgb(${text})`)).toBeNull();
      expect(performance.now() - startedAtMs).toBeLessThan(100);
    },
  );
});
