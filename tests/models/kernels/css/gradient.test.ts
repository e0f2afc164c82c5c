import { describe, expect, it } from 'vitest';
import { countUpTo, parseAngle, parseGradient } from '../../../../models/kernels/colour/css-gradient.ts';
import { gradientBackdrop } from '../../../../models/operations/remove-bg/gradient-backdrop.ts';

/** Returns the colour, in bytes, at pixels of a painted gradient. */
function painted(
  text: string,
  width: number,
  height: number,
  ...places: [x: number, y: number][]
): number[][] {
  const gradient = parseGradient(text);
  if (!gradient) throw new Error(`${text} is no gradient`);
  const backdrop = gradientBackdrop(gradient, width, height);
  const row = new Float32Array(width * 4);
  return places.map(([x, y]) => {
    backdrop.paint(y, row);
    return Array.from(row.subarray(x * 4, x * 4 + 4), (part) => Math.round(part * 255));
  });
}

const WHITE = [255, 255, 255, 255];
const near = (value: number) => [value, value, value, 255];

describe('a linear gradient', () => {
  it('goes downwards by default', () => {
    expect(painted('linear-gradient(black, white)', 2, 255, [0, 0], [1, 127], [0, 254])).toEqual([
      near(1),
      near(128),
      near(254),
    ]);
  });

  it.each([
    ['to right', [9, 0], [0, 0]],
    ['to left', [0, 0], [9, 0]],
    ['to top', [0, 0], [0, 9]],
    ['90deg', [9, 0], [0, 0]],
    ['0.25turn', [9, 0], [0, 0]],
    ['100grad', [9, 0], [0, 0]],
    ['-90deg', [0, 0], [9, 0]],
    ['to top right', [9, 0], [0, 9]],
    ['to left bottom', [0, 9], [9, 0]],
  ] as const)('goes %s', (direction, end, start) => {
    const [last, first] = painted(`linear-gradient(${direction}, #000, #fff)`, 10, 10, [...end], [...start]);
    expect(last?.[0]).toBeGreaterThan(230);
    expect(first?.[0]).toBeLessThan(25);
  });

  it('towards a corner has one colour along the other diagonal', () => {
    const [a, b, middle] = painted(
      'linear-gradient(to bottom right, black, white)',
      400,
      100,
      [399, 0],
      [0, 99],
      [200, 50],
    );
    expect(Math.abs((a?.[0] ?? 0) - 127)).toBeLessThanOrEqual(2);
    expect(Math.abs((b?.[0] ?? 0) - 127)).toBeLessThanOrEqual(2);
    expect(Math.abs((middle?.[0] ?? 0) - 127)).toBeLessThanOrEqual(2);
  });

  it('accepts stops in per cent, in pixels, with two positions, and hard stops', () => {
    expect(
      painted(
        'linear-gradient(to right, red 25%, lime 0 50px, blue)',
        100,
        1,
        [10, 0],
        [24, 0],
        [26, 0],
        [49, 0],
        [99, 0],
      ),
    ).toEqual([
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 255, 0, 255],
      [0, expect.any(Number), expect.any(Number), 255],
    ]);
  });

  it('spreads stops without a position evenly', () => {
    const [middle] = painted('linear-gradient(90deg, #000, #fff, #000)', 101, 1, [50, 0]);
    expect(middle).toEqual(WHITE);
  });

  it('to transparent keeps its colour', () => {
    const [middle] = painted('linear-gradient(90deg, rgb(255 0 0), transparent)', 101, 1, [50, 0]);
    expect(middle).toEqual([255, 0, 0, 128]);
  });
});

