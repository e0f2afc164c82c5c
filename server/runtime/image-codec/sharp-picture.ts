import sharp, { type Metadata, type Sharp } from 'sharp';
import { OperationError } from '../../../models/errors.ts';
import type { DecodeOptions, ImageMetadata, Picture } from '../../../models/image-codec.ts';
import { tiffStreamOf, uprightExif } from '../../../models/kernels/exif.ts';
import { exifOfTiff } from '../../../models/kernels/metadata/tiff-metadata.ts';
import type { Frame } from '../../../models/raster.ts';
import { decodingError } from './sharp-errors.ts';

/** Frames times their pixels: what an animation may come to. */
const ANIMATION_PIXELS_MAX = 400_000_000;

interface SharpFacts extends Omit<Picture, 'frames'> {
  readonly delaysMs: readonly number[];
}

/** A picture that sharp has still to read: it goes from decoder to encoder strip by strip, if the target allows it. */
export class SharpPicture implements Picture {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  readonly loopCount: number;
  readonly hasAlpha: boolean;
  readonly bitDepth: 8 | 16;
  readonly metadata: ImageMetadata;
  readonly #delaysMs: readonly number[];
  readonly #open: () => Sharp;

  /** @param open starts a pipeline on the upright picture; with several frames they stand one below the other */
  constructor(facts: SharpFacts, open: () => Sharp) {
    this.width = facts.width;
    this.height = facts.height;
    this.frameCount = facts.frameCount;
    this.loopCount = facts.loopCount;
    this.hasAlpha = facts.hasAlpha;
    this.bitDepth = facts.bitDepth;
    this.metadata = facts.metadata;
    this.#delaysMs = facts.delaysMs;
    this.#open = open;
  }

  pipeline(): Sharp {
    return this.#open();
  }

  async *frames(): AsyncIterable<Frame> {
    const { width, height } = this;
    const isDeep = this.bitDepth === 16;
    const samples = await this.#open()
      .toColourspace(isDeep ? 'rgb16' : 'srgb')
      .ensureAlpha()
      .raw({ depth: isDeep ? 'ushort' : 'uchar' })
      .toBuffer()
      .catch(decodingError);
    const bytes = new Uint8Array(samples.buffer as ArrayBuffer, samples.byteOffset, samples.byteLength);
    const data = isDeep ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes;
    const frameSamples = width * height * 4;
    for (let index = 0; index < this.frameCount; index++) {
      const frame = data.subarray(index * frameSamples, (index + 1) * frameSamples);
      yield { width, height, data: frame, durationMs: this.#delaysMs[index] ?? 0 };
    }
  }
}

/**
 * Opens what sharp reads by itself: jpeg, png, webp, gif, tiff, avif.
 * @throws OperationError `unprocessable`
 */
export async function openWithSharp(
  input: Uint8Array<ArrayBuffer>,
  options: DecodeOptions,
): Promise<SharpPicture> {
  const head = await sharp(input).metadata().catch(decodingError);
  const pages = options.frames === 'all' ? (head.pages ?? 1) : 1;
  const height = head.pageHeight ?? head.height;
  if (head.width * height * pages > ANIMATION_PIXELS_MAX) {
    throw new OperationError(
      'unprocessable',
      `The image has ${pages} frames of ${head.width} x ${height} pixels, more than can be held in memory. Send fewer or smaller frames.`,
    );
  }
  const exif = head.format === 'tiff' ? exifOfTiff(input) : undefined;
  const metadata = { ...metadataOf(head), ...(exif ? { exif } : {}) };
  const isOwnColour = options.colour === 'own' && isRgbProfile(metadata.icc);
  const { icc: _, ...withoutIcc } = metadata;
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
    },
    () =>
      sharp(input, {
        pages,
        autoOrient: true,
        failOn: 'error',
        ignoreIcc: isOwnColour,
        limitInputPixels: ANIMATION_PIXELS_MAX,
        sequentialRead: true,
      }),
  );
}

export function metadataOf(head: Metadata): ImageMetadata {
  return {
    ...(head.icc ? { icc: new Uint8Array(head.icc) } : {}),
    ...(head.exif ? { exif: uprightExif(tiffStreamOf(new Uint8Array(head.exif))) } : {}),
    ...(head.xmp ? { xmp: new Uint8Array(head.xmp) } : {}),
  };
}

/** Data colour space of an ICC profile: ICC.1:2022, 7.2.8. */
export function isRgbProfile(icc: Uint8Array | undefined): boolean {
  return icc !== undefined && String.fromCharCode(...icc.subarray(16, 20)) === 'RGB ';
}
