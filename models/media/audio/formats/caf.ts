import { readFourCc } from '../../bytes/read-four-cc.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import { LAYOUT_BYTES_MIN, LAYOUT_BYTES_WANTED, readCoreAudioMask } from './core-audio-layout.ts';
import type { RawAudio } from './raw-audio.ts';

const CHUNKS_MAX = 10_000;
const DESCRIPTION_BYTES = 32;
const PACKET_TABLE_BYTES = 24;
/** Codecs whose names in the file are not FFmpeg's. */
const CODECS: Readonly<Record<string, string>> = {
  'aac ': 'aac',
  '.mp3': 'mp3',
  '.mp2': 'mp2',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  ima4: 'adpcm_ima_qt',
};

interface Description {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** 0 where packets differ. */
  readonly packetBytes: number;
  readonly packetFrames: number;
}

/** Table of the packets: frames that count, and those before them. */
interface PacketTable {
  readonly frames: number;
  readonly primingFrames: number;
}

/**
 * Measures a CAF file (Apple, "Core Audio Format Specification" 1.0): by its bytes where packets are equal, else by its
 * table of packets.
 * @throws OperationError `bad_request` when chunks are missing or do not fit together
 */
export async function readCaf(bytes: ByteReader): Promise<RawAudio> {
  let description: Description | null = null;
  let table: PacketTable | null = null;
  let dataBytes = 0;
  let isCutOff = false;
  let at = 8;
  for (let count = 0; at + 12 <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, 12);
    const [type, size] = [readFourCc(head, 0), Number(head.getBigInt64(4))];
    const available = bytes.size - at - 12;
    if (type === 'desc') description = readDescription(await bytes.view(at + 12, DESCRIPTION_BYTES));
    if (type === 'chan' && available >= LAYOUT_BYTES_MIN)
      readCoreAudioMask(await bytes.view(at + 12, Math.min(available, LAYOUT_BYTES_WANTED)));
    if (type === 'pakt') table = readPacketTable(await bytes.view(at + 12, PACKET_TABLE_BYTES));
    if (type === 'data') {
      isCutOff = size > available;
      // The chunk begins with a count of edits.
      dataBytes = Math.max(0, (size < 0 ? available : Math.min(size, available)) - 4);
    }
    if (size < 0) break;
    at += 12 + size;
  }
  if (!description) throw damagedAudio('it has no description');
  const { codec, sampleRate, channelCount, packetBytes, packetFrames } = description;
  const isCounted = packetBytes > 0 && packetFrames > 0;
  const frames = isCounted ? (dataBytes / packetBytes) * packetFrames : (table?.frames ?? 0);
  return {
    codec,
    sampleRate,
    channelCount,
    durationSeconds: (table ? Math.min(table.frames, frames) : frames) / sampleRate,
    startSeconds: -(table?.primingFrames ?? 0) / sampleRate,
    isCutOff,
    hasVideo: false,
  };
}

function readDescription(view: DataView): Description {
  const sampleRate = view.getFloat64(0);
  const format = readFourCc(view, 8);
  const [packetBytes, packetFrames] = [view.getUint32(16), view.getUint32(20)];
  const [channelCount, bits] = [view.getUint32(24), view.getUint32(28)];
  if (!(sampleRate > 0) || channelCount === 0) throw damagedAudio('its description makes no sense');
  const isFloat = (view.getUint32(12) & 1) === 1;
  const codec = format === 'lpcm' ? `pcm_${isFloat ? 'f' : ''}${bits}` : (CODECS[format] ?? format.trim());
  return { codec, sampleRate, channelCount, packetBytes, packetFrames };
}

function readPacketTable(view: DataView): PacketTable {
  return { frames: Number(view.getBigInt64(8)), primingFrames: view.getUint32(16) };
}
