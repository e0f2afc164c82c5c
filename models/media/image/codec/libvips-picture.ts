import { getMessage, OperationError } from '../../../core/operation/errors.ts';
import type {
  DecodeOptions,
  FrameOptions,
  ImageMetadata,
  Picture,
} from '../../../core/runtime/image-codec.ts';
import type { Frame, Geometry, Raster } from '../../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../../core/runtime/run-warnings.ts';
import { assertAnimationFits, getFacts, type PictureFacts } from '../../../kernels/raster/picture.ts';
import { fitWithin } from '../../../kernels/raster/resize.ts';
import { isWhole, transformedFacts } from '../../../kernels/raster/transform-picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getFormat } from '../find-format.ts';
import { endsBetweenGifBlocks } from '../gif/blocks.ts';
import { profileSpace } from '../metadata/read-profile.ts';
import type { FileSource, Libvips, LibvipsHead, LibvipsPlan, SampleSource } from './libvips.ts';

/** Limit on frames times their pixels in an animation that is read strip by strip. */
const READABLE_PIXELS_MAX = 400_000_000;

/** Pixels of the frames of an animation that are read together. */
const BATCH_PIXELS_MAX = 50_000_000;

/** Kinds of samples that libvips converts to 8 or 16 bits without a change of meaning. */
const READ_DEPTHS: ReadonlySet<string> = new Set(['uchar', 'ushort']);

/** Words of sharp and libvips about themselves, before those about the image. */
const PREFIXES =
  /^(Input (buffer|file) (has corrupt header|contains unsupported image format)|unable to (call|load) \w+( \w+)*|\w*vips\w*|\w+load\w*)(: *|$)/i;

/** Rethrows an error of libvips as ours: the first line of its text, without the names of classes. */
export function decodingError(cause: unknown): never {
  if (cause instanceof OperationError) throw cause;
  const [line = ''] = getMessage(cause)
    .split('\n')
    .map((each) => {
      let reason = each.trim();
      while (PREFIXES.test(reason)) reason = reason.replace(PREFIXES, '');
      return reason;
    })
    .filter(Boolean);
  throw new OperationError(
    'unprocessable',
    `The image is damaged or of an unsupported kind: ${line || 'its header cannot be read'}.`,
    { kind: 'damaged', cause },
  );
}

/**
 * Reports whether an error means lost samples. libjpeg calls all of this a warning and fills the gap with grey, and a
 * second try that ignores warnings would do the same; so does libtiff in tiles.
 */
function indicatesDamage(cause: unknown): boolean {
  return /Corrupt JPEG data: (premature end|bad Huffman|found marker)|tiff2vips: /.test(String(cause));
}

/** Work on an image that comes after reading it. */
export type LibvipsWork = Omit<LibvipsPlan, 'source' | 'isDeepProfiled'>;

interface LibvipsSource {
  readonly libvips: Libvips;
  readonly source: Omit<FileSource, 'failOn'> | SampleSource;
  readonly dropsAlpha?: boolean;
  readonly isDeepProfiled?: boolean;
  readonly delaysMs?: readonly number[];
  /** Change of its geometry that comes with reading it. */
  readonly geometry?: Geometry;
}

/** Image that libvips has not read yet: it goes from decoder to encoder strip by strip, if the target allows it. */
export class LibvipsPicture implements Picture {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  readonly loopCount: number;
  readonly hasAlpha: boolean;
  readonly bitDepth: 8 | 16;
  readonly metadata: ImageMetadata;
  readonly warnings: readonly RunWarning[];
  readonly #from: LibvipsSource;

  constructor(facts: PictureFacts, from: LibvipsSource) {
    this.width = facts.width;
    this.height = facts.height;
    this.frameCount = facts.frameCount;
    this.loopCount = facts.loopCount;
    this.hasAlpha = facts.hasAlpha;
    this.bitDepth = facts.bitDepth;
    this.metadata = facts.metadata;
    this.warnings = facts.warnings ?? [];
    this.#from = from;
  }

  /** Makes an image of samples in memory, which stay as they are. @param picture the image that has them */
  static hold({ width, height, data }: Raster, picture: Picture, libvips: Libvips): LibvipsPicture {
    return new LibvipsPicture(getFacts(picture), {
      libvips,
      source: { kind: 'samples', width, height, pageHeight: height, data },
      dropsAlpha: !picture.hasAlpha,
    });
  }

  /**
   * Reads the image to its end. The first try stops at any warning; a warning without damage to the image itself (a
   * wrong tag, bytes between segments) is then ignored.
   * @throws OperationError `unprocessable`
   */
  async render(work: LibvipsWork, range: Pick<FileSource, 'page' | 'pages'> = {}): Promise<Bytes> {
    const { libvips, source, dropsAlpha, isDeepProfiled = false, geometry } = this.#from;
    const alpha = dropsAlpha && work.alpha === 'kept' ? 'dropped' : work.alpha;
    const run = (failOn: FileSource['failOn']) =>
      libvips.render({
        ...work,
        alpha,
        isDeepProfiled,
        geometry,
        source: source.kind === 'file' ? { ...source, ...range, failOn } : source,
      });
    return run('warning').catch((cause) =>
      indicatesDamage(cause) ? decodingError(cause) : run('error').catch(decodingError),
    );
  }

