import { ascii, concat, u32 } from '../../../models/media/bytes/byte-writer.ts';

const FRAME_RATE = 25;

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
  { tag, bits, sampleRate }: Omit<AviSound, 'bytes'>,
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
  /** Coded samples of one channel. */
  readonly bytes: Uint8Array;
}

/**
 * Writes an AVI file without an index: pictures, of which each is followed by as much sound as it lasts.
 * @param pictureBytes returns the length of a picture
 */
export function writeAvi(
  { tag, bits, sampleRate, bytes }: AviSound,
  pictureBytes: (number: number) => number,
): Uint8Array<ArrayBuffer> {
  const sampleBytes = bits / 8;
  const samples = bytes.length / sampleBytes;
  const frames = Math.ceil((samples / sampleRate) * FRAME_RATE);
  const hdrl = getList(
    'hdrl',
    riffChunk('avih', u32le(1_000_000 / FRAME_RATE), new Uint8Array(12), u32le(frames), new Uint8Array(36)),
    getList('strl', streamHeader('vids', FRAME_RATE, frames, 0), riffChunk('strf', new Uint8Array(40))),
    soundHeader({ tag, bits, sampleRate }, samples),
  );
  const step = (sampleRate / FRAME_RATE) * sampleBytes;
  const chunks = Array.from({ length: frames }, (_, frame) => [
    riffChunk('00dc', new Uint8Array(pictureBytes(frame)).fill(7)),
    riffChunk('01wb', bytes.subarray(frame * step, (frame + 1) * step)),
  ]);
  return riffChunk('RIFF', ascii('AVI '), hdrl, getList('movi', ...chunks.flat()));
}

/**
 * Adds empty chunks to the end of an AVI file with one stream, and entries of its index for them.
 * @param entryAt returns the place that an entry names, from the name of the list on
 */
export function withEmptyChunks(
  whole: Uint8Array,
  empties: number,
  entryAt: (listBytes: number, number: number) => number,
): Blob {
  const bytes = Buffer.from(whole);
  const movi = bytes.indexOf('movi');
  const index = bytes.indexOf('idx1', movi);
  const chunk = Buffer.from('00wb\0\0\0\0', 'latin1');
  const entries = Array.from({ length: empties }, (_, number) => {
    const entry = Buffer.concat([chunk, Buffer.alloc(8)]);
    entry.writeUInt32LE(entryAt(index - movi, number), 8);
    return entry;
  });
  const longer = (at: number, by: number) => bytes.writeUInt32LE(bytes.readUInt32LE(at) + by, at);
  longer(4, empties * 24);
  longer(movi - 4, empties * 8);
  longer(index + 4, empties * 16);
  longer(bytes.indexOf('strh') + 8 + 32, empties);
  const indexEnd = index + 8 + bytes.readUInt32LE(index + 4) - empties * 16;
  return new Blob([
    new Uint8Array(bytes.subarray(0, index)),
    new Uint8Array(Buffer.concat(Array(empties).fill(chunk))),
    new Uint8Array(bytes.subarray(index, indexEnd)),
    new Uint8Array(Buffer.concat(entries)),
    new Uint8Array(bytes.subarray(indexEnd)),
  ]);
}
