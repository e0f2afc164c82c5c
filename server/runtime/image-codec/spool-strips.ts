import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { getStrips } from '../../../models/kernels/raster/picture.ts';
import { samplesAsBytes } from '../../../models/media/bytes/sample-bytes.ts';
import { LibvipsPicture } from '../../../models/media/image/codec/libvips-picture.ts';
import { uncompressedTiffHead } from '../../../models/media/image/tiff/uncompressed-tiff.ts';
import { sharpLibvips } from './sharp-libvips.ts';

/**
 * Writes an image that comes in strips to a file, from which an encoder reads it row by row: libvips takes samples in
 * memory only as a whole.
 * @param folder of the file, which ends with the work
 * @param encode receives the image
 */
export async function withSpooledFile<Result>(
  picture: Picture,
  folder: string,
  { signal, onProgress }: Pick<EncodeOptions, 'signal' | 'onProgress'>,
  encode: (spooled: Picture) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, `strips-${randomUUID()}.tiff`);
  try {
    const { width, height, hasAlpha, bitDepth } = picture;
    const channels = hasAlpha ? 4 : 3;
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(uncompressedTiffHead({ width, height, channels, bitsPerSample: bitDepth }));
      let done = 0;
      for await (const strip of getStrips(picture).strips) {
        signal.throwIfAborted();
        await file.writeFile(
          samplesAsBytes(strip, channels, { top: 0, rows: strip.height, order: 'little' }),
        );
        done += strip.height;
        onProgress?.({ fraction: done / height });
      }
    } finally {
      await file.close();
    }
    const facts = { ...picture, frameCount: 1, loopCount: 0 };
    const source = { kind: 'file', file: path, keepsProfile: true } as const;
    return await encode(new LibvipsPicture(facts, { libvips: sharpLibvips, source }));
  } finally {
    await rm(path, { force: true });
  }
}
