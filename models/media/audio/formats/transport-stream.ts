import { noAudio } from './audio-errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import { packetSeconds, readPesPacket, readStreamFormat, secondsBetween } from './elementary-stream.ts';
import { type RawAudio, trackAmong } from './raw-audio.ts';

/** Stream of a program. */
interface ProgramStream {
  readonly pid: number;
  readonly kind: 'audio' | 'video' | 'other';
  /** FFmpeg's name; `mp3` for any layer of MPEG audio. */
  readonly codec: string;
  /** Code of ISO 639-2; empty where there is none. */
  readonly language: string;
}

/** Codecs of audio by stream type: ISO 13818-1, table 2-34, ATSC A/53, and the Blu-ray format. */
const AUDIO_TYPES: Readonly<Record<number, string>> = {
  3: 'mp3',
  4: 'mp3',
  15: 'aac',
  17: 'aac_latm',
  128: 'pcm_bluray',
  129: 'ac3',
  130: 'dts',
  131: 'truehd',
  132: 'eac3',
  133: 'dts',
  134: 'dts',
  135: 'eac3',
};

const VIDEO_TYPES = [1, 2, 16, 27, 32, 36, 51, 66, 209, 234];
/** Codecs of private streams by descriptor tag: ETSI EN 300 468, annex D. */
const DESCRIPTORS: Readonly<Record<number, string>> = { 106: 'ac3', 122: 'eac3', 123: 'dts', 124: 'aac' };
/** Tag of the ISO 639 language descriptor. */
const LANGUAGE = 10;

/** Codecs of private streams by the registration descriptor, tag 5. */
const REGISTRATIONS: Readonly<Record<string, string>> = {
  Opus: 'opus',
  'AC-3': 'ac3',
  EAC3: 'eac3',
  DTS1: 'dts',
  DTS2: 'dts',
  DTS3: 'dts',
  BSSD: 's302m',
};

/** First byte of each packet. */
export const SYNC = 0x47;
export const PACKET_BYTES = 188;
/** Time stamp of 4 bytes before each packet of a recorder's M2TS file. */
const STAMP_BYTES = 4;
/** Packets in which the program and the first times are looked for, 8 MB, and the last ones, 4 MB at a time. */
const HEAD_PACKETS = 44_000;
const TAIL_PACKETS = 22_000;
const TAILS_MAX = 4;
/** Bytes of a stream's packet that are kept: its first frames. */
const BODY_BYTES_MAX = 65_536;

/** Layout of packets in a file. */
interface PacketLayout {
  /** Offset of the first sync byte. */
  readonly start: number;
  readonly step: number;
}

/** Recognizes MPEG-TS by the sync bytes of its first packets; null for other files. */
export function getTransportLayout(head: Uint8Array): PacketLayout | null {
  for (const stampBytes of [0, STAMP_BYTES]) {
    const step = PACKET_BYTES + stampBytes;
    const isSync = [0, 1, 2].every((packet) => head[stampBytes + packet * step] === SYNC);
    if (isSync) return { start: stampBytes, step };
  }
  return null;
}

/** Payload of one packet. */
interface Payload {
  readonly pid: number;
  readonly isStart: boolean;
  readonly bytes: Uint8Array;
}

/** Packet of a stream, put together again. */
interface Gathered {
  readonly time: number;
  readonly body: number[];
  /** Time since the packet before, in seconds; 0 for the first. */
  readonly stepSeconds: number;
}

/**
 * Measures an audio stream of an MPEG transport stream: from the earliest time of all streams to the end of the
 * last packet of audio.
 * @param trackNumber audio stream, from 1
 * @throws OperationError `bad_request` when there is no program or no audio in the first 8 MB
 */
