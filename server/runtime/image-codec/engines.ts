import type { Sharp, WebpOptions } from 'sharp';
import type { DecodeOptions, EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { getStrips } from '../../../models/kernels/raster/picture.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { writeBmp } from '../../../models/media/image/bmp/write-bmp.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { clearGifTransparency } from '../../../models/media/image/gif/blocks.ts';
import { encodeHeic } from '../../../models/media/image/heif/encode-heic.ts';
import { embedMetadata } from '../../../models/media/image/metadata.ts';
import { writePng } from '../../../models/media/image/png/write-png.ts';
import {
  encodeByPlan,
  type GraphicsCoding,
  LOSSLESS_LEVEL_MAX,
} from '../../../models/media/image/quality/graphics-coding.ts';
import { encoderSetting, type ScaledEncoder } from '../../../models/media/image/quality/quality-tables.ts';
import { encodeWebpRaster } from '../../../models/media/image/webp/encode-raster.ts';
import { assertWholeScan, openBmp, openPng, openTiff } from './decode-formats.ts';
import { openHeic } from './decode-heic.ts';
import { openSequence } from './decode-sequence.ts';
import { encodeAvifGrid, needsGrid } from './encode-avif-grid.ts';
import { encodeWithSharp, readOpaqueSamples, type Saving } from './encode-with-sharp.ts';
import { encodeHevcStill } from './libx265.ts';
import { openColoured } from './open-coloured.ts';
import { planPicture } from './plan-picture.ts';
import { SharpPicture } from './sharp-picture.ts';
import { deflate } from './zlib.ts';

/** Reader and writer of one format on the server. */
export interface FormatEngine {
  /** Opens a file that is readable for strict decoders. */
  open(file: Bytes, options: DecodeOptions): Picture | Promise<Picture>;
  /** Checks that a file whose end was missing lacks no samples. Absent where the decoder notices it. */
  assertWhole?(file: Bytes): Promise<void>;
  /** Encodes an image. Returns the parts of the file in order. */
  encode(picture: Picture, options: EncodeOptions): Promise<Iterable<Bytes>>;
  /** Encodes an image of strips, one at a time. Absent where the whole image is needed. */
  encodeStrips?(picture: Picture, options: EncodeOptions): Promise<Iterable<Bytes | Blob>>;
}

/** 0 to 9. From 2 to 4 the time rises sixfold, and the size falls by a tenth. */
const AVIF_EFFORT = 2;

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

/** 0 to 6. From 4 on, a fifth fewer bytes than from 2 for some drawings; above, seconds instead of tenths. */
const LOSSLESS_EFFORT = 4;

/**
 * Smaller files and less ringing near white, but several times slower. Trellis quantisation saves a little more, but
 * doubles the largest errors of thin lines.
 */
const DRAWING_JPEG = { progressive: true, optimiseScans: true, overshootDeringing: true };

const MAJOR_BRAND_OFFSET = 8;
const AVIF_BRAND = [0x61, 0x76, 0x69, 0x66];

/** Ways in which sharp saves each format that it writes here. */
export const SHARP_SAVERS = {
  // As browsers do: half the colour resolution, except at full quality.
  jpeg: (pipeline, { quality, coding, isLarge }) =>
    pipeline.jpeg({
      quality,
      chromaSubsampling: quality === 100 || coding?.chroma === '4:4:4' ? '4:4:4' : '4:2:0',
      // Optimised coding holds 6 bytes per pixel to save an eighth; without it a JPEG is written row by row.
      optimiseCoding: !isLarge,
      ...(coding && DRAWING_JPEG),
    }),
  png: (pipeline) => pipeline.png(),
  webp: (pipeline, { quality, timing, coding, isLarge, isCrowded }) =>
    pipeline.webp({
      quality,
      effort: WEBP_EFFORT[isCrowded ? 'crowded' : isLarge ? 'large' : 'usual'],
      smartSubsample: coding?.chroma === 'sharp',
      ...losslessOptions(coding),
      ...timing,
    }),
  gif: (pipeline, { timing }) => pipeline.gif({ ...timing, effort: GIF_EFFORT }),
  tiff: (pipeline) => pipeline.tiff({ compression: 'deflate', predictor: 'horizontal' }),
  avif: (pipeline, { quality }) => pipeline.avif({ quality, effort: AVIF_EFFORT }),
} as const satisfies Partial<Record<ImageFormat, (pipeline: Sharp, saving: Saving) => Sharp>>;

/** Returns sharp's options for WebP without loss; none for a lossy one. */
function losslessOptions({ losslessLevel }: Partial<GraphicsCoding> = {}): WebpOptions {
  if (losslessLevel === undefined) return {};
  const effort = LOSSLESS_EFFORT;
  return losslessLevel === LOSSLESS_LEVEL_MAX
    ? { lossless: true, effort }
    : { nearLossless: true, quality: losslessLevel, effort };
}

type SharpFormat = keyof typeof SHARP_SAVERS;

/** Engines of all formats: sharp (libvips) for most, libheif and libx265 for HEIC, our own kernels for BMP. */
const ENGINES: Readonly<Record<ImageFormat, FormatEngine>> = {
  jpeg: { ...openedBySharp('jpeg'), assertWhole: assertWholeScan, ...savedBySharp('jpeg') },
  png: {
    open: openPng,
    ...savedBySharp('png'),
    async encodeStrips(picture, { metadata, onProgress }) {
      const [head, ...rest] = await writePng(getStrips(picture), picture.hasAlpha, deflate, onProgress);
      return [...(await embedMetadata(head, 'png', metadata, picture)), ...rest];
    },
  },
  webp: {
    ...openedBySharp('webp'),
    ...savedBySharp('webp', { scale: 'sharp-webp', encodeFile: encodeWebp }),
  },
  gif: {
    ...openedBySharp('gif'),
    ...savedBySharp('gif', {
      async encodeFile(picture, options) {
        const file = await encodeWithSharp(picture, SHARP_SAVERS.gif, options);
        if (picture.frameCount === 1 && !picture.hasAlpha) clearGifTransparency(file);
        return file;
      },
    }),
  },
  tiff: { open: openTiff, ...savedBySharp('tiff') },
  bmp: {
    open: openBmp,
    encode: async (picture, { background, metadata }) =>
      writeBmp(await readOpaqueSamples(picture, background), metadata.resolution),
  },
  avif: {
    async open(file, options) {
      // libvips reads the major brand only and does not know that of a sequence (`avis`), which contains a still
      // image as well.
      file.set(AVIF_BRAND, MAJOR_BRAND_OFFSET);
      return openSequence(file, await openColoured(file, 'avif', options), options);
    },
    encode: (picture, options) =>
      needsGrid(picture)
        ? encodeAvifGrid(picture, scaled(options, 'sharp-avif'))
        : savedBySharp('avif', { scale: 'sharp-avif' }).encode(picture, options),
  },
  heic: {
    open: async (file, options) => openSequence(file, await openHeic(file, options), options),
    encode: (picture, options) =>
      encodeHeic(picture, options, encoderSetting('node-x265', options.quality), encodeHevcStill),
  },
};

/** Engines by the ids of their formats. */
export const FORMAT_ENGINES: ReadonlyMap<string, FormatEngine> = new Map(Object.entries(ENGINES));

function openedBySharp(format: SharpFormat): Pick<FormatEngine, 'open'> {
  return { open: (file, options) => openColoured(file, format, options) };
}

interface SharpEncoding {
  /** Scale of its quality; absent where it is ours. */
  readonly scale?: ScaledEncoder;
  /** Encodes an image that is no drawing, with sharp's own quality. */
  readonly encodeFile?: (picture: Picture, options: EncodeOptions) => Promise<Bytes>;
}

/** Encodes photographs as usual, drawings by their plan, and adds the metadata. */
function savedBySharp(format: SharpFormat, encoding: SharpEncoding = {}): Pick<FormatEngine, 'encode'> {
  const save = SHARP_SAVERS[format];
  const { scale, encodeFile = (picture, options) => encodeWithSharp(picture, save, options) } = encoding;
  return {
    async encode(picture, options) {
      const plan = await planPicture(picture, options);
      const encodeCoded = (coding?: GraphicsCoding) => {
        const quality = coding?.quality ?? options.quality;
        return encodeWithSharp(picture, save, scaled({ ...options, quality }, scale), coding);
      };
      const file = await (plan
        ? encodeByPlan(plan, encodeCoded)
        : encodeFile(picture, scaled(options, scale)));
      return embedMetadata(file, format, options.metadata, picture);
    },
  };
}

/** Encodes alpha by our own kernel, where the image is a raster anyway. */
async function encodeWebp(picture: Picture, options: EncodeOptions): Promise<Bytes> {
  const isRaster = picture.frameCount === 1 && !(picture instanceof SharpPicture);
  const encode = (each: Picture) => encodeWithSharp(each, SHARP_SAVERS.webp, options);
  const file = isRaster && picture.hasAlpha ? await encodeWebpRaster(picture, encode) : null;
  return file ?? encode(picture);
}

/** Translates our quality into sharp's for a format. */
function scaled(options: EncodeOptions, scale: ScaledEncoder | undefined): EncodeOptions {
  const { quality } = options;
  return { ...options, quality: scale ? encoderSetting(scale, quality) : Math.round(quality) };
}
