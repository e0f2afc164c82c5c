import { describe, expect, test } from 'vitest';
import { floatTensor } from '../../../../models/core/runtime/tensor.ts';
import { imageOfTensor, imageTensor } from '../../../../models/kernels/raster/image-tensor.ts';

/** Two pixels across, one down. */
const image = { width: 2, height: 1, channels: 3, data: Float32Array.of(0.25, 0.5, 1, 0, 0.75, 0.5) };

describe('a tensor of an image', () => {
  test.each([
    ['nchw', [1, 3, 1, 2], [0.25, 0, 0.5, 0.75, 1, 0.5]],
    ['nhwc', [1, 1, 2, 3], [0.25, 0.5, 1, 0, 0.75, 0.5]],
  ] as const)('as %s', (layout, dims, values) => {
    const tensor = imageTensor(image, { type: 'float32', layout });
    expect([tensor.dims, [...tensor.data]]).toEqual([dims, values]);
    expect(imageOfTensor(tensor, layout, 3)).toEqual(image);
  });

  test('is normalised by mean and deviation per channel', () => {
    const options = { mean: [0.25, 0.5, 0], deviation: [0.5, 0.25, 2] } as const;
    const { data } = imageTensor(image, { type: 'float32', layout: 'nhwc', ...options });
    expect([...data]).toEqual([0, 0, 0.5, -0.5, 1, 0.25]);
  });

  test('in half precision holds the same values', () => {
    const tensor = imageTensor(image, { type: 'float16', layout: 'nchw' });
    expect(tensor.type).toBe('float16');
    expect(imageOfTensor(tensor, 'nchw', 3)).toEqual(image);
  });
});

describe('an image of a tensor', () => {
  const tensor = (dims: number[]) =>
    floatTensor('float32', dims, new Float32Array(dims.reduce((product, size) => product * size, 1)));

  test.each([
    ['without channels', [1, 4, 5], 'nchw'],
    ['with one channel', [1, 1, 4, 5], 'nchw'],
    ['with one channel, last', [1, 4, 5, 1], 'nhwc'],
  ] as const)('%s', (_, dims, layout) => {
    expect(imageOfTensor(tensor([...dims]), layout, 1)).toMatchObject({ width: 5, height: 4, channels: 1 });
  });

  test.each([
    ['of two images', [2, 1, 4, 5], 1],
    ['of more channels', [1, 3, 4, 5], 1],
    ['of fewer channels', [1, 1, 4, 5], 3],
    ['of no size', [1, 1, 0, 5], 1],
    ['of one dimension', [1], 1],
  ])('cannot be made %s', (_, dims, channels) => {
    expect(imageOfTensor(tensor(dims), 'nchw', channels)).toBeNull();
  });
});
