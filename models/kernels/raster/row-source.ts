import type { FloatImage } from '../../core/runtime/raster.ts';

/** Source that is read once, row by row from the top. */
export interface RowSource {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Writes row `y` into `row`, interleaved. */
  read(y: number, row: Float32Array): void;
}

export function getRows({ width, height, channels, data }: FloatImage): RowSource {
  const length = width * channels;
  return {
    width,
    height,
    channels,
    read: (y, row) => row.set(data.subarray(y * length, (y + 1) * length)),
  };
}
