import type { ImageFormat } from '../image-codec.ts';
import { ByteWindow } from './byte-window.ts';
import { isHeifOnSide } from './image-header/heif-size.ts';
import { type ImageFacts, probeImage } from './image-header.ts';
import type { Orientation } from './orient-raster.ts';
import { readOrientation } from './read-metadata.ts';

/**
 * The facts of an image as it shows, turned upright, however large it is. Reads all of the file: what turns it may stand
 * at the end.
 * @throws OperationError `bad_request` when it is no image, or its header is damaged
 */
export async function probeUprightImage(image: Blob): Promise<ImageFacts> {
  const facts = await probeImage(image, { pixelsMax: Number.POSITIVE_INFINITY });
  const { width, height } = facts;
  return (await isOnSide(image, facts.format)) ? { ...facts, width: height, height: width } : facts;
}

/** HEIC and AVIF have a property of their own for it, and decoders leave their EXIF aside. */
async function isOnSide(image: Blob, format: ImageFormat): Promise<boolean> {
  if (format === 'heic' || format === 'avif') return isHeifOnSide(new ByteWindow(image));
  return (await exifOrientation(image, format)).quarterTurns % 2 === 1;
}

/** What turns an image upright, as its EXIF tells it. */
export async function exifOrientation(image: Blob, format: ImageFormat): Promise<Orientation> {
  return readOrientation(new Uint8Array(await image.arrayBuffer()), format);
}

/** Browsers turn what they decode by its EXIF, except WebP. */
export function ignoresExif(format: ImageFormat): boolean {
  return format === 'webp';
}