describe('a radial gradient', () => {
  it('reaches the farthest corner by default', () => {
    const [centre, corner, side] = painted(
      'radial-gradient(black, white)',
      200,
      100,
      [100, 50],
      [199, 99],
      [199, 50],
    );
    expect(centre?.[0]).toBeLessThan(4);
    expect(corner?.[0]).toBeGreaterThan(250);
    expect(Math.abs((side?.[0] ?? 0) - 255 / Math.SQRT2)).toBeLessThan(3);
  });

  it.each([
    ['circle closest-side', [149, 50], WHITE],
    ['circle 10px at 20px 30px', [31, 30], WHITE],
    ['circle at left top', [0, 0], near(0)],
    ['ellipse 50% 25% at center', [100, 76], WHITE],
    ['farthest-side at 0 0', [0, 0], near(1)],
    ['circle farthest-side at top', [100, 0], near(1)],
    ['at bottom right', [199, 99], near(1)],
  ] as const)('%s', (shape, place, expected) => {
    const [found] = painted(`radial-gradient(${shape}, black, white)`, 200, 100, [...place]);
    for (const channel of [0, 3]) {
      expect(Math.abs((found?.[channel] ?? 0) - (expected[channel] ?? 0))).toBeLessThanOrEqual(4);
    }
  });

  it('has one colour when its size is 0', () => {
    expect(painted('radial-gradient(circle 0 at center, black, white)', 10, 10, [1, 1])).toEqual([WHITE]);
  });
});

describe('a string that is not a gradient', () => {
  it.each([
    'linear-gradient()',
    'linear-gradient(red)',
    'linear-gradient(to up, red, blue)',
    'linear-gradient(none, red, blue)',
    'linear-gradient(to left right, red, blue)',
    'linear-gradient(red, blurple)',
    'linear-gradient(red 1em, blue)',
    'linear-gradient(red, 50%, blue)',
    'radial-gradient(square, red, blue)',
    'radial-gradient(circle 10%, red, blue)',
    'radial-gradient(at left left, red, blue)',
    'conic-gradient(red, blue)',
    'linear-gradient(red, blue) no-repeat',
  ])('%s', (text) => {
    expect(parseGradient(text)).toBeNull();
  });
});

describe('a text of a stranger', () => {
  /** Returns numbers that count how often one of them is read. */
  function countedNumbers(count: number) {
    let reads = 0;
    const numbers = Array.from({ length: count }, (_, at) => at / count);
    const counted = new Proxy(numbers, {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    return { numbers: counted, reads: () => reads };
  }

  it.each([-1, 0, 0.37, 0.9999, 2])(
    'costs a pixel at %d a few comparisons, however many stops it has',
    (place) => {
      const { numbers, reads } = countedNumbers(1000);
      const expected = Array.from({ length: 1000 }, (_, at) => at / 1000).filter(
        (each) => each <= place,
      ).length;
      expect(countUpTo(numbers, place)).toBe(expected);
      expect(reads()).toBeLessThanOrEqual(10);
    },
  );

  it('with a thousand stops is painted as its colours say, hard edges included', () => {
    const colours = Array.from({ length: 500 }, (_, at) => (at % 2 ? '#fff' : '#000'));
    const stops = colours.map((colour, at) => `${colour} ${at * 2}px`);
    const hard = `linear-gradient(to right,${stops.slice(0, 200).join()},red 398px,lime 398px)`;
    expect(painted(hard, 1000, 1, [0, 0], [1, 0], [2, 0], [398, 0], [999, 0])).toEqual([
      near(64),
      near(191),
      near(191),
      [0, 255, 0, 255],
      [0, 255, 0, 255],
    ]);
  });

  it('is read in time that grows with its length', () => {
    const digits = '1'.repeat(1_000_000);
    expect(parseAngle(`${digits}x`)).toBeNull();
    expect(parseGradient(`linear-gradient(red ${digits}x, blue)`)).toBeNull();
  });

  it.each([
    `linear-gradient(${'9'.repeat(400)}deg, red, blue)`,
    `linear-gradient(red ${'9'.repeat(400)}px, blue)`,
    'linear-gradient(5constructor, red, blue)',
    'linear-gradient(red 5constructor, blue)',
    'radial-gradient(at constructor, red, blue)',
    'radial-gradient(at __proto__ top, red, blue)',
    `linear-gradient(red,${' '.repeat(5000)}blue)`,
  ])('that no picture can show is no gradient: %#', (text) => {
    expect(parseGradient(text)).toBeNull();
  });
});
