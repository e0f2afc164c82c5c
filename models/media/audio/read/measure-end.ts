import type { EncodedPacket, EncodedPacketSink, InputAudioTrack } from 'mediabunny';
import { damagedAudio } from '../formats/byte-reader.ts';
import { flacFrameHeadAt } from '../formats/flac.ts';

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
