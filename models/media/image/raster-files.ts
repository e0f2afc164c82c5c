import type { OutputFile } from '../../core/operation/run-result.ts';
import type { FrameOptions, Picture } from '../../core/runtime/image-codec.ts';
import { type Raster, type Raster8, WHITE } from '../../core/runtime/raster.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { firstFrame, getPicture } from '../../kernels/raster/picture.ts';
import { toEightBits } from '../../kernels/raster/pixel-format.ts';
import { getFormat } from './find-format.ts';
import type { ImageFormat } from './formats.ts';

/** Quality of results, without visible loss. */
export const OUTPUT_QUALITY = 92;

interface RasterFile {
  /** Name without its extension. */
  readonly name?: string;
  readonly format: Extract<ImageFormat, 'png' | 'jpeg' | 'webp'>;
  /** 1 to 100, for jpeg and webp. */
  readonly quality?: number;
  /** Whether the raster may have transparent pixels; true by default. */
  readonly hasAlpha?: boolean;
}

type Codecs = Pick<Runtime, 'images' | 'signal'>;

/**
 * Opens an image for `rasterOf`, in sRGB. Its size is known before its samples are read.
 * @throws OperationError `unprocessable` when it is corrupt
 */
export function openImage(input: Blob, { images, signal }: Codecs): Promise<Picture> {
  return images.decode(input, { frames: 'first', colour: 'srgb', signal });
}

/**
 * Reads the first frame of an open image: upright, 8 bits.
 * @throws OperationError `unprocessable` when it is corrupt
 */
export async function getRaster(picture: Picture, options?: FrameOptions): Promise<Raster8> {
  return toEightBits(await firstFrame(picture, options));
}

/** Reads an image's first frame: upright, sRGB, 8 bits. @throws OperationError `unprocessable` when it is corrupt */
export async function readRaster(input: Blob, codecs: Codecs): Promise<Raster8> {
  return getRaster(await openImage(input, codecs));
}

/**
 * Encodes a raster as a file without metadata. Transparency stays in png and webp and becomes white in jpeg.
 * @throws OperationError `unprocessable` when the raster does not fit the format
 */
export async function encodeRaster(
  raster: Raster,
  { name = 'output', format, quality = OUTPUT_QUALITY, hasAlpha = true }: RasterFile,
  { images, signal, progress }: Pick<Runtime, 'images' | 'signal'> & Partial<Pick<Runtime, 'progress'>>,
): Promise<OutputFile> {
  const blob = await images.encode(getPicture(raster, { hasAlpha, metadata: {} }), {
    format,
    quality,
    background: WHITE,
    metadata: {},
    signal,
    ...(progress && { onProgress: progress }),
  });
  return { name: `${name}.${format}`, mediaType: getFormat(format).mediaType, blob };
}
