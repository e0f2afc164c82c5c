import { noAudio } from './audio-errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import { packetSeconds, readPesPacket, readStreamFormat, secondsBetween } from './elementary-stream.ts';
import { type RawAudio, trackAmong } from './raw-audio.ts';

/** Bytes in which the streams and their first times are looked for, and the last ones. */
const HEAD_BYTES = 4_194_304;
const TAIL_BYTES = 4_194_304;
/** Bytes of the longest head of MPEG-1. */
export const PES_HEAD_BYTES = 34;
const PRIVATE_STREAM = 0xbd;

interface AudioPacket {
  readonly key: string;
  readonly codec: string;
  readonly time: number;
  readonly body: Uint8Array;
}

/** Packets of a part of a file. */
interface Part {
  readonly audio: readonly AudioPacket[];
  readonly times: readonly number[];
  readonly hasVideo: boolean;
}

/**
 * Measures an audio stream of an MPEG program stream, such as a VOB file.
 * @param trackNumber audio stream, from 1, in the order of their first packets
 * @throws OperationError `bad_request` when there is no audio in the first 4 MB
 */
export async function readProgramStream(bytes: ByteReader, trackNumber: number): Promise<RawAudio> {
  const head = readPart(await bytes.read(0, HEAD_BYTES));
  const keys = [...new Set(head.audio.map(({ key }) => key))];
  const first = head.audio.find(({ key }) => key === keys[trackNumber - 1]);
  if (!first) throw noAudio();
  const tail = readPart(await bytes.read(Math.max(0, bytes.size - TAIL_BYTES), TAIL_BYTES));
  const last = [...head.audio, ...tail.audio].filter(({ key }) => key === first.key).at(-1) ?? first;
  const startTime = head.times.reduce((least, time) => (secondsBetween(least, time) < 0 ? time : least));
  const format = readStreamFormat(first.codec, first.body);
  const durationSeconds = secondsBetween(startTime, last.time) + packetSeconds(last.codec, last.body, format);
  if (!(durationSeconds > 0)) throw damagedAudio('its times make no sense');
  return {
    ...format,
    durationSeconds,
    startSeconds: secondsBetween(startTime, first.time),
    isTimed: true,
    hasVideo: head.hasVideo,
    ...trackAmong(
      keys.map(() => ''),
      trackNumber,
    ),
  };
}

/** Finds the packets that have times. */
function readPart(bytes: Uint8Array): Part {
  const audio: AudioPacket[] = [];
  const times: number[] = [];
  let hasVideo = false;
  for (let at = nextStart(bytes, 0); at >= 0; at = nextStart(bytes, at)) {
    const pes = readPesPacket(bytes.subarray(at, at + PES_HEAD_BYTES));
    const length = ((bytes[at + 4] ?? 0) << 8) | (bytes[at + 5] ?? 0);
    if (!pes) {
      at += 4;
      continue;
    }
    hasVideo ||= pes.streamId >= 0xe0 && pes.streamId <= 0xef;
    const body = bytes.subarray(at + pes.bodyAt, at + 6 + length);
    if (pes.time !== null) {
      times.push(pes.time);
      const stream = getAudioStream(pes.streamId, body);
      if (stream) audio.push({ ...stream, time: pes.time });
    }
    at += length === 0 ? 4 : 6 + length;
  }
  return { audio, times, hasVideo };
}

/**
 * Tells the audio stream of a packet by its id and the start of its body; null for other packets. Private streams begin
 * with the number of their own stream, and three bytes about its first frame.
 */
export function getAudioStream(streamId: number, body: Uint8Array): Omit<AudioPacket, 'time'> | null {
  if (streamId >= 0xc0 && streamId <= 0xdf) return { key: String(streamId), codec: 'mp3', body };
  const [own = 0] = body;
  if (streamId !== PRIVATE_STREAM || own < 0x80) return null;
  const codec = own < 0x88 ? 'ac3' : own < 0x90 ? 'dts' : own >= 0xa0 && own < 0xb0 ? 'pcm_dvd' : null;
  return codec && { key: `private ${own}`, codec, body: body.subarray(4) };
}

/** Returns the offset of the next start code, or -1. */
export function nextStart(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(1, from + 2); at >= 0; at = bytes.indexOf(1, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return at - 2;
  }
  return -1;
}
