import type { DecodeOptions, EncodeOptions, ImageCodec, Picture } from '../../../core/runtime/image-codec.ts';
import type { ImageSize, Raster } from '../../../core/runtime/raster.ts';
import {
  addWarnings,
  assembleStrips,
  firstFrame,
  getPicture,
  getStrips,
  holdPicture,
} from '../../../kernels/raster/picture.ts';
import { scalingGeometry, transformPicture } from '../../../kernels/raster/transform-picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getFormat } from '../find-format.ts';
import { readImageFile } from '../read-image-file.ts';
import { FORMAT_ENGINES } from './format-engines.ts';
import type { FormatEngine, ImageEngines } from './image-engines.ts';
import { decodingError, LibvipsPicture } from './libvips-picture.ts';

/** Creates the image codec on the engines of one side. All that it decides is decided here, for both sides. */
export function createImageCodecOn(engines: ImageEngines): ImageCodec {
  return {
    decode: (input, options) => decode(input, options, engines),
    transform: (picture, geometry) =>
      (picture instanceof LibvipsPicture && picture.transformed(geometry)) ||
      transformPicture(picture, geometry, (raster, size) => scale(raster, size, engines)),
    async hold(picture) {
      if (picture.frameCount > 1) return (await holdPicture(picture))();
      return LibvipsPicture.hold(await firstFrame(picture), picture, await engines.loadLibvips());
    },
    async encode(picture, options) {
      options.signal.throwIfAborted();
      const parts = await encodeParts(picture, options, engines);
      options.signal.throwIfAborted();
      // A blob copies its bytes: part by part, each can be freed once copied.
      const blobs = Array.from(parts, (part) => new Blob([part]));
      return new Blob(blobs, { type: getFormat(options.format).mediaType });
    },
  };
}

async function decode(input: Blob, options: DecodeOptions, engines: ImageEngines): Promise<Picture> {
  options.signal.throwIfAborted();
  const { bytes, format, warnings, wasCompleted } = await readImageFile(input);
  const engine = getEngine(format);
  if (wasCompleted) await engine.assertWhole?.(bytes, engines);
  return addWarnings(await engine.open(bytes, options, engines), warnings);
}

/** Resizes a raster, with libvips where it can. */
async function scale(raster: Raster, size: ImageSize, engines: ImageEngines): Promise<Raster> {
  const { width, height, data } = raster;
  const libvips = await engines.loadLibvips();
  const bytes = await libvips
    .render({
      source: { kind: 'samples', width, height, data, pageHeight: height },
      geometry: scalingGeometry(size),
      alpha: 'added',
      depth: data instanceof Uint16Array ? 16 : 8,
      write: { format: 'raw' },
    })
    .catch(decodingError);
  const is16Bit = data instanceof Uint16Array;
  const { buffer, byteOffset, length } = bytes;
  return { ...size, data: is16Bit ? new Uint16Array(buffer, byteOffset, length / 2) : bytes };
}

/** Encodes an image; one of strips that must be read whole is gathered. */
async function encodeParts(
  picture: Picture,
  options: EncodeOptions,
  engines: ImageEngines,
): Promise<Iterable<Bytes | Blob>> {
  const engine = getEngine(options.format);
  if (!picture.strips) return engine.encode(picture, options, engines);
  if (engine.encodeStrips && !options.tuning) return engine.encodeStrips(picture, options, engines);
  const encode = (whole: Picture): Promise<Iterable<Bytes>> => engine.encode(whole, options, engines);
  return engines.withWhole ? engines.withWhole(picture, options, encode) : encode(await gather(picture));
}

/** Holds an image of strips as a raster, which an encoder may read several times. */
async function gather(picture: Picture): Promise<Picture> {
  return getPicture(await assembleStrips(getStrips(picture)), picture);
}

function getEngine(format: string): FormatEngine {
  const engine = FORMAT_ENGINES.get(format);
  if (!engine) throw new RangeError(`No engine reads and writes ${format}.`);
  return engine;
}
