import sharp from 'sharp';
import type {
  DecodeOptions,
  EncodeOptions,
  ImageCodec,
  Picture,
} from '../../../models/core/runtime/image-codec.ts';
import { addWarnings } from '../../../models/kernels/picture/add-warnings.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { readImageFile } from '../../../models/media/repair/read-image-file.ts';
import { createLazyTempFolder } from '../../base/temp-dir.ts';
import { FORMAT_ENGINES, type FormatEngine } from './engines.ts';
import { withSpooledFile } from './spool-strips.ts';

/**
 * Creates the image codec for Node.
 * @param tempFolder for images that are too large for memory; defaults to one that ends with the process
 */
export function createImageCodec(tempFolder = createLazyTempFolder()): ImageCodec {
  // A run reads each image once: libvips' cache would only hold memory.
  sharp.cache(false);
  return { decode, encode: (picture, options) => encode(picture, options, tempFolder) };
}

async function decode(input: Blob, options: DecodeOptions): Promise<Picture> {
  options.signal.throwIfAborted();
  const { bytes, format, warnings, wasCompleted } = await readImageFile(input);
  const engine = getEngine(format);
  if (wasCompleted) await engine.assertWhole?.(bytes);
  return addWarnings(await engine.open(bytes, options), warnings);
}

async function encode(
  picture: Picture,
  options: EncodeOptions,
  tempFolder: () => Promise<string>,
): Promise<Blob> {
  options.signal.throwIfAborted();
  const parts = await encodeParts(picture, options, tempFolder);
  options.signal.throwIfAborted();
  // A blob copies its bytes: part by part, each can be freed once copied.
  const blobs = Array.from(parts, (part) => new Blob([part]));
  return new Blob(blobs, { type: getFormat(options.format).mediaType });
}

/** Encodes an image; one of strips that must be read whole goes through a file. */
async function encodeParts(
  picture: Picture,
  options: EncodeOptions,
  tempFolder: () => Promise<string>,
): Promise<Iterable<Bytes | Blob>> {
  const engine = getEngine(options.format);
  if (!picture.strips) return engine.encode(picture, options);
  if (engine.encodeStrips) return engine.encodeStrips(picture, options);
  return withSpooledFile(picture, await tempFolder(), options, (spooled) => engine.encode(spooled, options));
}

function getEngine(format: string): FormatEngine {
  const engine = FORMAT_ENGINES.get(format);
  if (!engine) throw new RangeError(`No engine reads and writes ${format}.`);
  return engine;
}
