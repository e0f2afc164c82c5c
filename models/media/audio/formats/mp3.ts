import { OperationError } from '../../../core/operation/errors.ts';
import type { PcmFormat } from '../../../core/runtime/audio-codec.ts';
import { crc16 } from '../../bytes/checksums.ts';
import { AAC_RATES } from './aac.ts';
import type { ByteReader } from './byte-reader.ts';

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

const HEAD_BYTES = 4;
/** Bytes of an ID3v1 tag, which ends a file. */
const TAG_BYTES = 128;

/**
 * Bytes that are walked at once, and how many more are read, so that the tag of a frame that begins in them is there.
 */
const WINDOW_BYTES = 1_048_576;
const MARGIN_BYTES = 64;
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
 * Bit rates of layer III in kbit/s by their code, in MPEG-1 and in MPEG-2 and 2.5: ISO 11172-3, 2.4.2.3 and ISO
 * 13818-3.
 */
const KILOBITS = [
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
] as const;

/** Sample rates of MPEG-1 by their code: half in MPEG-2, a quarter in MPEG-2.5. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const ADTS_HEAD_BYTES = 7;
const ADTS_SAMPLES = 1024;

/** Head of a frame in a file that consists of frames. */
export interface FrameHead {
  /** Length of the whole frame. */
  readonly bytes: number;
  readonly samples: number;
  /** In Hz. */
  readonly sampleRate: number;
  /**
   * Number that all frames of one stream share: version, profile, rate and channels. 0 for one that adds to another.
   */
  readonly kind: number;
  /** Whether a stream can begin with it. Defaults to true. */
  readonly isStart?: boolean;
  /** Position of its first sample, modulo 65536; absent where frames do not state it. */
  readonly clock?: number | undefined;
}

/** Reads the head of a frame; null where there is none. */
export type ReadFrameHead = (bytes: Uint8Array, at: number) => FrameHead | null;

/** Reads the head of a frame of MPEG layer III: ISO 11172-3, 2.4.1.3. */
export const readMp3Head: ReadFrameHead = (bytes, at) => {
  if (bytes[at] !== 0xff) return null;
  const [second = 0, third = 0, fourth = 0] = [bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  if ((second & 0xe6) !== 0xe2) return null;
  const version = (second >> 3) & 3;
  const rate = SAMPLE_RATES[(third >> 2) & 3];
  const kilobits = KILOBITS[version === 3 ? 1 : 0][third >> 4];
  if (version === 1 || !rate || !kilobits) return null;
  const isMono = fourth >> 6 === 3;
  const sampleRate = rate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const samples = version === 3 ? 1152 : 576;
  const size = Math.floor((samples * 125 * kilobits) / sampleRate) + ((third >> 1) & 1);
  return { bytes: size, samples, sampleRate, kind: 64 + version * 8 + (isMono ? 4 : 0) + ((third >> 2) & 3) };
};

/** Reads the head of a frame of ADTS: ISO 14496-3, 1.A.2.2. */
export const readAdtsHead: ReadFrameHead = (bytes, at) => {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf6) !== 0xf0) return null;
  const [second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at + 1, at + 6);
  const sampleRate = AAC_RATES[(third >> 2) & 15];
  const size = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (!sampleRate || size <= ADTS_HEAD_BYTES) return null;
  // Version, profile, rate and channels.
  const kind = 0x10000 | ((second & 8) << 10) | ((third & 0xfd) << 2) | (fourth >> 6);
  return { bytes: size, samples: ADTS_SAMPLES, sampleRate, kind };
};

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

/**
 * Measures an MP3 file of frames without gaps by their heads alone. mediabunny (1.61) needs eight seconds for the half
 * a million frames of four hours.
 * @returns null for a file that has anything else between its frames
 */
export async function measureMp3End(bytes: ByteReader): Promise<number | null> {
  let at = await findId3End(bytes);
  let [first, samples]: [FrameHead | null, number] = [null, 0];
  while (at < bytes.size) {
    const part = await bytes.read(at, WINDOW_BYTES + MARGIN_BYTES);
    const end = Math.min(WINDOW_BYTES, part.length);
    let next = 0;
    while (next < end) {
      const head = readMp3Head(part, next);
      if (!head || (first && head.kind !== first.kind)) {
        return first && isEnd(part, next, bytes.size - at) ? samples / first.sampleRate : null;
      }
      // A frame that was cut off has no samples.
      if (at + next + head.bytes > bytes.size) return first && samples / first.sampleRate;
      if (!isInfoFrame(part.subarray(next))) {
        first ??= head;
        samples += head.samples;
      }
      next += head.bytes;
    }
    at += next;
  }
  return first && samples / first.sampleRate;
}

/** Reports whether a file ends after its frames: at once, or with an ID3v1 tag. */
function isEnd(part: Uint8Array, at: number, bytesLeft: number): boolean {
  const left = bytesLeft - at;
  const isTag = String.fromCharCode(...part.subarray(at, at + 3)) === 'TAG';
  return left < HEAD_BYTES || (isTag && left === TAG_BYTES);
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
