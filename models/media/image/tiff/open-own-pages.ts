import { OperationError } from '../../../core/operation/errors.ts';
import type { DecodeOptions, ImageMetadata, Picture } from '../../../core/runtime/image-codec.ts';
import type { ImageSize, Raster } from '../../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../../core/runtime/run-warnings.ts';
import { type Orientation, orientRaster } from '../../../kernels/raster/orient-raster.ts';
import { assertAnimationFits } from '../../../kernels/raster/picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { assertDistinctPages, decodePage, type InflateWithin, ZSTD } from './decode-page.ts';
import { damagedTiff, openTiff } from './directory.ts';
import {
  alphaChannel,
  PHOTOMETRIC,
  readPageAt,
  readTiffPage,
  SAMPLE_FORMAT,
  type TiffPage,
} from './page-layout.ts';
import { pageOffsets } from './pages.ts';
import { hasAlphaChannel, isLab, isShallow } from './pixel-writer.ts';

/**
 * Decoder of a page: a library, for the kinds that libvips reads right, or our own `decodePage`.
 */
type TiffDecoder = 'library' | 'own';

const { whiteIsZero, blackIsZero, rgb, palette, inks, yCbCr, cieLab, iccLab } = PHOTOMETRIC;

/** Kinds that libraries read right: bits and channels of colour by photometric interpretation. */
const LIBRARY_KINDS: Readonly<Record<number, { bits: readonly number[]; channels: number }>> = {
  [whiteIsZero]: { bits: [1, 2, 4, 8, 16], channels: 1 },
  [blackIsZero]: { bits: [1, 2, 4, 8, 16], channels: 1 },
  [rgb]: { bits: [8, 16], channels: 3 },
  [palette]: { bits: [1, 2, 4, 8], channels: 1 },
  [inks]: { bits: [8, 16], channels: 4 },
  [yCbCr]: { bits: [8], channels: 3 },
};

/** Kinds that `decodePage` reads. */
const OWN_CHANNELS: Readonly<Record<number, number>> = {
  [whiteIsZero]: 1,
  [blackIsZero]: 1,
  [rgb]: 3,
  [yCbCr]: 3,
  [cieLab]: 3,
  [iccLab]: 3,
};

/** None, LZW, Deflate in its two numbers, PackBits. */
const SHARED_COMPRESSIONS = [1, 5, 8, 32_946, 32_773];

const OWN_COMPRESSIONS: ReadonlySet<number> = new Set([...SHARED_COMPRESSIONS, ZSTD]);

/** Photometric interpretations of DNG: a matrix of colour filters, and linear samples of a camera. */
const RAW_SAMPLES: ReadonlySet<number> = new Set([32_803, 34_892]);

const OLD_JPEG = 6;

const JPEG = 7;

/** With the three of facsimiles, and JPEG. Builds of libvips differ in others, and take tiles of these for black. */
const LIBRARY_COMPRESSIONS: ReadonlySet<number> = new Set([...SHARED_COMPRESSIONS, 2, 3, 4, JPEG]);

const COMPRESSION_NAMES: ReadonlyMap<number, string> = new Map([
  [2, 'CCITT'],
  [3, 'CCITT Group 3'],
  [4, 'CCITT Group 4'],
  [JPEG, 'JPEG'],
  [ZSTD, 'ZSTD'],
  [34_661, 'JBIG'],
  [34_712, 'JPEG 2000'],
  [34_887, 'LERC'],
  [34_925, 'LZMA'],
  [50_001, 'WebP'],
  [50_002, 'JPEG XL'],
  [52_546, 'JPEG XL'],
]);

const INTEGER_BITS_MAX = 32;

/** Pages of a TIFF that one decoder reads. */
export interface TiffPlan {
  /** Pages as our own decoder reads them; null for those that are left to libraries, which read them right. */
  readonly own: OwnPages | null;
  /** Pages that libraries should read. */
  readonly frames: DecodeOptions['frames'];
  /** Loss of the other pages, where all are wanted. */
  readonly warnings: readonly RunWarning[];
}

export interface OwnPages extends ImageSize {
  readonly count: number;
  readonly hasAlpha: boolean;
  /** Whether their samples are sRGB already, whatever the file says about its colours. */
  readonly isSrgb: boolean;
  /** Bits per sample. */
  readonly depth: 8 | 16;
  /** First page, upright. */
  readonly first: Raster;
  /** Decodes the pages in order, upright. */
  rasters(): AsyncIterable<Raster>;
}

