import sharp from 'sharp';
import { type Bytes, concat, u8, u16, u32 } from '../../../models/media/bytes/byte-writer.ts';
import { PNG_SIGNATURE, readPngChunks, writePngChunk } from '../../../models/media/image/png/chunks.ts';

export interface AnimatedPart {
  readonly colour: { r: number; g: number; b: number; alpha: number };
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly delay: readonly [numerator: number, denominator: number];
  /** 0 none, 1 background, 2 previous. */
  readonly dispose?: number;
  /** 0 source, 1 over. */
  readonly blend?: number;
}

/** Makes an animated PNG of plain rectangles, the first of which is its still image. */
export async function createAnimatedPng(parts: readonly AnimatedPart[], plays: number): Promise<Bytes> {
  let sequence = 0;
  const pieces: Bytes[] = [];
  for (const [place, part] of parts.entries()) {
    const { width, height, colour: background, left, top, delay, dispose = 0, blend = 0 } = part;
    const file = await sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer();
    const chunks = readPngChunks(new Uint8Array(file));
    const header = chunks.find(({ type }) => type === 'IHDR')?.body ?? u8();
    if (place === 0) {
      pieces.push(
        PNG_SIGNATURE,
        writePngChunk('IHDR', header),
        writePngChunk('acTL', u32(parts.length, plays)),
      );
    }
    const control = concat([u32(sequence++, width, height, left, top), u16(...delay), u8(dispose, blend)]);
    pieces.push(writePngChunk('fcTL', control));
    for (const { type, body } of chunks) {
      if (type !== 'IDAT') continue;
      pieces.push(place === 0 ? writePngChunk(type, body) : writePngChunk('fdAT', u32(sequence++), body));
    }
  }
  return concat([...pieces, writePngChunk('IEND')]);
}
