import type { EncodedPacket, EncodedPacketSink, InputAudioTrack } from 'mediabunny';
import { damagedAudio } from '../formats/byte-reader.ts';

/** Matroska's times are whole milliseconds. */
export const TICK_SECONDS = 0.001;
/** Precision to which the end of a file without its last packets is searched: shorter than a packet. */
const SEARCH_SECONDS = 0.005;

/** Measures the end of the last packet, whose bytes have to be in the file. */
export async function measureEnd(audio: InputAudioTrack): Promise<number> {
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(audio);
  // Without one, mediabunny (1.61) searches a FLAC file for its last packet for ever.
  if (!(await sink.getFirstPacket({ metadataOnly: true }))) throw damagedAudio('it holds no samples');
  const last = (await sink.getPacket(Number.POSITIVE_INFINITY)) ?? (await findLastPacket(audio, sink));
  if (!last) throw damagedAudio('its last samples are missing');
  if (last.duration > 0) return last.timestamp + last.duration;
  return last.timestamp + (await inferDuration(audio, last, sink));
}

/** Finds the last packet whose bytes are in a file that has an index of more. */
async function findLastPacket(
  audio: InputAudioTrack,
  sink: EncodedPacketSink,
): Promise<EncodedPacket | null> {
  let last = await sink.getFirstPacket();
  let present = last?.timestamp ?? 0;
  let missing = (await audio.getDurationFromMetadata()) ?? present;
  while (missing - present > SEARCH_SECONDS) {
    const middle = (present + missing) / 2;
    const found = await sink.getPacket(middle);
    if (found) [last, present] = [found, middle];
    else missing = middle;
  }
  return last;
}

/**
 * Infers the length of Matroska's last packet, which no field holds: from its bytes if uncompressed, else the one
 * before.
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
  const before = await sink.getPacket(last.timestamp - TICK_SECONDS, { metadataOnly: true });
  return before ? last.timestamp - before.timestamp : 0;
}
