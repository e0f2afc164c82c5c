import { OperationError } from '../errors.ts';
import type { ImageFormat, ImageMetadata } from '../image-codec.ts';
import type { Bytes } from './byte-writer.ts';
import { orientationOf, tiffStreamOf, UPRIGHT, uprightExif } from './exif.ts';
import type { Orientation } from './orient-raster.ts';
import { readHeifMetadata } from './read-metadata/heif.ts';
import { readJpegMetadata } from './read-metadata/jpeg.ts';
import { type Inflate, readPngMetadata } from './read-metadata/png.ts';
import { readTiffMetadata } from './read-metadata/tiff.ts';
import { readWebpMetadata } from './read-metadata/webp.ts';

export interface FoundMetadata {
  /** For a picture that is turned upright: EXIF has Orientation 1. */
  readonly metadata: ImageMetadata;
  /** What turns the picture upright, as EXIF tells it. */
  readonly orientation: Orientation;
}

/**
 * Reads what a file tells about its picture. What is damaged is left out. A profile within a BMP comes with its pixels.
 */
export async function readMetadata(
  file: Bytes,
  format: ImageFormat,
  inflate: Inflate,
): Promise<FoundMetadata> {
  const found = await readAsItStands(file, format, inflate).catch(orNothing);
  const exif = found.exif && tiffStreamOf(found.exif);
  return exif
    ? { metadata: { ...found, exif: uprightExif(exif) }, orientation: orientationOf(exif) }
    : { metadata: found, orientation: UPRIGHT };
}

/** What turns a file's picture upright, as its EXIF tells it. */
export async function readOrientation(file: Bytes, format: ImageFormat): Promise<Orientation> {
  // A TIFF file's own directory is like that of EXIF.
  if (format === 'tiff') return orientationOf(file);
  // What is packed is a profile or XMP: neither is asked for.
  return (await readMetadata(file, format, async (packed) => packed)).orientation;
}

function orNothing(thrown: unknown): ImageMetadata {
  if (thrown instanceof RangeError || thrown instanceof OperationError) return {};
  throw thrown;
}

async function readAsItStands(file: Bytes, format: ImageFormat, inflate: Inflate): Promise<ImageMetadata> {
  switch (format) {
    case 'jpeg':
      return readJpegMetadata(file);
    case 'png':
      return readPngMetadata(file, inflate);
    case 'webp':
      return readWebpMetadata(file);
    case 'tiff':
      return readTiffMetadata(file);
    case 'heic':
    case 'avif':
      return readHeifMetadata(file);
    default:
      return {};
  }
}
