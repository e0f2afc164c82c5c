import { describe, expect, it } from 'vitest';
import {
  findInvalidValues,
  floatsOf,
  floatTensor,
  tensorOf,
} from '../../../../models/core/runtime/tensor.ts';

const halves = (...values: number[]) => floatTensor('float16', [values.length], Float32Array.from(values));

describe('16-bit floats', () => {
  // Bit patterns of IEEE 754-2019, binary16.
  it.each([
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65520, 0x7c00],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 - 2 ** -12, 0x4000],
    [Number.NEGATIVE_INFINITY, 0xfc00],
  ])('%d is stored as %i', (value, bits) => {
    expect(halves(value).data[0]).toBe(bits);
  });

  it('survive a round trip, all of them', () => {
    const bits = Uint16Array.from({ length: 0x7c00 }, (_, index) => index);
    const back = floatTensor(
      'float16',
      [bits.length],
      floatsOf({ type: 'float16', dims: [bits.length], data: bits }),
    );
    expect(back.data).toEqual(bits);
  });

  it('keep NaN', () => {
    expect(floatsOf(halves(Number.NaN))[0]).toBeNaN();
  });
});

describe('a tensor from bytes', () => {
  it('may begin anywhere in a buffer', () => {
    const bytes = Buffer.concat([Buffer.from([7]), Buffer.from(Float32Array.of(1, 2).buffer)]).subarray(1);
    expect(tensorOf('float32', [2], bytes).data).toEqual(Float32Array.of(1, 2));
  });

  it('must have as many elements as its dimensions give', () => {
    expect(() => tensorOf('uint8', [2, 2], new Uint8Array(3))).toThrow(RangeError);
  });
});

it('reports values that no model should compute', () => {
  expect(findInvalidValues(halves(1, Number.NaN))).toBe('nan');
  expect(findInvalidValues(halves(0, 0))).toBe('zeros');
  expect(findInvalidValues(halves(0, 1))).toBeNull();
});
