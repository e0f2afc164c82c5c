import type { InputAudioTrack } from 'mediabunny';
import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { viewBytes } from '../../../core/view-bytes.ts';
import type { Placement } from '../../../kernels/audio/place-pieces.ts';
import { WHOLE_CLOCK } from '../../../kernels/track-clock.ts';
import type { ByteReader } from '../../bytes/byte-reader.ts';
import { readClock } from '../../containers/read-clock.ts';
import { DECODER_DELAY, readLameTag } from '../formats/mp3.ts';

const GRANULE_AT = 6;

const OPUS_RATE = 48_000;

/** Packets of one page: each takes one of its 255 lengths. */
const PACKETS_MAX = 255;

export interface DeclaredPlacement extends Placement {
  /** Length to subtract from the end of the last packet. */
  readonly paddingSeconds: number;
  /** Time of the first sample that is played. */
  readonly firstSeconds: number;
}

/**
 * Reads when the audio is played: from the padding before and after it in tags next to the packets, from edit lists, and
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
  const [low, high] = viewBytes(description).subarray(10);
  return (low | (high << 8)) / 48_000;
}

/**
 * Reads the length at the start of an Ogg stream that is not played: where the first page with samples states an
 * earlier end than its packets have, they begin before 0 (Vorbis I, A.2; RFC 7845, 4.4). mediabunny (1.61) counts them
 * from 0.
 */
async function readOggLead(audio: InputAudioTrack, bytes: ByteReader): Promise<number> {
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(audio);
  const first = await sink.getFirstPacket({ metadataOnly: true });
  // The first packet after the start has to begin at 0: other streams state when they begin.
  if (!first || first.timestamp > 0) return 0;
  const page = await findPageStart(bytes, first.sequenceNumber);
  if (page === null) return 0;
  let packetSeconds = 0;
  let packet: typeof first | null = first;
  for (let count = 0; packet && count < PACKETS_MAX; count++) {
    if ((await findPageStart(bytes, packet.sequenceNumber)) !== page) break;
    packetSeconds += packet.duration;
    packet = await sink.getNextPacket(packet, { metadataOnly: true });
  }
  // The last page may end within its last packet.
  if (!packet) return 0;
  const granule = Number((await bytes.view(page, 14)).getBigInt64(GRANULE_AT, true));
  const rate = (await audio.getCodec()) === 'opus' ? OPUS_RATE : await audio.getSampleRate();
  const lead = packetSeconds - granule / rate;
  return granule >= 0 && lead > 1 / rate ? lead : 0;
}

/** Finds the page in which a packet ends. @param place in the page's table, counted from its start */
async function findPageStart(bytes: ByteReader, place: number): Promise<number | null> {
  for (let at = place; at >= Math.max(0, place - PACKETS_MAX); at--) {
    const mark = await bytes.read(at, 4);
    if (mark[0] === 0x4f && mark[1] === 0x67 && mark[2] === 0x67 && mark[3] === 0x53) return at;
  }
  return null;
}
