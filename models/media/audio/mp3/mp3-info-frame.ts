import { OperationError } from '../../../core/operation/errors.ts';
import type { PcmFormat } from '../../../core/runtime/pcm.ts';
import { crc16 } from '../../bytes/crc16.ts';

/** Bit rate of every MP3 that is written. */
export const MP3_BITS_PER_SECOND = 192_000;
/** Samples of an MPEG-1 Layer III frame. */
export const MP3_FRAME_SAMPLES = 1152;
/** Samples that LAME inserts before the audio. */
export const LAME_DELAY = 576;

/** Sample rates by their code in a frame's head: ISO 11172-3, 2.4.2.3. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const BIT_RATE_CODE = 11;
const TOC_BYTES = 100;
const ENCODER = 'LAME3.100';

export interface Mp3Stream {
  /** Frames without this one. */
  readonly frames: number;
  /** Bytes without this frame. */
  readonly bytes: number;
  /** CRC-16 of those bytes. */
  readonly checksum: number;
  /** Samples of each channel that were encoded. */
  readonly samples: number;
}

/** Checks a sample rate. @throws OperationError `bad_request` for a rate at which there is no MP3 of 192 kbps */
export function assertMp3Rate(sampleRate: number): void {
  if (SAMPLE_RATES.includes(sampleRate)) return;
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
  const rateCode = SAMPLE_RATES.indexOf(sampleRate);
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
