import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageFormat } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { countGifFrames } from '../gif/blocks.ts';
import { readHeifCollection } from '../heif/read-collection.ts';
import { readHeifSequence } from '../heif/read-sequence.ts';
import { readJpegCompanions } from '../jpeg/read-companions.ts';
import { countPngFrames } from '../png/count-frames.ts';
import { countTiffPages } from '../tiff/pages.ts';
import { readWebpChunks } from '../webp/chunks.ts';

/** Images that a file holds. Reduced copies, thumbnails, masks and gain maps do not count. */
export interface FileContents {
  /** At least 1. */
  readonly count: number;
  /** Frames of an animation, pages of a document, or images that only lie beside each other. */
  readonly kind: 'frames' | 'pages' | 'images';
  readonly hasGainMap: boolean;
}

const ONE: FileContents = { count: 1, kind: 'images', hasGainMap: false };

/** Counts the images of a file by its structure, without decoding. What is damaged counts as one. */
export function readContents(file: Bytes, format: ImageFormat): FileContents {
  try {
    return READERS[format](file);
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof OperationError) return ONE;
    throw thrown;
  }
}

const READERS: Record<ImageFormat, (file: Bytes) => FileContents> = {
  gif: (file) => animation(countGifFrames(file)),
  png: (file) => animation(countPngFrames(file)),
  webp: (file) => animation(readWebpChunks(file).filter(({ type }) => type === 'ANMF').length),
  tiff: (file) => ({ ...ONE, count: countTiffPages(file), kind: 'pages' }),
  jpeg: readJpeg,
  avif: readHeif,
  heic: readHeif,
  bmp: () => ONE,
};

function animation(frames: number): FileContents {
  return { ...ONE, count: Math.max(1, frames), kind: 'frames' };
}

function readJpeg(file: Bytes): FileContents {
  const { pictures, hasGainMap } = readJpegCompanions(file);
  return { count: 1 + pictures, kind: 'images', hasGainMap };
}

function readHeif(file: Bytes): FileContents {
  const frames = readHeifSequence(file)?.main.samples.length ?? 0;
  if (frames > 1) return animation(frames);
  const { pictures, hasGainMap } = readHeifCollection(file);
  return { count: pictures, kind: 'images', hasGainMap };
}
