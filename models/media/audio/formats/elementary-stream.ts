import {
  FRAME_HEAD_BYTES,
  openTrueHd,
  type RawFrame,
  type ReadFrame,
  readAc3Frame,
  readAdtsFrame,
  readDtsFrame,
  readMpegFrame,
} from './raw-frames.ts';

/** Clock of MPEG's times, in Hz, and the number at which they begin again: ISO 13818-1, 2.4.2.7. */
const PES_CLOCK = 90_000;
const PES_TIMES = 2 ** 33;
/** Bytes that may fill up a head of MPEG-1. */
const STUFFING_MAX = 16;

/** Start of a packet of an elementary stream. */
interface PesPacket {
  readonly streamId: number;
  /** In units of `PES_CLOCK`; null where there is none. */
  readonly time: number | null;
  /** Offset of the first byte of the stream. */
  readonly bodyAt: number;
}

const READERS: Readonly<Partial<Record<string, () => ReadFrame>>> = {
  mp3: () => readMpegFrame,
  aac: () => readAdtsFrame,
  ac3: () => readAc3Frame,
  eac3: () => readAc3Frame,
  dts: () => readDtsFrame,
  truehd: openTrueHd,
};

/** Format of a stream, as far as its bytes state it. */
export type StreamFormat = Pick<RawFrame, 'codec' | 'sampleRate' | 'channelCount' | 'channelMask'>;

/** Format of streams whose heads are not read here: FFmpeg converts what it finds to it. */
const USUAL = { sampleRate: 48_000, channelCount: 2 };

/** Reads the format of a stream from the start of one of its packets. */
export function readStreamFormat(codec: string, bytes: Uint8Array): StreamFormat {
  const { first } = walk(codec, bytes, null);
  if (!first) return { codec, ...USUAL };
  const { sampleRate, channelCount, channelMask } = first;
  return { codec: first.codec, sampleRate, channelCount, ...(channelMask !== undefined && { channelMask }) };
}

/**
 * Returns the seconds of the frames that begin in a packet.
 * @param format of the stream: other bytes may look like a frame of another one
 */
export function packetSeconds(codec: string, bytes: Uint8Array, format: StreamFormat): number {
  const { first, samples } = walk(codec, bytes, format);
  return first ? samples / first.sampleRate : 0;
}

/** Walks the frames of a packet, from the first one on. */
function walk(
  codec: string,
  bytes: Uint8Array,
  format: StreamFormat | null,
): { readonly first: RawFrame | null; readonly samples: number } {
  const read = READERS[codec]?.();
  let first: RawFrame | null = null;
  let samples = 0;
  for (let at = 0; read && at < bytes.length; ) {
    const frame = read(bytes.subarray(at, at + FRAME_HEAD_BYTES));
    const isOwn =
      frame && (!format || (frame.codec === format.codec && frame.sampleRate === format.sampleRate));
    if (isOwn) first ??= frame;
    samples += isOwn ? frame.samples : 0;
    at += isOwn ? frame.bytes : 1;
  }
  return { first, samples };
}

/** Reads the head of a packet: ISO 13818-1, 2.4.3.6, or ISO 11172-1; null where there is none. */
export function readPesPacket(bytes: Uint8Array): PesPacket | null {
  if (bytes.length < 9 || bytes[0] !== 0 || bytes[1] !== 0 || bytes[2] !== 1) return null;
  const [streamId = 0, flags = 0, headBytes = 0] = [bytes[3], bytes[7], bytes[8]];
  // Video, audio, and private streams: all others have no such head.
  const isMedia = streamId === 0xbd || streamId === 0xfd || (streamId >= 0xc0 && streamId <= 0xef);
  if (!isMedia) return null;
  if (((bytes[6] ?? 0) & 0xc0) !== 0x80) return readFirstEdition(bytes, streamId);
  const time = flags & 0x80 && bytes.length >= 14 ? timeAt(bytes, 9) : null;
  return { streamId, time, bodyAt: 9 + headBytes };
}

/** Reads the rest of a head of MPEG-1: ISO 11172-1, 2.4.3.3. */
function readFirstEdition(bytes: Uint8Array, streamId: number): PesPacket | null {
  let at = 6;
  while (bytes[at] === 0xff && at < 6 + STUFFING_MAX) at += 1;
  if (((bytes[at] ?? 0) & 0xc0) === 0x40) at += 2;
  const mark = bytes[at] ?? 0;
  if (mark === 0x0f) return { streamId, time: null, bodyAt: at + 1 };
  const isTimed = mark >> 4 === 2 || mark >> 4 === 3;
  if (!isTimed || bytes.length < at + 5) return null;
  return { streamId, time: timeAt(bytes, at), bodyAt: at + (mark >> 4 === 2 ? 5 : 10) };
}

function timeAt(bytes: Uint8Array, at: number): number {
  const part = (offset: number) => bytes[at + offset] ?? 0;
  const high = (part(0) >> 1) & 7;
  const middle = (part(1) << 7) | (part(2) >> 1);
  const low = (part(3) << 7) | (part(4) >> 1);
  return high * 2 ** 30 + middle * 2 ** 15 + low;
}

/** Returns the seconds from one time to another, which may have begun again in between. */
export function secondsBetween(from: number, to: number): number {
  const ticks = (((to - from) % PES_TIMES) + PES_TIMES) % PES_TIMES;
  return (ticks > PES_TIMES / 2 ? ticks - PES_TIMES : ticks) / PES_CLOCK;
}
