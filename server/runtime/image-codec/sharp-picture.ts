import sharp, { type FailOnOptions, type Metadata, type ResizeOptions, type Sharp } from 'sharp';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type {
  DecodeOptions,
  FrameOptions,
  ImageMetadata,
  Picture,
} from '../../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import { fitWithin } from '../../../models/kernels/resize/resize.ts';
import { getTiffStream, resetExifOrientation } from '../../../models/media/image/exif/exif.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { endsBetweenGifBlocks } from '../../../models/media/image/gif/blocks.ts';
import { decodingError, indicatesDamage } from './sharp-errors.ts';

/** Limit on frames times their pixels in an animation. */
const ANIMATION_PIXELS_MAX = 400_000_000;

/** Kinds of samples that libvips converts to 8 or 16 bits without a change of meaning. */
const READ_DEPTHS: ReadonlySet<string> = new Set(['uchar', 'ushort']);

/** The filter of our own kernels, over whole samples. */
const SHRINKING: ResizeOptions = { fit: 'fill', kernel: 'linear', fastShrinkOnLoad: false };

interface SharpFacts extends Omit<Picture, 'frames'> {
  readonly delaysMs: readonly number[];
}

/** Image that sharp has not read yet: it goes from decoder to encoder strip by strip, if the target allows it. */
export class SharpPicture implements Picture {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  readonly loopCount: number;
  readonly hasAlpha: boolean;
  readonly bitDepth: 8 | 16;
  readonly metadata: ImageMetadata;
  readonly warnings: readonly RunWarning[];
  readonly #delaysMs: readonly number[];
  readonly #open: (failOn: FailOnOptions) => Sharp;

  /** @param open starts a pipeline on the upright image; several frames are stacked vertically */
  constructor(facts: SharpFacts, open: (failOn: FailOnOptions) => Sharp) {
    this.width = facts.width;
    this.height = facts.height;
    this.frameCount = facts.frameCount;
    this.loopCount = facts.loopCount;
    this.hasAlpha = facts.hasAlpha;
    this.bitDepth = facts.bitDepth;
    this.metadata = facts.metadata;
    this.warnings = facts.warnings ?? [];
    this.#delaysMs = facts.delaysMs;
    this.#open = open;
  }

  /**
   * Runs a pipeline on the image to its end. The first try stops at any warning; a warning without damage to the
   * image itself (a wrong tag, bytes between segments) is then ignored.
   * @throws OperationError `unprocessable`
   */
  async render(use: (pipeline: Sharp) => Promise<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
    const buffer = await use(this.#open('warning')).catch((cause) =>
      indicatesDamage(cause) ? decodingError(cause) : use(this.#open('error')).catch(decodingError),
    );
    return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength);
  }

