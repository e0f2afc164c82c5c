import type { EncoderTuning } from '../../../core/runtime/image-codec.ts';
import { type GraphicsCoding, LOSSLESS_LEVEL_MAX } from './graphics-coding.ts';
import type { LibvipsFormat, LibvipsWriting, WebpWriting } from './libvips.ts';

/** Facts that decide how an image is written. */
export interface WritingFacts {
  /** libvips' own quality for the format, a whole number. */
  readonly quality: number;
  /** Timing of an animation that its source does not state. */
  readonly timing?: { readonly loop?: number; readonly delay?: readonly number[] };
  /** Coding of a drawing; that of photographs when absent. */
  readonly coding?: GraphicsCoding | undefined;
  readonly tuning?: EncoderTuning | undefined;
  /** Pixels of all frames. */
  readonly pixels?: number;
  /** Whether an encoder may not hold much more than the image itself. */
  readonly isLarge?: boolean;
  /** Whether the format could not hold the image otherwise. */
  readonly isCrowded?: boolean;
}

/**
 * 0 to 9. With filters a photo of 12 megapixels takes 1.2 s at 2, 10.1 MB of it, and 1.4 s at 3, 9.3 MB; without them
 * 1.8 s at 6 (libvips' default), 19.1 MB. A drawing is a fifth smaller without filters.
 */
const FILTERED_COMPRESSION = 2;

/** 0 to 9. From 1 to 2 the time doubles, and from 2 to 4 it rises sixfold, while the size falls by a tenth. */
const AVIF_EFFORT = 1;

/** Efforts of AVIF that a person may wait for. */
const AVIF_EFFORT_MAX = 3;

/**
 * Efforts of PNG by the pixels up to which they hold. From 6 to 2 the time of compression falls by a quarter, and a file
 * grows by a twentieth; the search for a palette takes most of the time of large images.
 */
const PNG_EFFORTS = [
  { pixelsMax: 25_000_000, compression: 6, paletteEffort: 7 },
  { pixelsMax: 50_000_000, compression: 4, paletteEffort: 4 },
  { pixelsMax: Number.POSITIVE_INFINITY, compression: 2, paletteEffort: 1 },
];

/** 1 to 10. Above 5 the palette search takes four times as long, for a tenth of the size. */
const GIF_EFFORT = 5;

/**
 * 0 to 6. For a photo of 12 megapixels, 4 (libwebp's default) takes twice the time of 2, for as many bytes and 0.4 dB
 * more. For 64 megapixels with alpha, 4 holds 25 bytes per pixel and 0 holds 17, at one and a half times the size.
 */
const WEBP_EFFORT = {
  usual: 2,
  large: 0,
  /** From 3 on libwebp makes the head of an image fit into the 512 KB that it may have; below, it fails. */
  crowded: 4,
};

const WEBP_EFFORT_MAX = 6;

/** 0 to 6. From 4 on, a fifth fewer bytes than from 2 for some drawings; above, seconds instead of tenths. */
const LOSSLESS_EFFORT = 4;

/**
 * Smaller files and less ringing near white, but several times slower. Trellis quantisation saves a little more, but
 * doubles the largest errors of thin lines.
 */
const DRAWING_JPEG = { progressive: true, optimiseScans: true, overshootDeringing: true };

const PLANS: { readonly [Format in LibvipsFormat]: (facts: WritingFacts) => LibvipsWriting } = {
  // As browsers do: half the colour resolution, except at full quality.
  jpeg: ({ quality, coding, tuning, isLarge = false }) => ({
    format: 'jpeg',
    quality,
    chromaSubsampling: tuning?.chroma ?? (quality === 100 || coding?.chroma === '4:4:4' ? '4:4:4' : '4:2:0'),
    // Optimised coding holds 6 bytes per pixel to save an eighth; without it a JPEG is written row by row.
    optimiseCoding: !isLarge,
    ...(coding && DRAWING_JPEG),
    ...(tuning?.isProgressive && { progressive: true }),
  }),
  png({ coding, tuning, pixels = 0 }) {
    // The fastest: filters take longer than they save.
    if (tuning?.effort === 0) return { format: 'png', compression: 1, paletteEffort: 1, isFiltered: false };
    const isFiltered = coding === undefined && tuning?.colours === undefined;
    const effort = findPngEffort(pixels);
    const compression = isFiltered ? FILTERED_COMPRESSION : effort.compression;
    return { format: 'png', ...effort, compression, isFiltered, ...paletteOf(tuning) };
  },
  webp: ({ quality, timing, coding, tuning, isLarge, isCrowded }) => ({
    format: 'webp',
    quality,
    effort: WEBP_EFFORT[isCrowded ? 'crowded' : isLarge ? 'large' : 'usual'],
    smartSubsample: coding?.chroma === 'sharp',
    ...losslessOptions(coding),
    ...(tuning?.isLossless && { lossless: true }),
    ...(tuning?.effort !== undefined && { effort: Math.round(tuning.effort * WEBP_EFFORT_MAX) }),
    ...timing,
  }),
  gif: ({ timing, tuning }) => ({ format: 'gif', effort: GIF_EFFORT, ...paletteOf(tuning), ...timing }),
  tiff: () => ({ format: 'tiff' }),
  avif: ({ quality, tuning, isLarge }) => ({
    format: 'avif',
    quality,
    effort: isLarge ? 0 : Math.round((tuning?.effort ?? AVIF_EFFORT / AVIF_EFFORT_MAX) * AVIF_EFFORT_MAX),
    chromaSubsampling: tuning?.chroma ?? '4:4:4',
  }),
};

/** Plans how libvips writes an image. */
export function planWriting(format: LibvipsFormat, facts: WritingFacts): LibvipsWriting {
  return PLANS[format](facts);
}

function findPngEffort(pixels: number): { compression: number; paletteEffort: number } {
  const { pixelsMax, ...effort } = PNG_EFFORTS.find((each) => pixels <= each.pixelsMax) ?? PNG_EFFORTS[0];
  return effort;
}

/** Returns the options of WebP without loss; none for a lossy one. */
function losslessOptions({ losslessLevel }: Partial<GraphicsCoding> = {}): Partial<WebpWriting> {
  if (losslessLevel === undefined) return {};
  const effort = LOSSLESS_EFFORT;
  return losslessLevel === LOSSLESS_LEVEL_MAX
    ? { lossless: true, effort }
    : { nearLossless: true, quality: losslessLevel, effort };
}

/** Returns the bits of a palette's indices that hold so many colours. */
function paletteOf({ colours }: EncoderTuning = {}): { paletteBits?: 1 | 2 | 4 | 8 } {
  if (colours === undefined) return {};
  const bits = Math.ceil(Math.log2(colours));
  return { paletteBits: bits <= 1 ? 1 : bits <= 2 ? 2 : bits <= 4 ? 4 : 8 };
}
