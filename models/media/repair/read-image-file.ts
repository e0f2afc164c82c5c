import { OperationError } from '../../core/operation/errors.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { getFormat, imageFormatOf } from '../image/find-format.ts';
import type { ReadableFile } from '../image/format/image-format.ts';
import type { ImageFormat } from '../image/formats.ts';

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
  const format = imageFormatOf(bytes);
  if (!format)
    throw new OperationError('unprocessable', 'The image has an unknown format.', { kind: 'unknown_format' });
  const file = await completeFile(bytes, format);
  await (await getFormat(format).load()).assertProbedSize?.(input, file.bytes);
  return { ...file, format };
}
