import { describe, expect, test } from 'vitest';
import { mixChannels } from '../../../../models/kernels/audio/mix-channels.ts';

/** Channels that are each 1 in a sample of their own: the mix shows the gain of each. */
function unitChannels(count: number): Float32Array<ArrayBuffer>[] {
  return Array.from({ length: count }, (_, channel) =>
    Float32Array.from({ length: count }, (_, at) => (at === channel ? 1 : 0)),
  );
}

const [H, M] = [Math.SQRT1_2, 0.5];

describe('channels become stereo by their speakers', () => {
  test.each([
    ['2.1', 0xb, [1, 0, 0], [0, 1, 0]],
    ['3.0', 0x7, [1, 0, H], [0, 1, H]],
    ['3.1', 0xf, [1, 0, H, 0], [0, 1, H, 0]],
    ['4.0', 0x107, [1, 0, H, M], [0, 1, H, M]],
    ['quadraphony', 0x33, [1, 0, H, 0], [0, 1, 0, H]],
    ['5.0', 0x37, [1, 0, H, H, 0], [0, 1, H, 0, H]],
    ['5.1 with sides', 0x60f, [1, 0, H, 0, H, 0], [0, 1, H, 0, 0, H]],
    ['7.1', 0x63f, [1, 0, H, 0, H, 0, H, 0], [0, 1, H, 0, 0, H, 0, H]],
  ])('%s', (_, mask, left, right) => {
    const mixed = mixChannels(unitChannels(left.length), 2, mask).map((side) => [...side]);
    expect(mixed).toEqual([[...Float32Array.from(left)], [...Float32Array.from(right)]]);
  });

  test('and by their number without a mask that fits', () => {
    const quad = mixChannels(unitChannels(4), 2);
    expect(quad).toEqual(mixChannels(unitChannels(4), 2, 0x33));
    expect(mixChannels(unitChannels(4), 2, 0x3)).toEqual(quad);
  });
});
