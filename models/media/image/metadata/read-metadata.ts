import type { Orientation } from '../../../kernels/raster/orient-raster.ts';
import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageFormat, ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import type { Inflate } from '../../bytes/zlib.ts';
import { orientationOf, resetExifOrientation, tiffStreamOf, UPRIGHT } from '../exif/exif.ts';
import { readHeifMetadata } from '../heif/read-metadata.ts';
import { readJpegMetadata } from '../jpeg/read-metadata.ts';
import { readPngMetadata } from '../png/read-metadata.ts';
import { readTiffMetadata } from '../tiff/read-metadata.ts';
import { readWebpMetadata } from '../webp/read-metadata.ts';

export interface FoundMetadata {
  /** Metadata for an upright image: EXIF has Orientation 1. */
  readonly metadata: ImageMetadata;
  /** Transform that makes the image upright, from EXIF. */
  readonly orientation: Orientation;
}

/** Reads a file's metadata, without damaged parts. A profile within a BMP comes with its pixels. */
export async function readMetadata(
  file: Bytes,
  format: ImageFormat,
  inflate: Inflate,
): Promise<FoundMetadata> {
  const found = await readAsItStands(file, format, inflate).catch(orNothing);
  const exif = found.exif && tiffStreamOf(found.exif);
  return exif
    ? { metadata: { ...found, exif: resetExifOrientation(exif) }, orientation: orientationOf(exif) }
    : { metadata: found, orientation: UPRIGHT };
}

/** Reads the EXIF orientation of a file's image. */
export async function readOrientation(file: Bytes, format: ImageFormat): Promise<Orientation> {
  // A TIFF file's own directory is like that of EXIF.
  if (format === 'tiff') return orientationOf(file);
  // Only a profile or XMP is compressed, and neither is needed here.
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
