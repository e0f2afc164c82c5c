import { OperationError } from '../../../core/operation/errors.ts';
import { PHOTOMETRIC, SAMPLE_FORMAT, type TiffPage } from './page-layout.ts';

/**
 * Decoder of a page: a library, for the kinds that libvips and ImageMagick both read right, or our own `decodePage`.
 */
export type TiffDecoder = 'library' | 'own';

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
const OWN_COMPRESSIONS: ReadonlySet<number> = new Set([1, 5, 8, 32_946, 32_773]);
/** Photometric interpretations of DNG: a matrix of colour filters, and linear samples of a camera. */
const RAW_SAMPLES: ReadonlySet<number> = new Set([32_803, 34_892]);
const OLD_JPEG = 6;
const JPEG = 7;
const INTEGER_BITS_MAX = 32;

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
    `The image is a TIFF of a kind that cannot be read right: ${fault}. Save it with 8 or 16 bits per sample, in RGB.`,
  );
}

/** Reports whether `decodePage` reads a page. */
export function isOwnKind(page: TiffPage): boolean {
  return ownFault(page) === null;
}

/** Reports whether libraries read a page right. */
export function isLibraryKind(page: TiffPage): boolean {
  const kind = LIBRARY_KINDS[page.photometric];
  if (!kind || page.sampleFormat !== SAMPLE_FORMAT.unsigned || page.compression === OLD_JPEG) return false;
  const extra = page.samplesPerPixel - kind.channels;
  const mayHaveExtra = page.photometric !== palette && page.photometric !== inks && page.bits >= 8;
  const hasPlainExtra = extra === 0 || (extra === 1 && mayHaveExtra);
  const isPlain = !page.isPlanar || page.photometric === rgb;
  // libvips takes YCbCr for RGB, except where libjpeg converts it.
  if (page.photometric === yCbCr && page.compression !== JPEG) return false;
  return kind.bits.includes(page.bits) && page.isEven && hasPlainExtra && isPlain;
}

/** Describes why `decodePage` cannot read a page; null when it can. */
function ownFault(page: TiffPage): string | null {
  const { bits, sampleFormat, photometric, compression, predictor, samplesPerPixel } = page;
  const channels = OWN_CHANNELS[photometric];
  if (channels === undefined) return describePhotometric(page);
  const isLab = photometric === cieLab || photometric === iccLab;
  if (photometric === yCbCr && (bits !== 8 || Math.max(...page.yCbCr.subsampling) > 1))
    return describePhotometric(page);
  if (!page.isEven) return 'samples of different sizes';
  if (isLab && bits !== 8 && bits !== 16) return `L*a*b* samples of ${bits} bits`;
  if (samplesPerPixel < channels || samplesPerPixel > channels + 1)
    return `${samplesPerPixel} samples per pixel`;
  if (!isLab && sampleFormat === SAMPLE_FORMAT.signed) return `signed integer samples of ${bits} bits`;
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
    : `${describeSamples(page)} with compression ${compression}`;
}

function describeSamples({ bits, sampleFormat, photometric }: TiffPage): string {
  if (photometric === cieLab || photometric === iccLab) return 'L*a*b* samples';
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