interface OwnDecoding {
  readonly frames: DecodeOptions['frames'];
  readonly orientation: Orientation;
  readonly inflate: InflateWithin;
}

/**
 * Chooses which pages of a TIFF are read, and by which decoder: all where libraries read all, or our own decoder does;
 * else the first one.
 * @throws OperationError `unprocessable` when no reader reads the first page right, saying what it is, and for damage
 */
export async function planTiffPages(file: Bytes, decoding: OwnDecoding): Promise<TiffPlan> {
  const page = readTiffPage(file);
  if (!page) return { own: null, frames: decoding.frames, warnings: [] };
  const decoder = chooseTiffDecoder(page);
  const others = decoding.frames === 'all' ? readOthers(file) : [];
  const areAlike = others.every((other) => other !== null && isAlike(other, page));
  const pages = [page, ...others.filter((other) => other !== null)];
  if (areAlike && pages.every(isLibraryKind)) return { own: null, frames: decoding.frames, warnings: [] };
  const areOwn = areAlike && pages.every(isOwnKind);
  const warnings =
    areOwn || others.length === 0 ? [] : [formatWarning('first_page', String(1 + others.length))];
  if (decoder === 'library' && !areOwn) return { own: null, frames: 'first', warnings };
  return { own: await openOwnPages(file, areOwn ? pages : [page], decoding), frames: 'first', warnings };
}

function readOthers(file: Bytes): (TiffPage | null)[] {
  const stream = openTiff(file);
  const offsets = pageOffsets(file).slice(1);
  return stream ? offsets.map((offset) => readPageAt(stream, offset)) : [];
}

/** Reports whether two pages can be frames of one image. */
function isAlike(one: TiffPage, other: TiffPage): boolean {
  return one.width === other.width && one.height === other.height && isLab(one) === isLab(other);
}

async function openOwnPages(
  file: Bytes,
  pages: readonly TiffPage[],
  { orientation, inflate }: OwnDecoding,
): Promise<OwnPages> {
  const [firstPage, ...others] = pages;
  if (!firstPage) throw damagedTiff('it has no pages');
  if (others.length > 0) {
    assertAnimationFits(firstPage, pages.length);
    assertDistinctPages(file, pages);
  }
  const depth = pages.every(isShallow) ? 8 : 16;
  const decode = async (page: TiffPage): Promise<Raster> => {
    const { width, height, data } = await decodePage(file, page, inflate, depth);
    return orientRaster({ width, height, data }, orientation);
  };
  const first = await decode(firstPage);
  return {
    width: first.width,
    height: first.height,
    count: pages.length,
    hasAlpha: pages.some(hasAlphaChannel),
    isSrgb: isLab(firstPage),
    depth,
    first,
    async *rasters() {
      yield first;
      for (const page of others) yield await decode(page);
    },
  };
}

/** Wraps pages as an image. */
export function pictureOfPages(pages: OwnPages, metadata: ImageMetadata): Picture {
  const { width, height, count, hasAlpha, depth } = pages;
  return {
    width,
    height,
    frameCount: count,
    loopCount: 0,
    hasAlpha,
    bitDepth: depth,
    metadata,
    async *frames() {
      for await (const raster of pages.rasters()) yield { ...raster, durationMs: 0 };
    },
  };
}

/**
 * Chooses the decoder of a page by an allow-list: that a library throws no error does not mean that it decodes right.
 * @throws OperationError `unprocessable` for a kind that no decoder reads right, saying what it is
 */
export function chooseTiffDecoder(page: TiffPage): TiffDecoder {
  if (isLibraryKind(page)) return 'library';
  const fault = ownFault(page);
  if (!fault) return 'own';
  throw new OperationError(
    'unprocessable',
    `The image is a TIFF of a kind that cannot be read right: ${fault}. ${adviseFor(page, fault)}`,
  );
}

/** Reports whether `decodePage` reads a page. */
function isOwnKind(page: TiffPage): boolean {
  return ownFault(page) === null;
}

