import type { OutputFile } from '../../core/operation/run-result.ts';
import { type Raster, WHITE } from '../../core/runtime/raster.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { pictureOf } from '../../kernels/picture/raster-picture.ts';
import { getFormat } from './find-format.ts';
import type { ImageFormat } from './formats.ts';

/** Quality without visible loss. */
const QUALITY = 92;

export interface RasterFile {
  /** Name without its extension. */
  readonly name?: string;
  readonly format: Extract<ImageFormat, 'png' | 'jpeg' | 'webp'>;
  /** 1 to 100, for jpeg and webp. */
  readonly quality?: number;
}

/**
 * Encodes a raster as a file without metadata. Transparency stays in png and webp and becomes white in jpeg.
 * @throws OperationError `unprocessable` when the raster does not fit the format
 */
export async function encodeRaster(
  raster: Raster,
  { name = 'output', format, quality = QUALITY }: RasterFile,
  { images, signal, progress }: Pick<Runtime, 'images' | 'signal'> & Partial<Pick<Runtime, 'progress'>>,
): Promise<OutputFile> {
  const blob = await images.encode(pictureOf(raster, { hasAlpha: true, metadata: {} }), {
    format,
    quality,
    background: WHITE,
    metadata: {},
    signal,
    ...(progress && { onProgress: progress }),
  });
  return { name: `${name}.${format}`, mediaType: getFormat(format).mediaType, blob };
}
