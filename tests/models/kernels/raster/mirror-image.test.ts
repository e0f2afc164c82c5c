import { expect, test } from 'vitest';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import { mirrorImage } from '../../../../models/kernels/raster/orient-raster.ts';

test.each([1, 3])('a mirrored image of %d channels has each row in reverse', (channels) => {
  const [width, height] = [5, 3];
  const data = Float32Array.from({ length: width * height * channels }, (_, at) => at);
  const image: FloatImage = { width, height, channels, data };
  const mirrored = mirrorImage(image);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const place = (y * width + x) * channels;
      const other = (y * width + width - 1 - x) * channels;
      expect(mirrored.data.slice(place, place + channels)).toEqual(data.slice(other, other + channels));
    }
  }
  expect(mirrorImage(mirrored)).toEqual(image);
});
