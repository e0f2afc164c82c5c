import type { OutputFile } from '../../core/operation/run-result.ts';
import type { ImageCodec } from '../../core/runtime/image-codec.ts';
import { WHITE } from '../../core/runtime/raster.ts';
import { pictureOf } from '../../kernels/picture/raster-picture.ts';
import type { EnlargedRegion } from './enlarge-region.ts';
import { upscaledFormat } from './formats.ts';
import { OUTPUT_QUALITY, type Still } from './run-image.ts';
import type { UpscaleParams } from './schema.ts';

/** Encodes an enlarged region as a whole result is. */
export async function saveRegion(
  { raster }: EnlargedRegion,
  { hasAlpha }: Still,
  { output_format }: UpscaleParams,
  { images, signal }: { readonly images: ImageCodec; readonly signal: AbortSignal },
): Promise<OutputFile> {
  const format = upscaledFormat(output_format);
  const blob = await images.encode(pictureOf(raster, { hasAlpha, metadata: {} }), {
    format,
    quality: OUTPUT_QUALITY,
    background: WHITE,
    metadata: {},
    signal,
  });
  return { name: `output.${format}`, mediaType: `image/${format}`, blob };
}