export async function readTransportStream(bytes: ByteReader, trackNumber: number): Promise<RawAudio> {
  const layout = getTransportLayout(await bytes.read(0, 3 * (PACKET_BYTES + STAMP_BYTES)));
  if (!layout) throw damagedAudio('its packets do not follow each other');
  const { streams, audio, first, startTime } = await readHead(bytes, layout, trackNumber);
  if (!audio) throw noAudio();
  if (!first) throw damagedAudio('it holds no samples');
  const last = (await readTail(bytes, layout, audio.pid)) ?? first;
  const format = readStreamFormat(audio.codec, Uint8Array.from(first.body));
  // The frames of some codecs are not told apart here.
  const lastSeconds = packetSeconds(audio.codec, Uint8Array.from(last.body), format) || last.stepSeconds;
  return {
    ...format,
    durationSeconds: Math.max(0, secondsBetween(startTime, last.time)) + lastSeconds,
    startSeconds: secondsBetween(startTime, first.time),
    isTimed: true,
    hasVideo: streams.some(({ kind }) => kind === 'video'),
    ...trackAmong(
      streams.filter(({ kind }) => kind === 'audio').map(({ language }) => language),
      trackNumber,
    ),
  };
}

/** Finds the program, its first times, and the first whole packet of its audio. */
async function readHead(bytes: ByteReader, layout: PacketLayout, trackNumber: number) {
  let mapPid: number | null = null;
  let streams: readonly ProgramStream[] = [];
  let audio: ProgramStream | null = null;
  let first: Gathered | null = null;
  const times = new Map<number, number>();
  const packets = Math.min(HEAD_PACKETS, Math.floor((bytes.size - layout.start) / layout.step));
  for (let packet = 0; packet < packets; packet++) {
    const payload = await readPayload(bytes, layout.start + packet * layout.step);
    if (!payload) continue;
    const { pid, isStart } = payload;
    if (pid === 0 && isStart) mapPid ??= readMapPid(payload.bytes);
    if (pid === mapPid && isStart && streams.length === 0) {
      streams = readProgramStreams(payload.bytes);
      audio = streams.filter(({ kind }) => kind === 'audio')[trackNumber - 1] ?? null;
    }
    const pes = isStart && streams.some((stream) => stream.pid === pid) ? readPesPacket(payload.bytes) : null;
    if (pes?.time != null && !times.has(pid)) times.set(pid, pes.time);
    const isDone: boolean = pid === audio?.pid && isStart && first !== null;
    first = audio ? gather(first, payload, audio.pid) : null;
    if (isDone && times.size === streams.filter(({ kind }) => kind !== 'other').length) break;
  }
  const [one = 0, ...others] = times.values();
  const startTime = others.reduce((least, time) => (secondsBetween(least, time) < 0 ? time : least), one);
  return { streams, audio, first, startTime };
}

/** Returns the last packet of a stream that has a time, or null. */
async function readTail(bytes: ByteReader, layout: PacketLayout, pid: number): Promise<Gathered | null> {
  let end = Math.floor((bytes.size - layout.start) / layout.step);
  for (let tail = 0; tail < TAILS_MAX && end > 0; tail++) {
    const start = Math.max(0, end - TAIL_PACKETS);
    let last: Gathered | null = null;
    let before: number | null = null;
    for (let packet = start; packet < end; packet++) {
      const payload = await readPayload(bytes, layout.start + packet * layout.step);
      if (!payload || payload.pid !== pid) continue;
      const time: number | null = payload.isStart ? (readPesPacket(payload.bytes)?.time ?? null) : null;
      const gathered = gather(time === null ? last : null, payload, pid);
      const stepSeconds = time === null || before === null ? 0 : Math.max(0, secondsBetween(before, time));
      last = gathered && time !== null ? { ...gathered, stepSeconds } : gathered;
      before = time ?? before;
    }
    if (last) return last;
    end = start;
  }
  return null;
}

/** Adds a payload to the first packet of a stream with a time. */
function gather(held: Gathered | null, { pid, isStart, bytes }: Payload, wanted: number): Gathered | null {
  if (pid !== wanted) return held;
  const pes = isStart ? readPesPacket(bytes) : null;
  if (!held)
    return pes?.time == null
      ? null
      : { time: pes.time, body: [...bytes.subarray(pes.bodyAt)], stepSeconds: 0 };
  if (!isStart && held.body.length < BODY_BYTES_MAX) held.body.push(...bytes);
  return held;
}

