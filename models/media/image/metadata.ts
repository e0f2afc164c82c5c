import { OperationError } from '../../core/operation/errors.ts';
import type { ImageMetadata, PrintResolution } from '../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import type { Orientation } from '../../kernels/raster/orient-raster.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { isPlausibleResolution } from '../bytes/print-units.ts';
import type { Inflate } from '../bytes/zlib.ts';
import { getFormat } from './find-format.ts';
import { DATASET_MARKER } from './iptc.ts';
import { getOrientation, getTiffStream, resetExifOrientation, UPRIGHT } from './metadata/exif.ts';
import { readExifResolution } from './metadata/set-resolution.ts';

export interface FoundMetadata {
  /** Metadata for an upright image: EXIF has Orientation 1. */
  readonly metadata: ImageMetadata;
  /** Transform that makes the image upright, from EXIF. */
  readonly orientation: Orientation;
}

/** Reads a file's metadata, without damaged parts. A profile within a BMP comes with its pixels. */
export async function readMetadata(file: Bytes, format: string, inflate: Inflate): Promise<FoundMetadata> {
  const found = await readAsStored(file, format, inflate);
  const exif = found.exif && getTiffStream(found.exif);
  return exif
    ? { metadata: { ...found, exif: resetExifOrientation(exif) }, orientation: getOrientation(exif) }
    : { metadata: found, orientation: UPRIGHT };
}

async function readAsStored(file: Bytes, format: string, inflate: Inflate): Promise<ImageMetadata> {
  const { readMetadata: read } = await getFormat(format).load();
  try {
    return (await read?.(file, inflate)) ?? {};
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof OperationError) return {};
    throw thrown;
  }
}

/**
 * Reads the EXIF orientation of a file's image.
 * @param file of the caller, which may be changed
 */
export async function readOrientation(file: Bytes, format: string): Promise<Orientation> {
  const code = await getFormat(format).load();
  // Decoders turn by the page that they are led to, which need not be the first one.
  if (code.isExifStream) return getOrientation(code.complete?.(file)?.bytes ?? file);
  // Only a profile or XMP is compressed, and neither is needed here.
  return (await readMetadata(file, format, async (packed) => packed)).orientation;
}

/**
 * Reads the print resolution of a file: from the fields that its format has, else from its EXIF.
 * @param exif of the file, a TIFF stream
 * @returns undefined where the file states none, or only the shape of a pixel
 */
export async function readResolution(
  file: Bytes,
  format: string,
  exif: Bytes | undefined,
): Promise<PrintResolution | undefined> {
  const code = await getFormat(format).load();
  const stream = code.isExifStream ? file : exif;
  const found = (code.readResolution?.(file) ?? (stream && readExifResolution(stream))) || undefined;
  return found && isPlausibleResolution(found) ? found : undefined;
}

/**
 * Reads the IPTC-IIM datasets of a file whose format has a place for them.
 * @returns undefined where there are none
 */
export async function readIptc(file: Bytes, format: string): Promise<Bytes | undefined> {
  const iptc = (await getFormat(format).load()).readIptc?.(file);
  return iptc?.[0] === DATASET_MARKER ? iptc : undefined;
}

/**
 * Puts metadata into an encoded file without any, whatever its encoder, in place of a resolution that the encoder made
 * up. HEIC gets its metadata during assembly, BMP its resolution in its header; GIF holds none.
 * @param size of the image, which an extended WebP states
 * @returns the parts of the file in order
 */
export async function embedMetadata(
  file: Bytes,
  format: string,
  metadata: ImageMetadata,
  size: ImageSize & { readonly hasAlpha: boolean },
): Promise<Bytes[]> {
  const code = await getFormat(format).load();
  return code.embedMetadata?.(file, metadata, size) ?? [file];
}
