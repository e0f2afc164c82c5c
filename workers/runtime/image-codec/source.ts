import { OperationError } from '../../../models/errors.ts';
import type { DecodeOptions, ImageFormat, ImageMetadata } from '../../../models/image-codec.ts';
import { profileSpace } from '../../../models/kernels/icc/read-profile.ts';
import { imageFormatOf } from '../../../models/kernels/image-header.ts';
import type { Orientation } from '../../../models/kernels/orient-raster.ts';
import { readMetadata } from '../../../models/kernels/read-metadata.ts';
import { inflate } from './zlib.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** An image file that is to be decoded, with what its decoder must know beforehand. */
export interface Source {
  readonly bytes: Bytes;
  readonly format: ImageFormat;
  /** The metadata of the picture to come. It has a profile only when the samples stay in it. */
  readonly metadata: ImageMetadata;
  /** The profile that the samples are to be converted from; without one they are sRGB. */
  readonly profile: Bytes | undefined;
  /** What turns the picture upright, as its EXIF tells it. */
  readonly orientation: Orientation;
  readonly signal: AbortSignal;
}

/** @throws OperationError `unprocessable` when the bytes are of no known format */
export async function openSource(input: Blob, options: DecodeOptions): Promise<Source> {
  const { signal } = options;
  signal.throwIfAborted();
  const bytes = new Uint8Array(await input.arrayBuffer());
  const format = imageFormatOf(bytes);
  if (!format) throw new OperationError('unprocessable', 'The image is of no known format.');
  const { metadata, orientation } = await readMetadata(bytes, format, inflate);
  return { bytes, format, orientation, signal, ...chooseColours(metadata, options) };
}

/** Only RGB samples may stay as they are: other models become sRGB, whatever is asked for. */
export function chooseColours(
  { icc, ...others }: ImageMetadata,
  { colour }: Pick<DecodeOptions, 'colour'>,
): { metadata: ImageMetadata; profile: Bytes | undefined } {
  const staysOwn = colour === 'own' && icc !== undefined && profileSpace(icc) === 'RGB ';
  return staysOwn ? { metadata: { ...others, icc }, profile: undefined } : { metadata: others, profile: icc };
}
