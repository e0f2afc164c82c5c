import type { ImageMetadata } from '../../image-codec.ts';
import type { Bytes } from '../byte-writer.ts';

const NAMES: Readonly<Record<string, keyof ImageMetadata>> = { ICCP: 'icc', EXIF: 'exif', 'XMP ': 'xmp' };

/** RFC 9649, 2.7.1.4 and 2.7.1.5. */
export function readWebpMetadata(file: Bytes): ImageMetadata {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found: { -readonly [Name in keyof ImageMetadata]: ImageMetadata[Name] } = {};
  for (let at = 12; at + 8 <= file.length; ) {
    const length = view.getUint32(at + 4, true);
    const name = NAMES[String.fromCharCode(...file.subarray(at, at + 4))];
    if (name) found[name] ??= file.slice(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  return found;
}
