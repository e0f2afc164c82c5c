import { type TiffField, writeDirectory } from '../../../../models/media/image/tiff/directory.ts';

/** Layout of a little-endian TIFF of one strip for each plane. */
export interface TiffKind {
  readonly bits: number;
  readonly photometric: number;
  /** 1 unsigned, 2 signed, 3 floating-point; the file has none when absent. */
  readonly sampleFormat?: number;
  readonly isPlanar?: boolean;
  /** Meaning of each sample beyond the colours; the file has none when absent. */
  readonly extraSamples?: readonly number[];
  /** Number of the compression, and what packs a strip. */
  readonly compression?: { readonly code: number; readonly pack: (strip: Uint8Array) => Uint8Array };
  readonly fields?: readonly TiffField[];
}

export const SIDE = 12;

/** Colour of a pixel of the test image, each part 0 to 1. */
export function testColour(x: number, y: number): readonly [red: number, green: number, blue: number] {
  return [x / (SIDE - 1), y / (SIDE - 1), ((x * 5 + y * 3) % SIDE) / (SIDE - 1)];
}

/** Writes numbers as one TIFF field in little-endian order: 3 SHORT, 4 LONG. */
export function field(tag: number, type: 3 | 4, ...numbers: number[]): TiffField {
  const Numbers = type === 3 ? Uint16Array : Uint32Array;
  return { tag, type, value: new Uint8Array(Numbers.from(numbers).buffer) };
}

/**
 * Writes the test image as a TIFF.
 * @param getSamples returns the samples of a pixel, in the units of the file
 */
export function tiffOfKind(kind: TiffKind, getSamples: (x: number, y: number) => readonly number[]): Blob {
  const channels = getSamples(0, 0).length;
  const planes = kind.isPlanar ? channels : 1;
  const strips: Uint8Array[] = [];
  for (let plane = 0; plane < planes; plane++) {
    const bytes: number[] = [];
    for (let y = 0; y < SIDE; y++) {
      const row: number[] = [];
      for (let x = 0; x < SIDE; x++) {
        const samples = getSamples(x, y);
        row.push(...(kind.isPlanar ? samples.slice(plane, plane + 1) : samples));
      }
      bytes.push(...packRow(row, kind));
    }
    const strip = Uint8Array.from(bytes);
    strips.push(kind.compression?.pack(strip) ?? strip);
  }
  let at = 8;
  const starts = strips.map(({ length }) => {
    at += length;
    return at - length;
  });
  const fields = [
    field(256, 4, SIDE),
    field(257, 4, SIDE),
    field(258, 3, ...Array<number>(channels).fill(kind.bits)),
    field(259, 3, kind.compression?.code ?? 1),
    field(262, 3, kind.photometric),
    field(273, 4, ...starts),
    field(277, 3, channels),
    field(278, 4, SIDE),
    field(279, 4, ...strips.map(({ length }) => length)),
    field(284, 3, kind.isPlanar ? 2 : 1),
    ...(kind.extraSamples ? [field(338, 3, ...kind.extraSamples)] : []),
    ...(kind.sampleFormat === undefined ? [] : [field(339, 3, kind.sampleFormat)]),
    ...(kind.fields ?? []),
  ];
  at += at % 2;
  const file = new Uint8Array(at);
  file.set([0x49, 0x49, 42, 0]);
  new DataView(file.buffer).setUint32(4, at, true);
  strips.forEach((strip, plane) => {
    file.set(strip, starts[plane]);
  });
  return new Blob([file, writeDirectory(fields, at, 0)]);
}

function packRow(row: readonly number[], { bits, sampleFormat }: TiffKind): number[] {
  if (bits % 8 !== 0) return packBits(row, bits);
  const view = new DataView(new ArrayBuffer((row.length * bits) / 8));
  row.forEach((sample, index) => {
    const at = (index * bits) / 8;
    if (sampleFormat === 3 && bits === 32) view.setFloat32(at, sample, true);
    else if (sampleFormat === 3) view.setFloat64(at, sample, true);
    else if (bits === 8) view.setUint8(at, sample);
    else if (bits === 16) view.setUint16(at, sample, true);
    else if (bits === 24) {
      view.setUint8(at, sample & 0xff);
      view.setUint16(at + 1, sample >> 8, true);
    } else view.setUint32(at, sample, true);
  });
  return [...new Uint8Array(view.buffer)];
}

function packBits(row: readonly number[], bits: number): number[] {
  const text = row.map((sample) => sample.toString(2).padStart(bits, '0')).join('');
  return (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}
