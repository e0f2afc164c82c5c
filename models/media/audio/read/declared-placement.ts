import type { InputAudioTrack } from 'mediabunny';
import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import type { Placement } from '../../../kernels/audio/place-pieces.ts';
import { WHOLE_CLOCK } from '../../../kernels/timing/track-clock.ts';
import { readClock } from '../../containers/read-clock.ts';
import type { ByteReader } from '../formats/byte-reader.ts';
import { DECODER_DELAY, readLameTag } from '../mp3/lame-tag.ts';
import { readOggLead } from '../parts/ogg-lead.ts';

export interface DeclaredPlacement extends Placement {
  /** Length to subtract from the end of the last packet. */
  readonly paddingSeconds: number;
  /** Time of the first sample that is played. */
  readonly firstSeconds: number;
}

/**
 * Reads when the audio is played: from the padding before and after it in tags beside the packets, from edit lists, and
 * from the times of the first packets.
 */
export async function readPlacement(
  audio: InputAudioTrack,
  container: AudioContainer,
  file: Blob,
  bytes: ByteReader,
  isContinued: boolean,
): Promise<DeclaredPlacement> {
  const first = await audio.getFirstTimestamp();
  const tag = container === 'mp3' ? await readLameTag(bytes) : null;
  if (tag) {
    const sampleRate = await audio.getSampleRate();
    const delaySeconds = (tag.delaySamples + DECODER_DELAY) / sampleRate;
    const paddingSeconds = (tag.delaySamples + tag.paddingSamples) / sampleRate;
    return { delaySeconds, paddingSeconds, isCounted: false, clock: WHOLE_CLOCK, firstSeconds: first };
  }
  const isOpus = (await audio.getCodec()) === 'opus';
  const leadSeconds = container === 'ogg' && !isContinued ? await readOggLead(audio, bytes) : 0;
  const hasDelay = isOpus && (isMatroska(container) || container === 'ogg') && !isContinued;
  const delaySeconds = (hasDelay ? await opusDelay(audio) : 0) + leadSeconds;
  // mediabunny counts the delay in the end of an Ogg file, and shortens the first packets by it.
  if (container === 'ogg' && isOpus) {
    const firstSeconds = first > 0 ? first + delaySeconds : 0;
    return { delaySeconds, paddingSeconds: firstSeconds, isCounted: true, clock: WHOLE_CLOCK, firstSeconds };
  }
  const clock = await readClock(file, audio);
  return {
    delaySeconds,
    paddingSeconds: delaySeconds - leadSeconds,
    isCounted: false,
    clock,
    firstSeconds: first,
  };
}

/** Reports whether a container is Matroska, of which WebM is a part. */
export function isMatroska(container: AudioContainer): boolean {
  return container === 'webm' || container === 'mkv';
}

/**
 * Reads the pre-skip of the identification header, in samples at 48 kHz: RFC 7845, 5.1. Matroska does not count it in
 * its times.
 */
async function opusDelay(audio: InputAudioTrack): Promise<number> {
  const description = (await audio.getDecoderConfig())?.description as
    | ArrayBufferView
    | ArrayBuffer
    | undefined;
  if (!description || description.byteLength < 12) return 0;
  const isView = ArrayBuffer.isView(description);
  const head = isView ? new DataView(description.buffer, description.byteOffset) : new DataView(description);
  return head.getUint16(10, true) / 48_000;
}