  async *frames({ sideMax = Number.POSITIVE_INFINITY }: FrameOptions = {}): AsyncIterable<Frame> {
    const isShrunk = this.frameCount === 1 && sideMax < Math.max(this.width, this.height);
    const { width, height } = isShrunk ? fitWithin(this, sideMax) : this;
    const is16Bit = this.bitDepth === 16;
    const bytes = await this.render((pipeline) =>
      (isShrunk ? pipeline.resize(width, height, SHRINKING) : pipeline)
        .toColourspace(is16Bit ? 'rgb16' : 'srgb')
        .ensureAlpha()
        .raw({ depth: is16Bit ? 'ushort' : 'uchar' })
        .toBuffer(),
    );
    const data = is16Bit ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes;
    const frameSamples = width * height * 4;
    for (let index = 0; index < this.frameCount; index++) {
      const frame = data.subarray(index * frameSamples, (index + 1) * frameSamples);
      yield { width, height, data: frame, durationMs: this.#delaysMs[index] ?? 0 };
    }
  }
}

/**
 * Opens the formats that sharp reads by itself: jpeg, png, webp, gif, tiff, avif.
 * @param found metadata of the file by our own readers, which find more than sharp; its profile does not count
 * @throws OperationError `unprocessable`
 */
export async function openWithSharp(
  input: Uint8Array<ArrayBuffer>,
  format: string,
  options: DecodeOptions,
  { icc: _, ...found }: ImageMetadata,
): Promise<SharpPicture> {
  const head = await sharp(input).metadata().catch(decodingError);
  if (!READ_DEPTHS.has(head.depth)) {
    throw new OperationError(
      'unprocessable',
      `The image has samples of the kind ${head.depth}, which cannot be read right. Save it with 8 or 16 bits per sample.`,
    );
  }
  if (format === 'gif' && !endsBetweenGifBlocks(input)) {
    throw new OperationError('unprocessable', 'The image is a GIF that ends too early. Send the whole file.');
  }
  const { pages, warnings } = await getPages(input, format, head, options.frames);
  const height = head.pageHeight ?? head.height;
  if (head.width * height * pages > ANIMATION_PIXELS_MAX) {
    throw new OperationError(
      'unprocessable',
      `The image has ${pages} frames of ${head.width} x ${height} pixels, more than can be held in memory. Send fewer or smaller frames.`,
    );
  }
  const metadata = { ...getMetadata(head), ...found };
  const isOwnColour = options.colour === 'own' && isRgbProfile(metadata.icc);
  const { icc: __, ...withoutIcc } = metadata;
  return new SharpPicture(
    {
      width: head.autoOrient.width,
      height: pages > 1 ? height : head.autoOrient.height,
      frameCount: pages,
      loopCount: head.loop ?? 0,
      hasAlpha: head.hasAlpha,
      bitDepth: head.depth === 'ushort' ? 16 : 8,
      metadata: isOwnColour ? metadata : withoutIcc,
      delaysMs: head.delay ?? [],
      warnings,
    },
    (failOn) => {
      const pipeline = sharp(input, {
        pages,
        autoOrient: true,
        failOn,
        ignoreIcc: isOwnColour,
        limitInputPixels: ANIMATION_PIXELS_MAX,
        sequentialRead: true,
      });
      return head.depth === 'ushort' && metadata.icc && !isOwnColour ? fromDisplayP3(pipeline) : pipeline;
    },
  );
}

/**
 * Ends a pipeline of 16 bits in sRGB: sharp converts a profile to Display P3 there, and leaves the samples in it unless
 * told.
 */
export function fromDisplayP3(pipeline: Sharp): Sharp {
  return pipeline.withIccProfile('srgb', { attach: false });
}

async function getPages(
  input: Uint8Array<ArrayBuffer>,
  format: string,
  head: Metadata,
  frames: DecodeOptions['frames'],
): Promise<{ pages: number; warnings: RunWarning[] }> {
  if (frames === 'first') return { pages: 1, warnings: [] };
  // In HEIF, pages are separate images next to the primary one.
  const { several } = getFormat(format).holds;
  const pages = several ? (head.pages ?? 1) : 1;
  const areAlike = several !== 'pages' || pages === 1 || (await haveOneSize(input));
  return areAlike
    ? { pages, warnings: [] }
    : { pages: 1, warnings: [formatWarning('first_page', String(pages))] };
}

/**
 * Reports whether all pages have one size: libvips reads the pages of a TIFF together only if size and kind agree.
 */
async function haveOneSize(input: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return sharp(input, { pages: -1 })
    .metadata()
    .then(
      () => true,
      () => false,
    );
}

export function getMetadata(head: Metadata): ImageMetadata {
  return {
    ...(head.icc ? { icc: new Uint8Array(head.icc) } : {}),
    ...(head.exif ? { exif: resetExifOrientation(getTiffStream(new Uint8Array(head.exif))) } : {}),
    ...(head.xmp ? { xmp: new Uint8Array(head.xmp) } : {}),
  };
}

/** Data colour space of an ICC profile: ICC.1:2022, 7.2.8. */
export function isRgbProfile(icc: Uint8Array | undefined): boolean {
  return icc !== undefined && String.fromCharCode(...icc.subarray(16, 20)) === 'RGB ';
}
