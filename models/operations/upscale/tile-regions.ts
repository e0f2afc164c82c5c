import type { ImageSize, PixelRegion } from '../../core/runtime/raster.ts';
import { scaleRegion } from '../../kernels/raster/crop.ts';
import type { UpscaleNetwork } from './plan-passes.ts';

/** Part of a line of samples that is computed at once. */
export interface Tile {
  readonly start: number;
  /**
   * Samples, equal for all tiles of a line, so that a graph is compiled for one shape; the last tile may end beyond the
   * line.
   */
  readonly length: number;
  /** Samples of the tile that are within the line. */
  readonly used: number;
}

/** Returns a tile with its surroundings, in input pixels. */
export function regionWithMargin(
  row: Tile,
  column: Tile,
  { width, height }: ImageSize,
  network: UpscaleNetwork,
): PixelRegion {
  const across = spanWithMargin(column, width, network);
  const down = spanWithMargin(row, height, network);
  return { left: across.start, top: down.start, width: across.length, height: down.length };
}

/**
 * Returns the rows or columns of a tile with those around it. All tiles of a line get the same number: at an end of the
 * line the span is moved inwards, since a network continues an image as it was trained to. The last may end beyond a
 * line whose length is no multiple.
 */
export function spanWithMargin(
  { start, length }: Tile,
  imageLength: number,
  { margin, multipleOf }: UpscaleNetwork,
): Pick<Tile, 'start' | 'length'> {
  const whole = Math.ceil(imageLength / multipleOf) * multipleOf;
  const seen = Math.min(length + 2 * margin, whole);
  return { start: Math.max(0, Math.min(start - margin, whole - seen)), length: seen };
}

/**
 * Returns the part of an enlarged tile that counts: without its surroundings, and within the image.
 * @param around the tile with its surroundings
 */
export function innerRegion(row: Tile, column: Tile, around: PixelRegion, scale: number): PixelRegion {
  return scaleRegion(
    {
      left: column.start - around.left,
      top: row.start - around.top,
      width: column.used,
      height: row.used,
    },
    scale,
  );
}

/** Half of a tile. */
interface Half {
  /** The half with as much of the other as the network sees. */
  readonly region: PixelRegion;
  /** The half within that region. */
  readonly from: PixelRegion;
  /** The half within the tile. */
  readonly to: PixelRegion;
}

/** Divides a tile across its longer side. */
export function splitTile(
  { width, height }: ImageSize,
  { margin, multipleOf }: UpscaleNetwork,
): readonly [Half, Half] {
  const isWide = width >= height;
  const length = isWide ? width : height;
  const middle = Math.floor(length / 2 / multipleOf) * multipleOf;
  const part = (start: number, end: number): PixelRegion =>
    isWide
      ? { left: start, top: 0, width: end - start, height }
      : { left: 0, top: start, width, height: end - start };
  return [
    { region: part(0, middle + margin), from: part(0, middle), to: part(0, middle) },
    {
      region: part(middle - margin, length),
      from: part(margin, margin + length - middle),
      to: part(middle, length),
    },
  ];
}

/**
 * Divides a line evenly into tiles.
 * @param length of the line, in samples
 * @param sideMax longest tile, in samples
 * @param multipleOf divisor of all starts and lengths; of `sideMax`, too
 */
export function getTiles(length: number, sideMax: number, multipleOf = 1): readonly Tile[] {
  const count = Math.ceil(length / sideMax);
  const side = Math.ceil(length / count / multipleOf) * multipleOf;
  return Array.from({ length: Math.ceil(length / side) }, (_, index) => {
    const start = index * side;
    return { start, length: side, used: Math.min(side, length - start) };
  });
}

/** Returns the pixels that a network computes for an image, with the surroundings of its tiles. */
export function tiledPixels({ width, height }: ImageSize, network: UpscaleNetwork): number {
  const { tileSide, multipleOf } = network;
  const along = (length: number) => {
    const tiles = getTiles(length, tileSide, multipleOf);
    return tiles.reduce((sum, tile) => sum + spanWithMargin(tile, length, network).length, 0);
  };
  return along(width) * along(height);
}
