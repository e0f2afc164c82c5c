import { type Bytes, concat, u8 } from '../../../../models/media/bytes/byte-writer.ts';
import { type TiffField, writeDirectory } from '../../../../models/media/image/tiff/directory.ts';
import { short } from '../exif-block.ts';

export interface TiffPage {
  readonly width: number;
  readonly height: number;
  readonly colour: readonly [red: number, green: number, blue: number];
  /** NewSubfileType: 1 is a reduced copy. */
  readonly type: number;
  readonly fields?: readonly TiffField[];
}

/** Makes an uncompressed TIFF of plain pages: TIFF 6.0, sections 3 and 6. */
export function createTiff(pages: readonly TiffPage[]): Bytes {
  const parts: Bytes[] = [u8(0x49, 0x49, 42, 0, 8, 0, 0, 0)];
  let offset = 8;
  pages.forEach(({ width, height, colour, type, fields: others = [] }, place) => {
    const samples = Uint8Array.from({ length: width * height * 3 }, (_, at) => colour[at % 3] ?? 0);
    const fields = (samplesAt: number) => [
      short(254, type),
      short(256, width),
      short(257, height),
      { tag: 258, type: 3, value: u8(8, 0, 8, 0, 8, 0) },
      short(259, 1),
      short(262, 2),
      short(273, samplesAt),
      short(277, 3),
      short(278, height),
      short(279, samples.length),
      ...others,
    ];
    const samplesAt = offset + writeDirectory(fields(0), offset, 0).length;
    const end = samplesAt + samples.length + (samples.length % 2);
    const next = place === pages.length - 1 ? 0 : end;
    parts.push(writeDirectory(fields(samplesAt), offset, next), samples, new Uint8Array(samples.length % 2));
    offset = end;
  });
  return concat(parts);
}
