import type { Orientation } from '../../kernels/raster/orient-raster.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import { getFormat } from './find-format.ts';
import { type ImageFacts, type ImageLimits, probeImage } from './image-header.ts';
import { readOrientation } from './metadata.ts';

/**
 * Reads the facts of an image as shown upright. Reads the whole file: the orientation may stand at its end.
 * @param limits none when absent
 * @throws OperationError `bad_request` when it is no image, its header is damaged, or it is too large
 */
export async function probeUprightImage(
  image: Blob,
  limits: ImageLimits = { pixelsMax: Number.POSITIVE_INFINITY },
): Promise<ImageFacts> {
  const facts = await probeImage(image, limits);
  const { width, height } = facts;
  return (await isOnSide(image, facts.format)) ? { ...facts, width: height, height: width } : facts;
}

/**
 * Reports whether the stored image lies on its side. HEIC and AVIF have a property of their own for rotation, and
 * decoders ignore their EXIF.
 * @throws OperationError `bad_request` when the boxes of a HEIC or AVIF are inconsistent
 */
export async function isOnSide(image: Blob, format: string): Promise<boolean> {
  const code = await getFormat(format).load();
  if (code.isRotated) return code.isRotated(new ByteWindow(image));
  return (await readExifOrientation(image, format)).quarterTurns % 2 === 1;
}

/** Reads the EXIF orientation of an image. */
export async function readExifOrientation(image: Blob, format: string): Promise<Orientation> {
  const { readHead } = await getFormat(format).load();
  const bytes = readHead ? await readHead(image) : new Uint8Array(await image.arrayBuffer());
  return readOrientation(bytes, format);
}
