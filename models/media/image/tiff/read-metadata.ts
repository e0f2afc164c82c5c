import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { openTiffStream, readDirectory } from './directory.ts';
import { exifOfTiff } from './write-metadata.ts';

const XMP = 700;
const ICC = 34675;

/** Reads the metadata of the first page. */
export function readTiffMetadata(file: Bytes): ImageMetadata {
  const stream = openTiffStream(file);
  const fields = stream ? readDirectory(stream, stream.firstOffset) : [];
  const fieldValue = (wanted: number) => fields.find(({ tag }) => tag === wanted)?.value;
  const [icc, xmp, exif] = [fieldValue(ICC), fieldValue(XMP), exifOfTiff(file)];
  return { ...(icc ? { icc } : {}), ...(xmp ? { xmp } : {}), ...(exif ? { exif } : {}) };
}
