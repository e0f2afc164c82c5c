import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize, PixelRegion } from '../../../core/runtime/raster.ts';
import { ascii, type Bytes, box, concat, fullBox, u8, u16, u32 } from '../../bytes/byte-writer.ts';
import { type HeifItem, type HeifProperty, writeHeif } from './write-heif.ts';

/** Plan that cuts an image into equal tiles, row by row. The last column and row may extend past its edge. */
interface TilePlan {
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

interface TileLimits {
  /** An image within these limits on samples and on sides stays a single image. */
  readonly pictureSamplesMax: number;
  readonly pictureSideMax: number;
  /** Side of the tiles of a larger image. */
  readonly tileSide: number;
}

/** Encoders with 4:2:0 need even sides, and none much below a coding tree unit. */
const SIDE_MIN = 64;

/** Coded tile: its data, and the configuration box (`hvcC`, `av1C`) that a decoder needs first. */
export interface CodedTile {
  readonly configuration: Bytes;
  readonly data: Bytes;
}

/** Coded image, or a grid of tiles that covers at least the image. */
export interface CodedImage extends TilePlan {
  readonly tiles: readonly CodedTile[];
}

export interface StillParts {
  readonly width: number;
  readonly height: number;
  /** HEVC 4:2:0 by BT.601, full range; or AV1, which carries its own colour description. */
  readonly coding: 'hvc1' | 'av01';
  readonly colour: CodedImage;
  /** Monochrome, straight alpha, full range. */
  readonly alpha?: CodedImage | undefined;
  readonly metadata: ImageMetadata;
}

const CODINGS = {
  hvc1: {
    brand: 'heic',
    alphaUrn: 'urn:mpeg:hevc:2015:auxid:1\0',
    nclx: [property(box('colr', ascii('nclx'), u16(1, 13, 6), u8(0x80)))],
  },
  av01: { brand: 'avif', alphaUrn: 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', nclx: [] },
} as const;

/**
 * Assembles coded images and metadata into a HEIC or AVIF file: ISO 23008-12, with `heic` of annex B, or the AV1
 * Image File Format.
 * @returns the parts of the file in order
 */
export function assembleStill({ width, height, coding, colour, alpha, metadata }: StillParts): Bytes[] {
  const { brand, alphaUrn, nclx } = CODINGS[coding];
  const size = { width, height };
  const profile = metadata.icc ? [property(box('colr', ascii('prof'), metadata.icc))] : [];
  const items = pictureItems(size, coding, colour, [...nclx, ...profile, pixelInformation(3)], 0);
  if (alpha) {
    const auxiliary = property(fullBox('auxC', 0, 0, ascii(alphaUrn)));
    const [main, ...tiles] = pictureItems(
      size,
      coding,
      alpha,
      [pixelInformation(1), auxiliary],
      items.length,
    );
    if (main) {
      const references = [...(main.references ?? []), { type: 'auxl', to: [0] }];
      items.push({ ...main, isHidden: true, references }, ...tiles);
    }
  }
  return writeHeif(brand, ['mif1', brand, 'miaf'], [...items, ...metadataItems(metadata)]);
}

function property(bytes: Bytes, isEssential = false): HeifProperty {
  return { box: bytes, isEssential };
}

function pixelInformation(channels: 1 | 3): HeifProperty {
  return property(fullBox('pixi', 0, 0, u8(channels, ...Array<number>(channels).fill(8))));
}

function extent(width: number, height: number): HeifProperty {
  return property(fullBox('ispe', 0, 0, u32(width, height)));
}

/** Returns the image's item first, then its tiles if it is a grid. `firstPlace` is the index of the first item. */
function pictureItems(
  size: ImageSize,
  coding: StillParts['coding'],
  coded: CodedImage,
  properties: readonly HeifProperty[],
  firstPlace: number,
): HeifItem[] {
  const tileExtent = extent(coded.tileWidth, coded.tileHeight);
  const configurations = new Map<string, HeifProperty>();
  const tiles = coded.tiles.map(({ configuration, data }): HeifItem => {
    const key = configuration.join();
    const shared = configurations.get(key) ?? property(configuration, true);
    configurations.set(key, shared);
    return { type: coding, data, properties: [shared, tileExtent], isHidden: true };
  });
  if (tiles.length === 1) {
    return tiles.map(({ type, data, properties: own = [] }) => ({
      type,
      data,
      properties: [...own, ...properties, ...cropTo(size, coded)],
    }));
  }
  const grid: HeifItem = {
    type: 'grid',
    data: concat([u8(0, 1, coded.rows - 1, coded.columns - 1), u32(size.width, size.height)]),
    properties: [extent(size.width, size.height), ...properties],
    references: [{ type: 'dimg', to: tiles.map((_, index) => firstPlace + 1 + index) }],
  };
  return [grid, ...tiles];
}

/** Writes a clean aperture: the upper left part of an image that was coded larger. ISO 14496-12, 12.1.4. */
function cropTo({ width, height }: ImageSize, { tileWidth, tileHeight }: CodedImage): HeifProperty[] {
  if (width === tileWidth && height === tileHeight) return [];
  const centred = [width - tileWidth, 2, height - tileHeight, 2];
  return [property(box('clap', u32(width, 1, height, 1), u32(...centred)), true)];
}

/** Returns the items that describe the primary image, which stands first: ISO 23008-12, A.2 (Exif) and A.3 (XMP). */
export function metadataItems({ exif, xmp }: ImageMetadata): HeifItem[] {
  const references = [{ type: 'cdsc', to: [0] }];
  return [
    ...(exif ? [{ type: 'Exif', data: concat([u32(6), ascii('Exif\0\0'), exif]), references }] : []),
    ...(xmp ? [{ type: 'mime', data: xmp, contentType: 'application/rdf+xml', references }] : []),
  ];
}

/**
 * Plans the tiles.
 * @param size in samples, both at least 1
 */
export function planTiles(
  size: { readonly width: number; readonly height: number },
  limits: TileLimits,
): TilePlan {
  const { width, height } = size;
  const evenSide = (side: number): number => Math.max(SIDE_MIN, side + (side % 2));
  const isOne =
    width * height <= limits.pictureSamplesMax && Math.max(width, height) <= limits.pictureSideMax;
  const most = isOne ? limits.pictureSideMax : limits.tileSide;
  const tileWidth = Math.min(most, evenSide(width));
  const tileHeight = Math.min(most, evenSide(height));
  return {
    tileWidth,
    tileHeight,
    columns: Math.ceil(width / tileWidth),
    rows: Math.ceil(height / tileHeight),
  };
}

export function tileRegions({ tileWidth, tileHeight, columns, rows }: TilePlan): PixelRegion[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    left: (index % columns) * tileWidth,
    top: Math.floor(index / columns) * tileHeight,
    width: tileWidth,
    height: tileHeight,
  }));
}
