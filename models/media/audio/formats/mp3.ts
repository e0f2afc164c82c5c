import { OperationError } from '../../../core/operation/errors.ts';
import type { PcmFormat } from '../../../core/runtime/audio-codec.ts';
import type { ByteReader } from '../../bytes/byte-reader.ts';
import { crc16 } from '../../bytes/checksums.ts';

/** Bit rate of every MP3 that is written. */
export const MP3_BITS_PER_SECOND = 192_000;
/** Samples of an MPEG-1 Layer III frame. */
export const MP3_FRAME_SAMPLES = 1152;
/** Samples that LAME inserts before the audio. */
const LAME_DELAY = 576;
/** Sample rates by their code in a frame's head: ISO 11172-3, 2.4.2.3. */
const INFO_SAMPLE_RATES = [44_100, 48_000, 32_000];
const BIT_RATE_CODE = 11;
const TOC_BYTES = 100;
const ENCODER = 'LAME3.100';

interface Mp3Stream {
  /** Frames without this one. */
  readonly frames: number;
  /** Bytes without this frame. */
  readonly bytes: number;
  /** CRC-16 of those bytes. */
  readonly checksum: number;
  /** Samples of each channel that were encoded. */
  readonly samples: number;
}

/** Delay of every MP3 decoder in samples, in addition to the encoder's. */
export const DECODER_DELAY = 529;
const FRAME_BYTES_MAX = 2881;
const SYNC_SEARCH_BYTES = 4096;

/** Samples that an encoder added, according to its tag in the first frame. */
interface MP3Padding {
  readonly delaySamples: number;
  readonly paddingSamples: number;
}

/**
 * Reads the LAME tag of an MP3 file (G. Bouvigne, "Mp3 Info Tag", revision 1), which most encoders write.
 * @returns null when there is none
 */
export async function readLameTag(bytes: ByteReader): Promise<MP3Padding | null> {
  const start = await findId3End(bytes);
  const found = await bytes.read(start, SYNC_SEARCH_BYTES + FRAME_BYTES_MAX);
  const sync = found.findIndex(
    (byte, at) => byte === 0xff && ((found[at + 1] ?? 0) & 0xe6) === 0xe2 && at < SYNC_SEARCH_BYTES,
  );
  if (sync < 0) return null;
  const frame = found.subarray(sync, sync + FRAME_BYTES_MAX);
  if (!isInfoFrame(frame)) return null;
  const tag = tagOffset(frame);
  const text = (at: number, length: number) => String.fromCharCode(...frame.subarray(at, at + length));
  const flags = frame[tag + 7] ?? 0;
  const fields = (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  const lame = tag + 8 + fields;
  if (!/^(LAME|Lavf|Lavc|L3\.9|GOGO)/.test(text(lame, 4))) return null;
  const [high = 0, middle = 0, low = 0] = frame.subarray(lame + 21, lame + 24);
  return { delaySamples: (high << 4) | (middle >> 4), paddingSamples: ((middle & 15) << 8) | low };
}

/** Reports whether a frame holds a tag in place of samples. */
export function isInfoFrame(frame: Uint8Array): boolean {
  const at = tagOffset(frame);
  // Most frames are told by one byte.
  if (frame[at] !== 0x58 && frame[at] !== 0x49) return false;
  return /^(Xing|Info)$/.test(String.fromCharCode(...frame.subarray(at, at + 4)));
}

/**
 * Offset of the tag: after the head of 4 bytes and the side information, whose size depends on version and channels.
 */
function tagOffset(frame: Uint8Array): number {
  const isMpeg1 = ((frame[1] ?? 0) & 0x18) === 0x18;
  const isMono = (frame[3] ?? 0) >> 6 === 3;
  if (isMpeg1) return isMono ? 21 : 36;
  return isMono ? 13 : 21;
}

/** Finds the end of the ID3v2 tags, or 0. Their size is four bytes of seven bits. */
export async function findId3End(bytes: ByteReader): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < 4; tags++) {
    const head = await bytes.read(at, 10);
    if (String.fromCharCode(...head.subarray(0, 3)) !== 'ID3') break;
    const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    at += 10 + size + ((head[5] ?? 0) & 16 ? 10 : 0);
  }
  return at;
}

/** Checks a sample rate. @throws OperationError `bad_request` for a rate at which there is no MP3 of 192 kbps */
export function assertMp3Rate(sampleRate: number): void {
  if (INFO_SAMPLE_RATES.includes(sampleRate)) return;
  throw new OperationError(
    'bad_request',
    `sampleRate: there is no MP3 of 192 kbps at ${sampleRate} Hz. Use 32000, 44100 or 48000.`,
  );
}

/**
 * Makes the first frame of an MP3: silence with a LAME tag (G. Bouvigne, "Mp3 Info Tag", revision 1). Decoders drop the
 * samples before and after the audio by it.
 */
export function mp3InfoFrame(
  { sampleRate, channelCount }: PcmFormat,
  stream: Mp3Stream,
): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(Math.floor((144 * MP3_BITS_PER_SECOND) / sampleRate));
  const view = new DataView(frame.buffer);
  const rateCode = INFO_SAMPLE_RATES.indexOf(sampleRate);
  const mode = channelCount === 1 ? 3 : 1;
  frame.set([0xff, 0xfb, (BIT_RATE_CODE << 4) | (rateCode << 2), mode << 6]);
  const tag = channelCount === 1 ? 21 : 36;
  const text = (at: number, letters: string) => frame.set(new TextEncoder().encode(letters), at);
  text(tag, 'Info');
  view.setUint32(tag + 4, 15);
  view.setUint32(tag + 8, stream.frames);
  view.setUint32(tag + 12, stream.bytes + frame.length);
  for (let at = 0; at < TOC_BYTES; at++) frame[tag + 16 + at] = Math.floor((at * 256) / TOC_BYTES);
  const lame = tag + 120;
  text(lame, ENCODER);
  // Revision 0 of the tag, constant bit rate.
  frame[lame + 9] = 1;
  frame[lame + 20] = MP3_BITS_PER_SECOND / 1000;
  const padding = stream.frames * MP3_FRAME_SAMPLES - LAME_DELAY - stream.samples;
  frame[lame + 21] = LAME_DELAY >> 4;
  frame[lame + 22] = ((LAME_DELAY & 15) << 4) | (padding >> 8);
  frame[lame + 23] = padding;
  view.setUint32(lame + 28, stream.bytes + frame.length);
  view.setUint16(lame + 32, stream.checksum);
  view.setUint16(lame + 34, crc16(frame.subarray(0, lame + 34)));
  return frame;
}
