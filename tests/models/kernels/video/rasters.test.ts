import { describe, expect, test } from 'vitest';
import { alphaToI420, IMAGE_ENCODING, toI420 } from '../../../../models/kernels/colour/i420.ts';
import { evenSides, stackMatte } from '../../../../models/kernels/raster/stack-matte.ts';
import { PagedBytes } from '../../../../models/media/video/mux-video.ts';

const pixel = (red: number, green: number, blue: number, alpha = 255) => [red, green, blue, alpha];
const getRaster = (width: number, height: number, pixels: number[][]) => ({
  width,
  height,
  data: Uint8Array.from(pixels.flat()),
});

describe('even sides', () => {
  test('the last column and row are repeated', () => {
    const [one, two, three] = [pixel(1, 2, 3), pixel(4, 5, 6), pixel(7, 8, 9, 10)];
    expect(evenSides(getRaster(3, 1, [one, two, three]))).toEqual(
      getRaster(4, 2, [one, two, three, three, one, two, three, three]),
    );
  });

  test('even sides stay unchanged', () => {
    const raster = getRaster(2, 2, Array(4).fill(pixel(1, 2, 3)));
    expect(evenSides(raster)).toBe(raster);
  });
});

test('a stacked matte is opaque, with the colours above and alpha as grey below', () => {
  const raster = getRaster(1, 1, [pixel(10, 20, 30, 128)]);
  expect(stackMatte(raster)).toEqual(
    getRaster(2, 4, [...Array(4).fill(pixel(10, 20, 30)), ...Array(4).fill(pixel(128, 128, 128))]),
  );
});

describe('planes of luma and chroma', () => {
  /** 75 % colour bars: ITU-T Rec. H.273 for matrix 1, limited range, as video tools write them. */
  test.each([
    ['white', [191, 191, 191], [180, 128, 128]],
    ['yellow', [191, 191, 0], [168, 44, 136]],
    ['green', [0, 191, 0], [133, 63, 52]],
    ['red', [191, 0, 0], [51, 109, 212]],
    ['blue', [0, 0, 191], [28, 212, 120]],
    ['black', [0, 0, 0], [16, 128, 128]],
  ])('%s', (_, [red = 0, green = 0, blue = 0], expected) => {
    expect([...toI420(getRaster(1, 1, [pixel(red, green, blue)]))]).toEqual(expected);
  });

  /** ITU-T T.871, 7: what JPEG and our HEIC hold. */
  test.each([
    ['white', [255, 255, 255], [255, 128, 128]],
    ['grey', [77, 77, 77], [77, 128, 128]],
    ['red', [255, 0, 0], [76, 85, 255]],
    ['blue', [0, 0, 255], [29, 255, 107]],
    ['black', [0, 0, 0], [0, 128, 128]],
  ])('%s of an image', (_, [red = 0, green = 0, blue = 0], expected) => {
    expect([...toI420(getRaster(1, 1, [pixel(red, green, blue)]), IMAGE_ENCODING)]).toEqual(expected);
  });

  test('odd sides are halved and rounded up', () => {
    expect(toI420(getRaster(3, 3, Array(9).fill(pixel(0, 0, 0))))).toHaveLength(9 + 4 + 4);
  });

  test('alpha keeps its whole range', () => {
    expect([...alphaToI420(getRaster(2, 1, [pixel(1, 1, 1, 0), pixel(1, 1, 1, 255)]))]).toEqual([
      0, 255, 128, 128,
    ]);
  });
});

test('a file in memory can be written at any position, and overwritten', async () => {
  const file = new PagedBytes();
  const large = new Uint8Array(3_000_000).map((_, at) => at % 251);
  file.write(5, large);
  file.write(0, Uint8Array.of(9, 8, 7, 6, 5));
  file.write(1_048_575, Uint8Array.of(1, 2));
  const bytes = new Uint8Array(await file.toBlob('video/mp4').arrayBuffer());
  const expected = Uint8Array.from([9, 8, 7, 6, 5, ...large]);
  expected.set([1, 2], 1_048_575);
  expect(Buffer.compare(bytes, expected)).toBe(0);
});
