import { type ByteReader, damagedAudio } from '../byte-reader.ts';
import { noAudio } from '../no-audio.ts';
import { type RawAudio, trackAmong } from '../raw-audio.ts';
import { packetSeconds, readStreamFormat } from './elementary-stream.ts';
import { readPesPacket, secondsBetween } from './pes-packet.ts';
import { type ProgramStream, readMapPid, readProgramStreams } from './program-map.ts';

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
export function transportLayoutOf(head: Uint8Array): PacketLayout | null {
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
  const layout = transportLayoutOf(await bytes.read(0, 3 * (PACKET_BYTES + STAMP_BYTES)));
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
