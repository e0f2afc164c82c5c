import type { ImageSize } from '../../core/runtime/raster.ts';
import { type Region, scaleRegion } from '../../kernels/raster/crop-raster.ts';
import type { Tile } from './enlarge/tiles.ts';
import type { UpscaleNetwork } from './networks.ts';

/** Returns a tile with its surroundings, in input pixels. */
export function regionWithMargin(
  row: Tile,
  column: Tile,
  { width, height }: ImageSize,
  network: UpscaleNetwork,
): Region {
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
export function innerRegion(row: Tile, column: Tile, around: Region, scale: number): Region {
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
  readonly region: Region;
  /** The half within that region. */
  readonly from: Region;
  /** The half within the tile. */
  readonly to: Region;
}

/** Divides a tile across its longer side. */
export function splitTile(
  { width, height }: ImageSize,
  { margin, multipleOf }: UpscaleNetwork,
): readonly [Half, Half] {
  const isWide = width >= height;
  const length = isWide ? width : height;
  const middle = Math.floor(length / 2 / multipleOf) * multipleOf;
  const part = (start: number, end: number): Region =>
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
