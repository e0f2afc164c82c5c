import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** Codecs of Sun's AU files by their numbers, and bits of a sample. */
const ENCODINGS: Readonly<Record<number, readonly [codec: string, bits: number]>> = {
  1: ['ulaw', 8],
  2: ['pcm_8', 8],
  3: ['pcm_16', 16],
  4: ['pcm_24', 24],
  5: ['pcm_32', 32],
  6: ['pcm_f32', 32],
  7: ['pcm_f64', 64],
  23: ['adpcm_g726le', 4],
  24: ['adpcm_g722', 4],
  25: ['adpcm_g726le', 3],
  26: ['adpcm_g726le', 5],
  27: ['alaw', 8],
};
const HEADER_BYTES = 24;
/** Length that is left open. */
const UNKNOWN = 0xffff_ffff;

/**
 * Measures an AU file by the bytes that are in it.
 * @throws OperationError `bad_request` when its header makes no sense
 */
export async function readAu(bytes: ByteReader): Promise<RawAudio> {
  const view = await bytes.view(0, HEADER_BYTES);
  const [dataAt, declared, encoding] = [view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  const [sampleRate, channelCount] = [view.getUint32(16), view.getUint32(20)];
  const [codec, bits] = ENCODINGS[encoding] ?? [`au_${encoding}`, 0];
  if (bits === 0 || sampleRate === 0 || channelCount === 0) throw damagedAudio('its header makes no sense');
  const available = Math.max(0, bytes.size - dataAt);
  const dataBytes = declared === UNKNOWN ? available : Math.min(declared, available);
  const durationSeconds = (dataBytes * 8) / (bits * channelCount * sampleRate);
  const isCutOff = declared !== UNKNOWN && declared > available;
  return { codec, sampleRate, channelCount, durationSeconds, isCutOff, hasVideo: false };
}
