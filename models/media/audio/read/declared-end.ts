import type { EncodedPacket, EncodedPacketSink, InputAudioTrack } from 'mediabunny';
import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { type ByteReader, damagedAudio } from '../../bytes/byte-reader.ts';
import { flacFrameHeadAt, readFlacStart } from '../formats/flac.ts';
import { readLameTag } from '../formats/mp3.ts';
import { isMatroska } from './declared-placement.ts';
import type { OpenedTracks } from './open-tracks.ts';
import { opusPacketFrames } from './sample-pieces.ts';

/** Matroska's times are whole milliseconds. */
export const TICK_SECONDS = 0.001;
/** Precision to which the end of a file without its last packets is searched: shorter than a packet. */
const SEARCH_SECONDS = 0.005;
/** Longest step in which such an end is looked for: longer than any file that is accepted. */
const STEP_SECONDS_MAX = 65_536;

/** End of the packets of a track whose bytes are in the file. */
export interface MeasuredEnd {
  readonly endSeconds: number;
  /** Whether an index names packets whose bytes are missing. */
  readonly isCutOff: boolean;
}

/** Programs that write to a pipe declare about this much, since they do not know the length. */
const UNKNOWN_BYTES = 0x7fff_f000;
const HEAD_BYTES = 8;
/** Difference between declared and measured length that is not yet a missing end, in seconds and as a share. */
const MISSING_SECONDS = 0.1;
const MISSING_SHARE = 0.01;

/** Reports whether a file of chunks declares more than it has. */
export async function declaresMore(container: AudioContainer, bytes: ByteReader): Promise<boolean> {
  const hasLength = container === 'wav' || container === 'avi';
  return hasLength && (await declaredShare(bytes)) > 1 + MISSING_SHARE;
}

/**
 * Reports whether an end is missing that a header declares.
 * @param tolerance difference that is none yet, in seconds: 0 where the header states the number of samples
 */
export function isMissing(
  declaredSeconds: number,
  measuredSeconds: number,
  tolerance = MISSING_SECONDS,
): boolean {
  return declaredSeconds - measuredSeconds > Math.max(tolerance, MISSING_SHARE * declaredSeconds);
}

/** Reads the end of the audio that headers declare; 0 where they declare none. */
export async function declaredEnd(
  { input, audio, audioCount, hasVideo }: OpenedTracks,
  container: AudioContainer,
  measuredSeconds: number,
  bytes: ByteReader,
): Promise<number> {
  if (container === 'wav') return measuredSeconds * (await declaredShare(bytes));
  // Matroska declares the length of all tracks together.
  if (!audio || (isMatroska(container) && (hasVideo || audioCount > 1))) return 0;
  if (container === 'mp3' && !(await readLameTag(bytes))) return 0;
  const seconds = (await input.getDurationFromMetadata([audio])) ?? 0;
  // The header of a file that was cut at its start states the length of the whole.
  return container === 'flac' ? seconds - (await readFlacStart(bytes)) : seconds;
}

/**
 * Length that a WAV or AVI file (RIFF) declares over the length that it has: 1 where all is there, or the length is left
 * open.
 */
async function declaredShare(bytes: ByteReader): Promise<number> {
  const declared = (await bytes.view(0, HEAD_BYTES)).getUint32(4, true);
  const isOpen = declared >= UNKNOWN_BYTES;
  return isOpen ? 1 : Math.max(1, (declared + HEAD_BYTES) / bytes.size);
}

/** Step of the lengths of Opus packets: RFC 6716, 2.1.4. */
const OPUS_STEP_SECONDS = 0.0025;
const OPUS_RATE = 48_000;

/**
 * Measures the end of Opus in Matroska, whose times are rounded, to the sample: packets follow each other in steps.
 */
export async function measureOpusEnd(audio: InputAudioTrack): Promise<MeasuredEnd> {
  const measured = await measureEnd(audio);
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(audio);
  const [first, last] = [await sink.getFirstPacket(), await sink.getPacket(Number.POSITIVE_INFINITY)];
  if (!first || !last) return measured;
  const steps = Math.round((last.timestamp - first.timestamp) / OPUS_STEP_SECONDS);
  const seconds = steps * OPUS_STEP_SECONDS + opusPacketFrames(last.data) / OPUS_RATE;
  return { ...measured, endSeconds: first.timestamp + seconds };
}

/** Measures the end of the last packet, whose bytes have to be in the file. */
export async function measureEnd(audio: InputAudioTrack): Promise<MeasuredEnd> {
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(audio);
  // Without one, mediabunny (1.61) searches a FLAC file for its last packet for ever.
  if (!(await sink.getFirstPacket({ metadataOnly: true }))) throw damagedAudio('it holds no samples');
  const whole = await sink.getPacket(Number.POSITIVE_INFINITY);
  const last = whole ?? (await findLastPacket(audio, sink));
  if (!last) throw damagedAudio('its last samples are missing');
  const seconds = last.duration > 0 ? last.duration : await inferDuration(audio, last, sink);
  return { endSeconds: last.timestamp + seconds, isCutOff: whole === null };
}

/** Finds the last packet whose bytes are in a file that has an index of more. */
async function findLastPacket(
  audio: InputAudioTrack,
  sink: EncodedPacketSink,
): Promise<EncodedPacket | null> {
  let last = await sink.getFirstPacket();
  let present = last?.timestamp ?? 0;
  let missing = (await audio.getDurationFromMetadata()) ?? present;
  // Fragments declare no length.
  for (let step = 1; missing <= present && step <= STEP_SECONDS_MAX; step *= 2) {
    const found = await sink.getPacket(present + step);
    if (found) [last, present, missing] = [found, present + step, present + step];
    else missing = present + step;
  }
  while (missing - present > SEARCH_SECONDS) {
    const middle = (present + missing) / 2;
    const found = await sink.getPacket(middle);
    if (found) [last, present] = [found, middle];
    else missing = middle;
  }
  return last;
}

/**
 * Infers the length of Matroska's last packet, which no field holds: from its bytes if uncompressed, from its head if
 * it is FLAC, else from the one before.
 */
async function inferDuration(
  audio: InputAudioTrack,
  last: EncodedPacket,
  sink: EncodedPacketSink,
): Promise<number> {
  const bits = (await audio.getCodec())?.match(/^pcm-[a-z](\d+)/)?.[1];
  if (bits) {
    const bytesASecond =
      ((await audio.getSampleRate()) * (await audio.getNumberOfChannels()) * Number(bits)) / 8;
    return last.byteLength / bytesASecond;
  }
  const flacSamples = (await audio.getCodec()) === 'flac' ? flacFrameHeadAt(last.data, 0)?.samples : null;
  if (flacSamples) return flacSamples / (await audio.getSampleRate());
  const before = await sink.getPacket(last.timestamp - TICK_SECONDS, { metadataOnly: true });
  return before ? last.timestamp - before.timestamp : 0;
}
