import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { TAG } from '../tiff/directory.ts';
import {
  type ExifDirectory,
  openMainDirectory,
  openNextDirectory,
  openSubdirectory,
  readNumber,
  setNumber,
} from './exif.ts';
import { setResolution } from './set-resolution.ts';

/** Fields that name a thumbnail's samples, JPEG and uncompressed: EXIF 2.32, 4.6.9. */
const PLACES = [
  { offset: 0x0201, length: 0x0202 },
  { offset: 273, length: 279 },
] as const;

interface Region {
  readonly start: number;
  readonly end: number;
}

/** Facts about an image whose metadata came from another file. */
export interface ImageDescription {
  /** Size in pixels, upright. */
  readonly width: number;
  readonly height: number;
  /** Whether the samples are in sRGB, not in a profile of their own. */
  readonly isSrgb: boolean;
  readonly resolution?: PrintResolution | undefined;
}

const PIXEL_X_DIMENSION = 0xa002;

const PIXEL_Y_DIMENSION = 0xa003;

const INTEROPERABILITY_INDEX = 1;

const UPRIGHT = 1;

const SRGB = 1;

/** `R98`, the index of sRGB, in place of `R03`, that of Adobe RGB: EXIF 2.32, 4.6.7. */
const SRGB_INDEX = 'R98\0';

/**
 * Copies EXIF for an upright image: orientation, sizes, colour space and resolution become those of the image, and the
 * thumbnail is dropped, which may show it turned or in other colours. Everything else stays in place.
 * @param exif a TIFF stream (EXIF 2.32, 4.5); unreadable EXIF is returned unchanged
 */
export function describeImageInExif(exif: Bytes, image: ImageDescription): Bytes {
  const copy = exif.slice();
  const main = openMainDirectory(copy);
  if (!main) return copy;
  setNumber(main, TAG.orientation, UPRIGHT);
  setNumber(main, TAG.imageWidth, image.width);
  setNumber(main, TAG.imageLength, image.height);
  const details = openSubdirectory(main, TAG.exif);
  if (details) describeDetails(details, image);
  const shortened = dropThumbnail(main);
  return image.resolution ? setResolution(shortened, image.resolution) : shortened;
}

function describeDetails(details: ExifDirectory, { width, height, isSrgb }: ImageDescription): void {
  setNumber(details, PIXEL_X_DIMENSION, width);
  setNumber(details, PIXEL_Y_DIMENSION, height);
  if (!isSrgb) return;
  setNumber(details, TAG.colourSpace, SRGB);
  const index = openSubdirectory(details, TAG.interoperability);
  const at = index?.entries.get(INTEROPERABILITY_INDEX);
  if (at === undefined) return;
  details.bytes.set(
    Uint8Array.from(SRGB_INDEX, (letter) => letter.charCodeAt(0)),
    at + 8,
  );
}

/**
 * Removes the thumbnail of an EXIF block in place: unlinks its directory, and clears its samples, which would remain
 * readable.
 * @returns the block, without its end where only the thumbnail stood there
 */
function dropThumbnail(main: ExifDirectory): Bytes {
  const { bytes, view, nextAt } = main;
  const thumbnail = openNextDirectory(main);
  if (nextAt + 4 <= bytes.length) view.setUint32(nextAt, 0);
  if (!thumbnail) return bytes;
  const samples = getSamples(thumbnail);
  // A region that reaches into the main directory is no thumbnail.
  const regions = [...samples, { start: thumbnail.start, end: thumbnail.nextAt + 4 }].filter(
    ({ start, end }) => end > start && start >= nextAt + 4,
  );
  for (const { start, end } of regions) bytes.fill(0, start, end);
  const last = samples.find(({ start, end }) => start >= nextAt + 4 && end >= bytes.length);
  return last ? bytes.slice(0, last.start) : bytes;
}

function getSamples(thumbnail: ExifDirectory): Region[] {
  return PLACES.flatMap(({ offset, length }) => {
    const start = readNumber(thumbnail, offset);
    const bytes = readNumber(thumbnail, length);
    return start === undefined || bytes === undefined ? [] : [{ start, end: start + bytes }];
  });
}
