import type { DecodeOptions, ImageMetadata } from '../../../models/core/runtime/image-codec.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import type { Orientation } from '../../../models/kernels/raster/orient-raster.ts';
import { type Bytes, concat } from '../../../models/media/bytes/byte-writer.ts';
import { readColours, type SampleColours } from '../../../models/media/image/colours.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { profileSpace } from '../../../models/media/image/icc/read-profile.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import { readPngChunks } from '../../../models/media/image/png/chunks.ts';
import { appendNoise, readImageFile, truncatedError } from '../../../models/media/image/read-image-file.ts';
import { BitmapPicture } from './pictures.ts';
import { drainInflated, inflate } from './zlib.ts';

/** Image file to decode, with facts for its decoder. */
export interface Source {
  readonly bytes: Bytes;
  readonly format: ImageFormat;
  /** Metadata of the future image. It has a profile only when the samples stay in it. */
  readonly metadata: ImageMetadata;
  /** Profile that a decoder converts the samples from; without one it leaves them. */
  readonly profile: Bytes | undefined;
  /** Meaning of the samples. */
  readonly colours: SampleColours;
  /** EXIF transform that makes the image upright. */
  readonly orientation: Orientation;
  readonly signal: AbortSignal;
  /** Whether the end of the file was missing: samples may be missing as well. */
  readonly wasCompleted: boolean;
  /** Warnings about the file. */
  readonly warnings: readonly RunWarning[];
}

/**
 * Opens an image file.
 * @throws OperationError `unprocessable` when the bytes are of no known format, or contradict the size that probing
 *   has found
 */
export async function openSource(input: Blob, options: DecodeOptions): Promise<Source> {
  const { signal } = options;
  signal.throwIfAborted();
  const { bytes, format, warnings, wasCompleted } = await readImageFile(input);
  const { metadata: found, orientation } = await readMetadata(bytes, format, inflate);
  const colours = await readColours(bytes, format, found);
  const { icc: _, ...others } = found;
  // Only a profile in the file is the decoder's concern: what else a file states is applied to decoded samples.
  const metadata = colours.kind === 'profile' ? found : others;
  const profile = chooseProfile(metadata, options);
  return { bytes, format, orientation, signal, warnings, wasCompleted, colours, ...profile };
}

/** Chooses the colour conversion. Only RGB samples may stay in their profile: other models become sRGB. */
export function chooseProfile(
  { icc, ...others }: ImageMetadata,
  { colour }: Pick<DecodeOptions, 'colour'>,
): { metadata: ImageMetadata; profile: Bytes | undefined } {
  const staysOwn = colour === 'own' && icc !== undefined && profileSpace(icc) === 'RGB ';
  return staysOwn ? { metadata: { ...others, icc }, profile: undefined } : { metadata: others, profile: icc };
}

/**
 * Checks that a JPEG whose end was missing lacks no samples, which browsers would leave gray.
 * @throws OperationError `unprocessable` when some are missing
 */
export async function assertWholeJpeg(file: Bytes): Promise<void> {
  const [plain, noisy] = [await readSamples(file), await readSamples(appendNoise(file))];
  if (plain.some((sample, at) => sample !== noisy[at])) throw truncatedError('JPEG');
}

/**
 * Checks that a PNG whose end was missing lacks no samples, which browsers would leave black.
 * @throws OperationError `unprocessable` when some are missing
 */
export async function assertWholePng(file: Bytes): Promise<void> {
  const bodies = readPngChunks(file).filter(({ type }) => type === 'IDAT');
  await drainInflated(concat(bodies.map(({ body }) => body))).catch((cause: unknown) => {
    throw truncatedError('PNG', cause);
  });
}

async function readSamples(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array | Uint16Array> {
  const bitmap = await createImageBitmap(new Blob([file])).catch((cause: unknown) => {
    throw truncatedError('JPEG', cause);
  });
  for await (const { data } of new BitmapPicture(bitmap, {}).frames()) return data;
  throw truncatedError('JPEG');
}
