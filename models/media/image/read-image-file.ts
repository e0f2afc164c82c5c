import { OperationError } from '../../core/operation/errors.ts';
import { type Bytes, concat } from '../bytes/byte-writer.ts';
import { getFormat, getImageFormat } from './find-format.ts';
import type { ImageFormat } from './formats.ts';
import type { ReadableFile } from './image-format.ts';

const END_BYTES = 2;
const NOISE_BYTES = 4096;

/**
 * Makes an image file readable for strict decoders: adds an end that is missing after the image itself, as browsers
 * tolerate, and makes a TIFF lead to its full pictures only.
 * @param bytes of the caller, which may be changed
 */
export async function completeFile(bytes: Bytes, format: string): Promise<ReadableFile> {
  const code = await getFormat(format).load();
  return code.complete?.(bytes) ?? { bytes, wasCompleted: false, warnings: [] };
}

/**
 * Reads an image file as a decoder should.
 * @throws OperationError `unprocessable` when the bytes are of no known format, or contradict the size that probing
 *   has found
 */
export async function readImageFile(input: Blob): Promise<ReadableFile & { readonly format: ImageFormat }> {
  const bytes = new Uint8Array(await input.arrayBuffer());
  const format = getImageFormat(bytes);
  if (!format)
    throw new OperationError('unprocessable', 'The image has an unknown format.', { kind: 'unknown_format' });
  const file = await completeFile(bytes, format);
  await (await getFormat(format).load()).assertProbedSize?.(input, file.bytes);
  return { ...file, format };
}

/**
 * Inserts arbitrary coded bits before the end marker of a JPEG. A decoder that has all samples ignores them; one that
 * lacks some takes them for these, so the image changes. That tells whole scans from truncated ones of every kind.
 * @param file that ends with its end marker
 */
export function appendNoise(file: Bytes): Bytes {
  // No byte is 0xff, which would begin a marker.
  const noise = Uint8Array.from({ length: NOISE_BYTES }, (_, at) => (at * at * 31 + at * 167 + 13) % 251);
  return concat([file.subarray(0, -END_BYTES), noise, file.subarray(-END_BYTES)]);
}

/** Makes the error for an image of which samples are missing, not only the end. */
export function truncatedError(format: 'JPEG' | 'PNG'): OperationError {
  return new OperationError(
    'unprocessable',
    `The image is a ${format} that ends too early: a part of it is missing. Send the whole file.`,
    { kind: 'damaged' },
  );
}