/** Reports whether libraries read a page right. */
function isLibraryKind(page: TiffPage): boolean {
  const kind = LIBRARY_KINDS[page.photometric];
  if (!kind || page.sampleFormat !== SAMPLE_FORMAT.unsigned || !LIBRARY_COMPRESSIONS.has(page.compression))
    return false;
  const extra = page.samplesPerPixel - kind.channels;
  const mayHaveExtra = page.photometric !== palette && page.photometric !== inks && page.bits >= 8;
  const isAlpha = alphaChannel(page, kind.channels) !== undefined;
  const hasPlainExtra = extra === 0 || (extra === 1 && mayHaveExtra && isAlpha);
  const isPlain = !page.isPlanar || page.photometric === rgb;
  // libvips takes YCbCr for RGB, except where libjpeg converts it.
  if (page.photometric === yCbCr && page.compression !== JPEG) return false;
  return kind.bits.includes(page.bits) && page.isEven && hasPlainExtra && isPlain;
}

/** Advises what to save a page as, which is not what it already is. */
function adviseFor({ bits, photometric }: TiffPage, fault: string): string {
  if (/compression|predictor/.test(fault)) return 'Save it without compression, or with LZW or Deflate.';
  if (photometric === rgb && (bits === 8 || bits === 16))
    return 'Save it with at most one channel of opacity besides red, green and blue.';
  return 'Save it in RGB with 8 or 16 bits per sample.';
}

/** Describes why `decodePage` cannot read a page; null when it can. */
function ownFault(page: TiffPage): string | null {
  const { bits, sampleFormat, photometric, compression, predictor, samplesPerPixel } = page;
  if (
    !OWN_COMPRESSIONS.has(compression) &&
    !LIBRARY_COMPRESSIONS.has(compression) &&
    compression !== OLD_JPEG
  )
    return describeCompression(compression);
  const channels = OWN_CHANNELS[photometric];
  if (channels === undefined) return describePhotometric(page);
  if (photometric === yCbCr && (bits !== 8 || Math.max(...page.yCbCr.subsampling) > 1))
    return describePhotometric(page);
  if (!page.isEven) return 'samples of different sizes';
  if (isLab(page) && bits !== 8 && bits !== 16) return `L*a*b* samples of ${bits} bits`;
  // Samples of which the file says nothing may be anything, but for one, which is alpha.
  if (samplesPerPixel < channels || samplesPerPixel > channels + Math.max(1, page.extraSamples.length))
    return `${samplesPerPixel} samples per pixel`;
  if (!isLab(page) && sampleFormat === SAMPLE_FORMAT.signed) return `signed integer samples of ${bits} bits`;
  if (sampleFormat === SAMPLE_FORMAT.float && ![16, 32, 64].includes(bits))
    return `floating-point samples of ${bits} bits`;
  if (sampleFormat > SAMPLE_FORMAT.undefined)
    return 'samples that are neither integers nor floating-point numbers';
  if (sampleFormat !== SAMPLE_FORMAT.float && bits > INTEGER_BITS_MAX)
    return `integer samples of ${bits} bits`;
  if (predictor > (sampleFormat === SAMPLE_FORMAT.float ? 3 : 2))
    return `predictor ${predictor} for ${describeSamples(page)}`;
  if (predictor > 1 && bits % 8 !== 0) return `a predictor for ${describeSamples(page)}`;
  return OWN_COMPRESSIONS.has(compression)
    ? null
    : `${describeSamples(page)} with ${describeCompression(compression)}`;
}

function describeCompression(compression: number): string {
  return `${COMPRESSION_NAMES.get(compression) ?? `the unknown`} compression (${compression})`;
}

function describeSamples({ bits, sampleFormat, photometric }: TiffPage): string {
  if (isLab({ photometric })) return 'L*a*b* samples';
  if (photometric === yCbCr) return 'YCbCr samples';
  return `${sampleFormat === SAMPLE_FORMAT.float ? 'floating-point' : 'integer'} samples of ${bits} bits`;
}

function describePhotometric(page: TiffPage): string {
  const { photometric, isPlanar, samplesPerPixel, bits, compression, yCbCr: yCbCrLayout } = page;
  if (compression === OLD_JPEG) return 'JPEG compression of the old style';
  if (photometric === yCbCr)
    return `YCbCr of ${bits} bits at ${yCbCrLayout.subsampling.join(' x ')} subsampling`;
  if (photometric === inks)
    return `${samplesPerPixel} inks of ${bits} bits${isPlanar ? ' in separate planes' : ''}`;
  if (photometric === palette) return `a palette of ${bits} bits${isPlanar ? ' in separate planes' : ''}`;
  if (RAW_SAMPLES.has(photometric)) return "a camera's raw samples";
  return photometric < 0 ? 'no photometric interpretation' : `photometric interpretation ${photometric}`;
}
