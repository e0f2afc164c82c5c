import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { dropThumbnail } from './drop-thumbnail.ts';
import { type ExifDirectory, openMainDirectory, openSubdirectory, setNumber } from './exif-directory.ts';
import { setResolution } from './set-resolution.ts';

/** Facts about an image whose metadata came from another file. */
export interface ImageDescription {
  /** Size in pixels, upright. */
  readonly width: number;
  readonly height: number;
  /** Whether the samples are in sRGB, not in a profile of their own. */
  readonly isSrgb: boolean;
  readonly resolution?: PrintResolution | undefined;
}

const IMAGE_WIDTH = 256;
const IMAGE_LENGTH = 257;
const ORIENTATION = 274;
const EXIF_POINTER = 34665;
const INTEROPERABILITY_POINTER = 40965;
const COLOUR_SPACE = 0xa001;
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
  setNumber(main, ORIENTATION, UPRIGHT);
  setNumber(main, IMAGE_WIDTH, image.width);
  setNumber(main, IMAGE_LENGTH, image.height);
  const details = openSubdirectory(main, EXIF_POINTER);
  if (details) describeDetails(details, image);
  const shortened = dropThumbnail(main);
  return image.resolution ? setResolution(shortened, image.resolution) : shortened;
}

function describeDetails(details: ExifDirectory, { width, height, isSrgb }: ImageDescription): void {
  setNumber(details, PIXEL_X_DIMENSION, width);
  setNumber(details, PIXEL_Y_DIMENSION, height);
  if (!isSrgb) return;
  setNumber(details, COLOUR_SPACE, SRGB);
  const index = openSubdirectory(details, INTEROPERABILITY_POINTER);
  const at = index?.entries.get(INTEROPERABILITY_INDEX);
  if (at === undefined) return;
  details.bytes.set(
    Uint8Array.from(SRGB_INDEX, (letter) => letter.charCodeAt(0)),
    at + 8,
  );
}
