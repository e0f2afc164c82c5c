import { OperationError } from '../../../core/operation/errors.ts';
import type { ColourEncoding } from '../../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { animationOf } from '../format/file-parts.ts';
import type { FileContents, ImageFileCode } from '../format/image-format.ts';
import { isoEnd, shorterThan } from '../format/missing-end.ts';
import { announcesSequence } from './brands.ts';
import { readHeifCollection } from './read-collection.ts';
import { readHeifEncoding } from './read-encoding.ts';
import { readHeifMetadata } from './read-metadata.ts';
import { readHeifSequence } from './read-sequence.ts';
import { isHeifRotated, readHeifSize } from './read-size.ts';

/** Code of all formats in the boxes of HEIF. */
export const heifFileCode: ImageFileCode = {
  readSize: readHeifSize,
  isAnimated: announcesSequence,
  readContents,
  hasAlpha: (file) => readHeifCollection(file).hasAlpha,
  readMetadata: readHeifMetadata,
  isRotated: isHeifRotated,
  readEncoding,
  findMissingEnd: async (file) => shorterThan(file, await isoEnd(file).catch(() => 0)),
};

function readContents(file: Bytes): FileContents {
  const frames = readHeifSequence(file)?.main.samples.length ?? 0;
  if (frames > 1) return animationOf(frames);
  const { pictures, hasGainMap } = readHeifCollection(file);
  return { count: pictures, kind: 'images', hasGainMap };
}

/** Reads the encoding. A description that cannot be read states nothing; the decoder decides whether the image can. */
function readEncoding(file: Bytes): ColourEncoding | null {
  try {
    return readHeifEncoding(file);
  } catch (thrown) {
    if (thrown instanceof OperationError || thrown instanceof RangeError) return null;
    throw thrown;
  }
}
