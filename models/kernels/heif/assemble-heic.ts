import type { ImageMetadata } from '../../image-codec.ts';
import { ascii, type Bytes, box, concat, fullBox, u8, u16, u32 } from './byte-writer.ts';
import { splitHevcStill } from './hevc.ts';
import { type HeifItem, type HeifProperty, writeHeif } from './write-heif.ts';

/** A plane, or planes, coded as one HEVC picture or as a grid of equal tiles that covers at least the image. */
export interface CodedImage {
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
  /** Annex B streams row by row, each of one picture with full-range samples. */
  readonly tiles: readonly Uint8Array[];
}

export interface HeicParts {
  readonly width: number;
  readonly height: number;
  /** 4:2:0, BT.601 matrix. */
  readonly colour: CodedImage;
  /** Monochrome, straight alpha. */
  readonly alpha?: CodedImage;
  readonly metadata: ImageMetadata;
}

const ALPHA_URN = 'urn:mpeg:hevc:2015:auxid:1\0';

/**
 * Puts coded pictures and metadata into a HEIC file: ISO 23008-12, with its `heic` brand of annex B.
 * @returns the parts of the file in order
 */
export function assembleHeic({ width, height, colour, alpha, metadata }: HeicParts): Bytes[] {
  const nclx = property(box('colr', ascii('nclx'), u16(1, 13, 6), u8(0x80)));
  const profile = metadata.icc ? [property(box('colr', ascii('prof'), metadata.icc))] : [];
  const items = pictureItems({ width, height }, colour, 1, [nclx, ...profile, pixelInformation(3)], 0);
  if (alpha) {
    const auxiliary = property(fullBox('auxC', 0, 0, ascii(ALPHA_URN)));
    const [main, ...tiles] = pictureItems(
      { width, height },
      alpha,
      0,
      [pixelInformation(1), auxiliary],
      items.length,
    );
    if (main) {
      const references = [...(main.references ?? []), { type: 'auxl', to: [0] }];
      items.push({ ...main, isHidden: true, references }, ...tiles);
    }
  }
  return writeHeif('heic', ['mif1', 'heic', 'miaf'], [...items, ...metadataItems(metadata)]);
}

/** Metadata items describe the primary picture: ISO 23008-12, A.2 and A.3. */
export function metadataItems({ exif, xmp }: ImageMetadata): HeifItem[] {
  const references = [{ type: 'cdsc', to: [0] }];
  return [
    ...(exif ? [{ type: 'Exif', data: concat([u32(6), ascii('Exif\0\0'), exif]), references }] : []),
    ...(xmp ? [{ type: 'mime', data: xmp, contentType: 'application/rdf+xml', references }] : []),
  ];
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

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The picture's item first, then its tiles if it is a grid. `firstPlace` is where the first item will stand. */
function pictureItems(
  size: Size,
  coded: CodedImage,
  chromaFormat: 0 | 1,
  properties: readonly HeifProperty[],
  firstPlace: number,
): HeifItem[] {
  const tileExtent = extent(coded.tileWidth, coded.tileHeight);
  const configurations = new Map<string, HeifProperty>();
  const tiles = coded.tiles.map((stream): HeifItem => {
    const { configuration, data } = splitHevcStill(stream, chromaFormat);
    const key = configuration.join();
    const shared = configurations.get(key) ?? property(configuration, true);
    configurations.set(key, shared);
    return { type: 'hvc1', data, properties: [shared, tileExtent], isHidden: true };
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

/** Clean aperture: the left upper part of a picture that was coded larger. ISO 14496-12, 12.1.4. */
function cropTo({ width, height }: Size, { tileWidth, tileHeight }: CodedImage): HeifProperty[] {
  if (width === tileWidth && height === tileHeight) return [];
  const centred = [width - tileWidth, 2, height - tileHeight, 2];
  return [property(box('clap', u32(width, 1, height, 1), u32(...centred)), true)];
}
