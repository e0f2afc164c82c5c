import sharp from 'sharp';
import type { Bytes } from '../../../../models/media/bytes/byte-writer.ts';
import { readHeifItems } from '../../../../models/media/image/heif/read-meta.ts';
import { type HeifProperty, writeHeif } from '../../../../models/media/image/heif/write-heif.ts';
import { convertToBlob } from '../images.ts';

const SIDE = 64;
/** Code points that our encoders write into their streams: primaries, transfer and matrix, of 8 bits each. */
const WRITTEN = [1, 13, 6];

/**
 * Makes an AVIF or HEIC of one colour whose coded samples state primaries and transfer, and whose boxes state none.
 * @param colour samples, 0 to 255
 */
export async function imageOfCodedColours(
  format: 'avif' | 'heic',
  [primaries, transfer]: readonly [number, number],
  [r, g, b]: readonly [number, number, number],
): Promise<Blob> {
  const image = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: { r, g, b } } });
  const png = new Blob([new Uint8Array(await image.png().toBuffer())]);
  const plain = await convertToBlob(png, { to_format: format, quality: 100 });
  const [picture, ...others] = readHeifItems(new Uint8Array(await plain.arrayBuffer()));
  if (!picture) throw new Error('no picture');
  const wanted = [primaries, transfer, WRITTEN[2] ?? 0];
  const properties = (picture.properties ?? [])
    .filter((property) => !isTyped(property, 'colr'))
    .map((property) =>
      isTyped(property, 'hvcC') ? { ...property, box: withPoints(property.box, wanted) } : property,
    );
  const data = format === 'avif' ? withPoints(picture.data, wanted) : picture.data;
  return new Blob(writeHeif(format, ['mif1', format, 'miaf'], [{ ...picture, data, properties }, ...others]));
}

function isTyped({ box }: HeifProperty, type: string): boolean {
  return String.fromCharCode(...box.subarray(4, 8)) === type;
}

/** Replaces the code points, which stand at any bit. @throws Error where there are none */
function withPoints(bytes: Bytes, points: readonly number[]): Bytes {
  const toBits = (numbers: Iterable<number>) =>
    Array.from(numbers, (number) => number.toString(2).padStart(8, '0')).join('');
  const bits = toBits(bytes);
  const at = bits.indexOf(toBits(WRITTEN));
  if (at < 0) throw new Error('no code points');
  const changed = bits.slice(0, at) + toBits(points) + bits.slice(at + 8 * points.length);
  return Uint8Array.from(changed.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