  /**
   * Returns the image with another geometry, which changes with reading it; null where libvips does that less exactly:
   * of 16 bits, over a translucent colour, and of several frames.
   */
  transformed(geometry: Geometry): LibvipsPicture | null {
    const { dropsAlpha = false, geometry: earlier } = this.#from;
    const isPadded = !isWhole(geometry.kept, geometry.canvas);
    const isOpaque = geometry.background === null || geometry.background[3] === 1;
    // What it pads with alpha must not lose it again.
    const isApart = earlier !== undefined || (dropsAlpha && isPadded && geometry.pad[3] < 1);
    const isExact = this.frameCount === 1 && this.bitDepth === 8 && isOpaque && !isApart;
    if (!isExact) return null;
    return new LibvipsPicture(transformedFacts(this, geometry), { ...this.#from, geometry });
  }

  async *frames({ sideMax = Number.POSITIVE_INFINITY }: FrameOptions = {}): AsyncIterable<Frame> {
    const isShrunk =
      !this.#from.geometry && this.frameCount === 1 && sideMax < Math.max(this.width, this.height);
    const { width, height } = isShrunk ? fitWithin(this, sideMax) : this;
    const frameSamples = width * height * 4;
    const pagesMax = Math.max(1, Math.floor(BATCH_PIXELS_MAX / (width * height)));
    for (let page = 0; page < this.frameCount; page += pagesMax) {
      const pages = Math.min(pagesMax, this.frameCount - page);
      const bytes = await this.render(
        {
          size: isShrunk ? { width, height } : undefined,
          alpha: 'added',
          depth: this.bitDepth,
          write: { format: 'raw' },
        },
        this.frameCount > 1 ? { page, pages } : {},
      );
      const { buffer, byteOffset, length } = bytes;
      const data = this.bitDepth === 16 ? new Uint16Array(buffer, byteOffset, length / 2) : bytes;
      for (let index = 0; index < pages; index++) {
        const frame = data.subarray(index * frameSamples, (index + 1) * frameSamples);
        yield { width, height, data: frame, durationMs: this.#from.delaysMs?.[page + index] ?? 0 };
      }
    }
  }
}

/**
 * Opens the formats that libvips reads by itself: jpeg, png, webp, gif, tiff, avif.
 * @param found metadata of the file
 * @throws OperationError `unprocessable`
 */
export async function openWithLibvips(
  libvips: Libvips,
  file: Bytes,
  format: string,
  options: DecodeOptions,
  found: ImageMetadata,
): Promise<LibvipsPicture> {
  const head = await libvips.readHead(file).catch(decodingError);
  if (!READ_DEPTHS.has(head.depth)) {
    throw new OperationError(
      'unprocessable',
      `The image has samples of the kind ${head.depth}, which cannot be read right. Save it with 8 or 16 bits per sample.`,
    );
  }
  if (format === 'gif' && !endsBetweenGifBlocks(file)) {
    throw new OperationError('unprocessable', 'The image is a GIF that ends too early. Send the whole file.');
  }
  const { pages, warnings } = await getPages(libvips, file, format, head, options.frames);
  const height = head.pageHeight ?? head.height;
  assertAnimationFits({ width: head.width, height }, pages, READABLE_PIXELS_MAX);
  const keepsProfile = options.colour === 'own' && isRgbProfile(found.icc);
  const { icc, ...withoutIcc } = found;
  const isDeep = head.depth === 'ushort';
  const isTurned = head.isOnSide && pages === 1;
  return new LibvipsPicture(
    {
      width: isTurned ? height : head.width,
      height: isTurned ? head.width : height,
      frameCount: pages,
      loopCount: head.loopCount,
      hasAlpha: head.hasAlpha,
      bitDepth: isDeep ? 16 : 8,
      metadata: keepsProfile ? found : withoutIcc,
      warnings,
    },
    {
      libvips,
      source: { kind: 'file', file, pages, keepsProfile, pixelsMax: READABLE_PIXELS_MAX },
      isDeepProfiled: isDeep && icc !== undefined && !keepsProfile,
      delaysMs: head.delaysMs,
    },
  );
}

async function getPages(
  libvips: Libvips,
  file: Bytes,
  format: string,
  head: LibvipsHead,
  frames: DecodeOptions['frames'],
): Promise<{ pages: number; warnings: RunWarning[] }> {
  if (frames === 'first') return { pages: 1, warnings: [] };
  // In HEIF, pages are separate images next to the primary one.
  const { several } = getFormat(format).holds;
  const pages = several ? head.pages : 1;
  const areAlike = several !== 'pages' || pages === 1 || (await haveOneSize(libvips, file));
  return areAlike
    ? { pages, warnings: [] }
    : { pages: 1, warnings: [formatWarning('first_page', String(pages))] };
}

/** libvips reads the pages of a TIFF together only if size and kind agree. */
function haveOneSize(libvips: Libvips, file: Bytes): Promise<boolean> {
  return libvips.readHead(file, 'all').then(
    () => true,
    () => false,
  );
}

export function isRgbProfile(icc: Uint8Array | undefined): boolean {
  return icc !== undefined && profileSpace(icc) === 'RGB ';
}
