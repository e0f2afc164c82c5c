import type { DecodeOptions, ImageCodec, Picture } from '../../../models/core/runtime/image-codec.ts';
import { addWarnings } from '../../../models/kernels/raster/picture.ts';
import { transformPicture } from '../../../models/kernels/raster/transform-picture.ts';
import { scaleRaster } from '../../../models/kernels/resize/scale-raster.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import type { Loading } from '../loading/assets.ts';
import { FORMAT_ENGINES, type FormatEngine } from './engines.ts';
import { openSource } from './source.ts';

/**
 * Creates the image codec for a browser worker: the browser's own codecs first, our own kernels where it has none or
 * loses data, libheif and x265 for HEIC, and ImageMagick for the rest. Codecs load on first use.
 */
export function createImageCodec(loading: Loading): ImageCodec {
  return {
    decode: (input, options) => decode(input, options, loading),
    transform: (picture, geometry) =>
      transformPicture(picture, geometry, (raster, { width, height }) => scaleRaster(raster, width, height)),
    async encode(picture, options) {
      options.signal.throwIfAborted();
      const parts = await getEngine(options.format).encode(picture, options, loading);
      options.signal.throwIfAborted();
      return new Blob([...parts], { type: getFormat(options.format).mediaType });
    },
  };
}

async function decode(input: Blob, options: DecodeOptions, loading: Loading): Promise<Picture> {
  const source = await openSource(input, options);
  const engine = getEngine(source.format);
  if (source.wasCompleted) await engine.assertWhole?.(source.bytes);
  return addWarnings(await engine.open(source, options, loading), source.warnings);
}

function getEngine(format: string): FormatEngine {
  const engine = FORMAT_ENGINES.get(format);
  if (!engine) throw new RangeError(`No engine reads and writes ${format}.`);
  return engine;
}
