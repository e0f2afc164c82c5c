import { describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import { refineWithCloseUps, searchSmallSubjects } from '../../../models/matting/refine-with-close-ups.ts';

const WIDTH = 400;
const HEIGHT = 200;
const picture: FloatImage = {
  width: WIDTH,
  height: HEIGHT,
  channels: 3,
  data: Float32Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => at),
};

/** Matte of 100 x 100 with solid boxes, each given as left, top, width and height. */
function boxes(...given: [left: number, top: number, width: number, height: number][]): FloatImage {
  const data = new Float32Array(100 * 100);
  for (const [left, top, width, height] of given) {
    for (let y = top; y < top + height; y++) data.fill(1, y * 100 + left, y * 100 + left + width);
  }
  return { width: 100, height: 100, channels: 1, data };
}

const flat = (opacity: number): FloatImage => ({
  width: 100,
  height: 100,
  channels: 1,
  data: new Float32Array(100 * 100).fill(opacity),
});

/** Records the region of the second look, and its result. */
async function look(first: FloatImage, second = flat(0)): Promise<{ seen: FloatImage[]; matte: FloatImage }> {
  const seen: FloatImage[] = [];
  const matte = await refineWithCloseUps(picture, first, async (part) => {
    seen.push(part);
    return second;
  });
  return { seen, matte };
}

const at = ({ width, height, data }: FloatImage, x: number, y: number) =>
  data[Math.floor(y * height) * width + Math.floor(x * width)];

describe('a second look', () => {
  it('covers the subjects and a fifth of their size around them', async () => {
    const { seen } = await look(boxes([40, 40, 20, 20]));
    const [part] = seen;
    // 20 of 100, two times 0.2 x 20 + 2 more: 32 % of each side, from 34 % on.
    expect([part?.width, part?.height]).toEqual([128, 64]);
    expect(part?.data[0]).toBe((68 * WIDTH + 136) * 3);
  });

  it('covers all subjects except those much smaller than the largest', async () => {
    const { seen } = await look(boxes([10, 40, 20, 20], [60, 40, 10, 10], [90, 90, 4, 4]));
    expect(seen[0]?.width).toBe(Math.ceil(0.84 * WIDTH) - Math.floor((0 / 100) * WIDTH));
  });

  it('returns the mean of both mattes, at a finer resolution than the first', async () => {
    const { matte } = await look(boxes([40, 40, 20, 20]), flat(0.5));
    expect([matte.width, matte.height]).toEqual([625, 313]);
    expect(at(matte, 0.5, 0.5)).toBeCloseTo(0.75, 5);
    expect(at(matte, 0.36, 0.5)).toBeCloseTo(0.25, 5);
    expect(at(matte, 0.3, 0.5)).toBe(0);
  });

  it('stays within the image, also in its corners', async () => {
    for (const corner of [boxes([0, 0, 13, 17]), boxes([87, 83, 13, 17])]) {
      const { matte } = await look(corner, flat(1));
      expect(matte.data.every((value) => value >= 0 && value <= 1)).toBe(true);
      expect(matte.data.length).toBe(matte.width * matte.height);
    }
  });

  it('never makes a matte with a side above 1024', async () => {
    const { matte } = await look(boxes([50, 50, 5, 5]));
    expect(Math.max(matte.width, matte.height)).toBe(1024);
  });

  it('is skipped when the subject fills the image or is absent', async () => {
    for (const first of [boxes([2, 2, 96, 96]), boxes()]) {
      expect(await look(first)).toEqual({ seen: [], matte: first });
    }
  });
});

describe('the search for a small subject', () => {
  /** Searches by a model that finds a box in the part that begins with a colour of the image, and nothing elsewhere. */
  async function search(first: FloatImage, found: FloatImage, start: number) {
    let looks = 0;
    const matte = await searchSmallSubjects(picture, first, async (part) => {
      looks += 1;
      return part.data[0] === start ? found : flat(0);
    });
    return { looks, matte };
  }

  /** First number of the part on the lower right. */
  const LOWER_RIGHT = (90 * WIDTH + 180) * 3;

  it('returns what one of four overlapping parts shows, at its place', async () => {
    const { looks, matte } = await search(boxes(), boxes([40, 40, 20, 20]), LOWER_RIGHT);
    expect(looks).toBe(4);
    expect([matte.width, matte.height]).toEqual([182, 182]);
    expect(at(matte, 0.45 + 0.55 / 2, 0.45 + 0.55 / 2)).toBeCloseTo(1, 5);
    expect(at(matte, 0.55 / 2, 0.45 + 0.55 / 2)).toBe(0);
  });

  it.each([
    ['is large', boxes([10, 10, 60, 60])],
    ['is doubtful', { ...boxes(), data: boxes([40, 40, 20, 20]).data.map((value) => 0.8 * value) }],
  ])('leaves the first matte where what is found %s', async (_, found) => {
    const first = boxes();
    expect((await search(first, found, LOWER_RIGHT)).matte).toBe(first);
  });
});
