import { ascii, concat, u32 } from '../../../models/media/bytes/byte-writer.ts';

/** Number in little-endian order. */
const u32le = (value: number) => u32(value).reverse();
const u16le = (value: number) => u32le(value).subarray(0, 2);

/** Makes a chunk of RIFF, whose length is made even. */
export function riffChunk(name: string, ...bodies: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = concat(bodies);
  return concat([ascii(name), u32le(body.length), body, new Uint8Array(body.length % 2)]);
}

export const getList = (name: string, ...chunks: readonly Uint8Array[]) =>
  riffChunk('LIST', ascii(name), ...chunks);

function streamHeader(type: 'vids' | 'auds', rate: number, length: number, unitBytes: number): Uint8Array {
  const numbers = concat([1, rate, 0, length].map((value) => u32le(value)));
  return riffChunk(
    'strh',
    ascii(type),
    new Uint8Array(16),
    numbers,
    new Uint8Array(8),
    u32le(unitBytes),
    new Uint8Array(8),
  );
}

/** Makes the list of a mono stream. @param names chunks that name it */
export function soundHeader(
  { tag, bits, sampleRate }: AviSound,
  samples: number,
  ...names: readonly Uint8Array[]
): Uint8Array {
  const unitBytes = bits / 8;
  const rates = concat([u32le(sampleRate), u32le(sampleRate * unitBytes)]);
  const format = riffChunk('strf', u16le(tag), u16le(1), rates, u16le(unitBytes), u16le(bits));
  return getList('strl', streamHeader('auds', sampleRate, samples, unitBytes), format, ...names);
}

interface AviSound {
  /** Format tag of WAVEFORMATEX. */
  readonly tag: number;
  readonly bits: number;
  readonly sampleRate: number;
}
