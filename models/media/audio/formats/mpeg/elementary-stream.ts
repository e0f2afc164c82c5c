import { readAc3Frame } from '../frames/ac3.ts';
import { readAdtsFrame } from '../frames/adts.ts';
import { readDtsFrame } from '../frames/dts.ts';
import { readMpegFrame } from '../frames/mpeg-audio.ts';
import { FRAME_HEAD_BYTES, type RawFrame, type ReadFrame } from '../frames/raw-frame.ts';
import { openTrueHd } from '../frames/true-hd.ts';

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
