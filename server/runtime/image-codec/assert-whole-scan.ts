import sharp from 'sharp';
import { appendNoise, truncatedError } from '../../../models/media/image/read-image-file.ts';
import { decodingError } from './sharp-errors.ts';

/**
 * Checks that a JPEG whose end marker was missing lacks no samples: libvips overlooks those of the last rows.
 * @param file with an end marker
 * @throws OperationError `unprocessable` when some are missing
 */
export async function assertWholeScan(file: Uint8Array<ArrayBuffer>): Promise<void> {
  const [plain, noisy] = [await sumSamples(file), await sumSamples(appendNoise(file))];
  if (plain !== noisy) throw truncatedError('JPEG');
}

/** Returns sums over all samples, which are computed in passing. */
async function sumSamples(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const { channels } = await sharp(file, { failOn: 'none', limitInputPixels: false })
    .stats()
    .catch(decodingError);
  return JSON.stringify(channels.map(({ sum, squaresSum }) => [sum, squaresSum]));
}
