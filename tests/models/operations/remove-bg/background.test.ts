import { describe, expect, it } from 'vitest';
import { getBackdrop, parseBackground } from '../../../../models/operations/remove-bg/background.ts';

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
