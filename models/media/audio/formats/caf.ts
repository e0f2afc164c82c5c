import { readFourCc } from '../../bytes/text.ts';
import { ambisonic } from './audio-errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** Bytes of a layout without descriptions, and of each description: `AudioChannelLayout` of Core Audio. */
export const LAYOUT_BYTES_MIN = 12;
const SPEAKER_BYTES = 20;
/** Bytes of a layout that are read: more channels are refused elsewhere. */
export const LAYOUT_BYTES_WANTED = LAYOUT_BYTES_MIN + 64 * SPEAKER_BYTES;
/** Upper halves of the tags of ambisonic layouts: B format, and higher orders as ACN with SN3D and N3D. */
const AMBISONIC_TAGS = [107, 190, 191];
/** Labels of the channels of B format. */
const AMBISONIC_LABELS = [200, 201, 202, 203];
/** First and last label of the channels of higher orders. */
const ORDER_LABELS = [0x20000, 0x2ffff] as const;
/** Tags of layouts whose channels are described one by one, or by a mask. */
const DESCRIBED_TAG = 0;
const BITMAP_TAG = 0x1_0000;

/** Channel masks by the upper halves of tags whose channels stand in the order of the mask. */
const MASKS: Readonly<Record<number, number>> = {
  100: 0x4,
  101: 0x3,
  108: 0x33,
  113: 0x7,
  115: 0x107,
  117: 0x37,
  121: 0x3f,
  125: 0x13f,
  126: 0xff,
  // The sides stand before the back, which a mix treats alike.
  128: 0x63f,
  131: 0x103,
  132: 0x33,
  133: 0xb,
  134: 0x10b,
  135: 0x3b,
  136: 0xf,
  137: 0x10f,
};

/** Labels that are a bit of the mask, from 1. */
const MASK_LABELS = 18;
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

/**
 * Reads a channel layout of Core Audio (`AudioChannelLayout`, as in CAF and QuickTime).
 * @param layout tag, bitmap, number of descriptions, and the descriptions
 * @returns the mask of its channels; null where they stand in another order
 * @throws OperationError `bad_request` for ambisonic sound, with what it is
 */
export function readCoreAudioMask(layout: DataView): number | null {
  const tag = layout.getUint32(0);
  if (AMBISONIC_TAGS.includes(tag >>> 16)) throw ambisonic();
  if (tag === BITMAP_TAG) return layout.getUint32(4);
  if (tag !== DESCRIBED_TAG) return MASKS[tag >>> 16] ?? null;
  const count = Math.min(
    layout.getUint32(8),
    Math.floor((layout.byteLength - LAYOUT_BYTES_MIN) / SPEAKER_BYTES),
  );
  const labels = Array.from({ length: count }, (_, at) =>
    layout.getUint32(LAYOUT_BYTES_MIN + at * SPEAKER_BYTES),
  );
  const [first = 0] = labels;
  const [order, lastOrder] = ORDER_LABELS;
  if (AMBISONIC_LABELS.includes(first) || (first >= order && first <= lastOrder)) throw ambisonic();
  const isInOrder = labels.every(
    (label, at) => label >= 1 && label <= MASK_LABELS && label > (labels[at - 1] ?? 0),
  );
  return isInOrder && count > 0 ? labels.reduce((mask, label) => mask | (1 << (label - 1)), 0) : null;
}
