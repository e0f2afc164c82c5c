import { describe, expect, test } from 'vitest';
import { encodeByPlan, planGraphics } from '../../../../../models/media/image/codec/graphics-coding.ts';

const DRAWING = { flatShare: 0.9, softShare: 0.01, colourEdges: 0.2 };
const GRAY_DRAWING = { ...DRAWING, colourEdges: 0 };
const PHOTOGRAPH = { flatShare: 0.1, softShare: 0.5, colourEdges: 0.02 };
const CAPTIONED = { ...PHOTOGRAPH, colourEdges: 0.2 };
const SIZE = { width: 100, height: 80 };

describe('planGraphics', () => {
  test('codes photographs as usual', () => {
    for (const format of ['jpeg', 'webp', 'avif', 'png'] as const) {
      expect(planGraphics(PHOTOGRAPH, { format, quality: 92, ...SIZE })).toBeNull();
    }
  });

  test.each([DRAWING, CAPTIONED])('tries full colour resolution first: %o', (measure) => {
    const jpeg = planGraphics(measure, { format: 'jpeg', quality: 92, ...SIZE });
    expect(jpeg?.codings[0]).toEqual({ quality: 92, chroma: '4:4:4' });
    const webp = planGraphics(measure, { format: 'webp', quality: 92, ...SIZE });
    expect(webp?.codings.map(({ losslessLevel }) => losslessLevel)).toEqual([100, 60, 40, 20]);
    expect(webp?.last).toEqual({ quality: 92, chroma: 'sharp' });
  });

  test('codes a gray drawing without loss only where that is smaller', () => {
    expect(planGraphics(GRAY_DRAWING, { format: 'webp', quality: 92, ...SIZE })).toMatchObject({
      growthMax: 1,
    });
    const jpeg = planGraphics(GRAY_DRAWING, { format: 'jpeg', quality: 92, ...SIZE });
    expect(jpeg).toMatchObject({ codings: [], last: { quality: 92, chroma: '4:2:0' } });
  });

  test('keeps every sample of a drawing in WebP at 100', () => {
    const plan = planGraphics(CAPTIONED, { format: 'webp', quality: 100, ...SIZE });
    expect(plan).toMatchObject({ codings: [], last: { losslessLevel: 100 } });
  });

  test('writes drawings as PNG without filters, and photographs with captions as photographs', () => {
    const options = { format: 'png', quality: 92, ...SIZE };
    expect(planGraphics(DRAWING, options)).toMatchObject({ codings: [], last: { quality: 92 } });
    expect(planGraphics(CAPTIONED, options)).toBeNull();
  });

  test('does not try to code large drawings without loss', () => {
    const large = { format: 'webp', quality: 92, width: 10_000, height: 4000 } as const;
    expect(planGraphics(DRAWING, large)).toMatchObject({ codings: [], last: { chroma: 'sharp' } });
    expect(planGraphics(GRAY_DRAWING, large)).toBeNull();
  });
});

describe('encodeByPlan', () => {
  const encodeTo = (sizes: Readonly<Record<string, number>>, tried: string[]) => {
    return async (coding?: { readonly losslessLevel?: number }) => {
      const name = coding ? String(coding.losslessLevel ?? 'sharp') : 'usual';
      tried.push(name);
      return new Uint8Array(sizes[name] ?? 0);
    };
  };
  const plan = planGraphics(DRAWING, { format: 'webp', quality: 92, ...SIZE });
  if (!plan) throw new Error('no plan');

  test.each([
    [{ usual: 90, 100: 120 }, ['usual', '100'], 120],
    [{ usual: 90, 100: 121, 60: 110 }, ['usual', '100', '60'], 110],
    [
      { usual: 90, 100: 200, 60: 180, 40: 150, 20: 130, sharp: 95 },
      ['usual', '100', '60', '40', '20', 'sharp'],
      95,
    ],
    [{ usual: 90, 100: 500, sharp: 95 }, ['usual', '100', 'sharp'], 95],
  ])('takes the first file that is small enough: %o', async (sizes, expected, bytes) => {
    const tried: string[] = [];
    const file = await encodeByPlan(plan, encodeTo(sizes, tried));
    expect([tried, file.length]).toEqual([expected, bytes]);
  });

  test('takes the usual file when no other coding remains', async () => {
    const gray = planGraphics(GRAY_DRAWING, { format: 'webp', quality: 92, ...SIZE });
    if (!gray) throw new Error('no plan');
    expect(await encodeByPlan(gray, encodeTo({ usual: 90, 100: 91 }, []))).toHaveLength(90);
  });
});
