import { type Bytes, concat } from '../../../models/media/bytes/byte-writer.ts';
import { readPngChunks } from '../../../models/media/image/png/chunks.ts';
import { appendNoise, truncatedError } from '../../../models/media/image/read-image-file.ts';
import { BitmapPicture } from './pictures.ts';
import { drainInflated } from './zlib.ts';

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
