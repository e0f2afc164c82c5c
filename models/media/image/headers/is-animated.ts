import type { ImageFormat } from '../../../core/runtime/image-codec.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { readFourCc } from '../../bytes/read-four-cc.ts';

/** Length of the signature and IHDR of a PNG, and of a chunk without its body. */
const PNG_HEAD_BYTES = 33;
const CHUNK_BYTES = 12;
/** Limit on chunks before the samples. */
const CHUNKS_MAX = 64;
const FTYP_BYTES_MAX = 64;
/** Brands of files with an image sequence: AV1 Image File Format, 6.3; ISO 23008-12, 10.2 and annex B. */
const SEQUENCE_BRANDS: ReadonlySet<string> = new Set(['avis', 'msf1', 'hevc', 'hevx']);

/** Reports whether the header of a PNG, AVIF or HEIC announces several frames; of other formats, false. */
export async function isAnimated(bytes: ByteWindow, format: ImageFormat): Promise<boolean> {
  if (format === 'png') return announcesFrames(bytes);
  return (format === 'avif' || format === 'heic') && hasSequenceBrand(bytes);
}

/** Looks for `acTL` before the samples: PNG, third edition, 11.3.6.1. */
async function announcesFrames(bytes: ByteWindow): Promise<boolean> {
  let at = PNG_HEAD_BYTES;
  for (let count = 0; count < CHUNKS_MAX && at + 8 <= bytes.size; count++) {
    const chunk = await bytes.read(at, 8);
    const type = readFourCc(chunk, 4);
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL';
    at += CHUNK_BYTES + chunk.getUint32(0);
  }
  return false;
}

async function hasSequenceBrand(bytes: ByteWindow): Promise<boolean> {
  const box = await bytes.read(0, Math.min(FTYP_BYTES_MAX, bytes.size));
  const end = Math.min(box.byteLength, box.getUint32(0));
  for (let at = 8; at + 4 <= end; at += 4) if (SEQUENCE_BRANDS.has(readFourCc(box, at))) return true;
  return false;
}