async function readPayload(bytes: ByteReader, at: number): Promise<Payload | null> {
  const packet = await bytes.read(at, PACKET_BYTES);
  const [sync, second = 0, third = 0, fourth = 0, adaptationBytes = 0] = packet;
  if (sync !== SYNC || packet.length < PACKET_BYTES || !(fourth & 0x10)) return null;
  const from = fourth & 0x20 ? 5 + adaptationBytes : 4;
  const pid = ((second & 0x1f) << 8) | third;
  return { pid, isStart: (second & 0x40) !== 0, bytes: packet.subarray(from) };
}

/** Reads where the map of the first program is: ISO 13818-1, 2.4.4.3; null where there is none. */
function readMapPid(payload: Uint8Array): number | null {
  const section = getSection(payload, 0);
  for (let at = 8; section && at + 4 <= section.length - 4; at += 4) {
    const [high = 0, low = 0] = section.subarray(at + 2);
    // Program 0 is the network's own table.
    if (section[at] !== 0 || section[at + 1] !== 0) return ((high & 0x1f) << 8) | low;
  }
  return null;
}

/** Reads the streams of a program: ISO 13818-1, 2.4.4.8. A map that spans packets is read as far as its first. */
function readProgramStreams(payload: Uint8Array): ProgramStream[] {
  const section = getSection(payload, 2);
  if (!section) return [];
  const byte = (at: number) => section[at] ?? 0;
  const streams: ProgramStream[] = [];
  for (let at = 12 + (((byte(10) & 0xf) << 8) | byte(11)); at + 5 <= section.length - 4; ) {
    const pid = ((byte(at + 1) & 0x1f) << 8) | byte(at + 2);
    const length = ((byte(at + 3) & 0xf) << 8) | byte(at + 4);
    const descriptors = section.subarray(at + 5, at + 5 + length);
    streams.push({ pid, ...getKind(byte(at), descriptors), language: getLanguage(descriptors) });
    at += 5 + length;
  }
  return streams;
}

function getKind(type: number, descriptors: Uint8Array): Pick<ProgramStream, 'kind' | 'codec'> {
  if (VIDEO_TYPES.includes(type)) return { kind: 'video', codec: `mpeg_${type}` };
  const codec = AUDIO_TYPES[type] ?? (type === 6 ? describedCodec(descriptors) : null);
  return codec ? { kind: 'audio', codec } : { kind: 'other', codec: `mpeg_${type}` };
}

function describedCodec(descriptors: Uint8Array): string | null {
  for (const { tag, body } of descriptorsIn(descriptors)) {
    const name = String.fromCharCode(...body.subarray(0, 4));
    const codec = tag === 5 ? REGISTRATIONS[name] : DESCRIPTORS[tag];
    if (codec) return codec;
  }
  return null;
}

/** Reads the ISO 639 language descriptor: ISO 13818-1, 2.6.18. */
function getLanguage(descriptors: Uint8Array): string {
  for (const { tag, body } of descriptorsIn(descriptors)) {
    const code = String.fromCharCode(...body.subarray(0, 3));
    if (tag === LANGUAGE && /^[a-z]{3}$/i.test(code)) return code;
  }
  return '';
}

function* descriptorsIn(bytes: Uint8Array): Generator<{ readonly tag: number; readonly body: Uint8Array }> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const end = at + 2 + (bytes[at + 1] ?? 0);
    yield { tag: bytes[at] ?? 0, body: bytes.subarray(at + 2, end) };
    at = end;
  }
}

/** Returns a section of a table, with its head and checksum, as far as the packet has it. */
function getSection(payload: Uint8Array, table: number): Uint8Array | null {
  const start = 1 + (payload[0] ?? 0);
  if (payload[start] !== table) return null;
  const length = (((payload[start + 1] ?? 0) & 0xf) << 8) | (payload[start + 2] ?? 0);
  return payload.subarray(start, start + 3 + length);
}
