import type { Raster } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { openTiff, readDirectory, readNumbers, type TiffStream } from './directory.ts';

export const PHOTOMETRIC = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  inks: 5,
  yCbCr: 6,
  cieLab: 8,
  iccLab: 9,
} as const;

/** Readers treat samples of an undefined format as unsigned integers: TIFF 6.0, section 19. */
export const SAMPLE_FORMAT = { unsigned: 1, signed: 2, float: 3, undefined: 4 } as const;

/** Meaning of YCbCr samples: TIFF 6.0, section 21. */
interface YCbCrLayout {
  /** Columns and rows that share a pair of colour samples. */
  readonly subsampling: readonly [columns: number, rows: number];
  /** Shares of red and blue in luma. */
  readonly luma: readonly [red: number, blue: number];
  /** Samples of black and white for luma and both colours. */
  readonly blackWhite: readonly number[];
}

/** Layout of the samples of a TIFF's page: TIFF 6.0, sections 8, 15, 18 and 19. */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  readonly isLittle: boolean;
  readonly bits: number;
  /** Whether all samples have as many bits. */
  readonly isEven: boolean;
  readonly sampleFormat: number;
  readonly photometric: number;
  readonly compression: number;
  readonly predictor: number;
  readonly samplesPerPixel: number;
  /** Meaning of the samples beyond the colours: 0 unknown, 1 premultiplied alpha, 2 straight alpha. */
  readonly extraSamples: readonly number[];
  /** Whether each channel has its own strips or tiles. */
  readonly isPlanar: boolean;
  /** Whether the bits of a byte stand in reverse order. */
  readonly isReversed: boolean;
  readonly yCbCr: YCbCrLayout;
  /** Size of a strip or tile, and where each stands in the file. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly offsets: readonly number[];
  readonly byteCounts: readonly number[];
}

/** Raster from a TIFF. */
export interface DecodedPage extends Raster {
  readonly hasAlpha: boolean;
}

/** Values of ExtraSamples that mean alpha: TIFF 6.0, section 18. */
export const PREMULTIPLIED = 1;
const STRAIGHT = 2;

/**
 * Returns the channel that is alpha; undefined for none. Samples beyond the colours count only where the file says that
 * they are alpha, or, as programs agree, where it says nothing of the only one.
 * @param colours number of channels of colour
 */
export function alphaChannel(
  { samplesPerPixel, extraSamples }: TiffPage,
  colours: number,
): number | undefined {
  const extra = samplesPerPixel - colours;
  if (extraSamples.length === 0) return extra === 1 ? colours : undefined;
  const place = extraSamples
    .slice(0, Math.max(0, extra))
    .findIndex((kind) => kind === PREMULTIPLIED || kind === STRAIGHT);
  return place < 0 ? undefined : colours + place;
}

const LAYOUT_TAGS: ReadonlySet<number> = new Set([
  256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 317, 322, 323, 324, 325, 338, 339, 529, 530, 532,
]);

/** Reads the layout of the first page; null for what is no TIFF, or states no size. */
export function readTiffPage(file: Bytes): TiffPage | null {
  const stream = openTiff(file);
  return stream && readPageAt(stream, stream.firstOffset);
}

/** Reads the layout of a page; null where it states no size. @param offset of its directory */
export function readPageAt(stream: TiffStream, offset: number): TiffPage | null {
  const fields = readDirectory(stream, offset, LAYOUT_TAGS);
  const numbers = (tag: number) => readNumbers(fields, tag);
  const first = (tag: number, byDefault: number) => numbers(tag)[0] ?? byDefault;
  const [width, height] = [first(256, 0), first(257, 0)];
  const bits = numbers(258);
  const isTiled = numbers(324).length > 0;
  if (!width || !height) return null;
  return {
    width,
    height,
    isLittle: stream.isLittle,
    bits: bits[0] ?? 1,
    isEven: bits.every((one) => one === bits[0]),
    sampleFormat: first(339, SAMPLE_FORMAT.unsigned),
    photometric: first(262, -1),
    compression: first(259, 1),
    predictor: first(317, 1),
    samplesPerPixel: first(277, 1),
    extraSamples: numbers(338),
    isPlanar: first(284, 1) === 2,
    isReversed: first(266, 1) === 2,
    yCbCr: {
      subsampling: [numbers(530)[0] ?? 2, numbers(530)[1] ?? 2],
      luma: [numbers(529)[0] ?? 0.299, numbers(529)[2] ?? 0.114],
      blackWhite: numbers(532).length === 6 ? numbers(532) : [0, 255, 128, 255, 128, 255],
    },
    tileWidth: isTiled ? first(322, 0) : width,
    tileHeight: isTiled ? first(323, 0) : Math.min(height, first(278, height)),
    offsets: numbers(isTiled ? 324 : 273),
    byteCounts: numbers(isTiled ? 325 : 279),
  };
}
