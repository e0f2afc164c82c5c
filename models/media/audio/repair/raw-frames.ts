import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { BitReader } from '../../bytes/bit-reader.ts';
import { type ByteReader, damagedAudio } from '../../bytes/byte-reader.ts';
import { AAC_RATES, readProgramConfig } from '../formats/aac.ts';
import type { RawAudio } from '../formats/raw-audio.ts';

/** kbps by index: ISO 11172-3, 2.4.2.3, for layers I, II and III; then ISO 13818-3, 2.4.2.3, for layer I, others. */
const BITRATES = [
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

const MPEG_SAMPLE_RATES = [44_100, 48_000, 32_000];
/** Sync words of the core, big-endian with 16 bits a word, and of an extension: ETSI TS 102 114, 5.3 and 7.4. */
const CORE = 0x7ffe_8001;
const EXTENSION = 0x6458_2025;

/** In Hz by SFREQ; 0 for codes that do not exist. */
const DTS_SAMPLE_RATES = [
  0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 96_000, 192_000,
];

/** Full-range channels by AMODE. */
const DTS_CHANNELS = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 6, 7, 8, 8];
const DTS_BLOCK_SAMPLES = 32;
const ADTS_HEAD_BYTES = 7;
const CHECKSUM_BYTES = 2;
/** Id of the element that lists the channels, in three bits. */
const PROGRAM_CONFIG = 5;
/** Sync words at byte 4 of the units that decoding can begin with. */
const TRUE_HD = 0xf872_6fba;
const MLP = 0xf872_6fbb;
/** Channels of each speaker group of TrueHD, and of each arrangement of MLP. */
const GROUPS = [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1];
const MLP_CHANNELS = [1, 2, 3, 4, 3, 4, 5, 3, 4, 5, 4, 5, 6, 4, 5, 4, 5, 6, 5, 5, 6];
const SAMPLES_MIN = 40;
/** Bytes that tell the format of a unit, from its start. */
const FORMAT_BYTES = 21;
const UNIT_BYTES_MIN = 4;

interface Format extends Pick<RawFrame, 'codec' | 'samples' | 'sampleRate' | 'channelCount'> {
  /** Parts of a unit, each of which has an entry in its directory. */
  readonly substreams: number;
}

const SAMPLE_RATES = [48_000, 44_100, 32_000];
/** kbps by half of the frame size code: ETSI TS 102 366, table 4.13. */
const KILOBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
/** Full-range channels by audio coding mode. */
const CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5];
const SAMPLES_A_BLOCK = 256;
const HEAD_BYTES = 8;
/** Channel masks by audio coding mode: ETSI TS 102 366, 4.4.2.3. */
const MASKS = [0x3, 0x4, 0x3, 0x7, 0x103, 0x107, 0x603, 0x607];
const EFFECTS = 0x8;

/** Frame of a file that consists of frames only, by its head. */
export interface RawFrame {
  /** FFmpeg's name. */
  readonly codec: string;
  readonly bytes: number;
  /** 0 for a frame that belongs to the one before it. */
  readonly samples: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Speakers of the channels, as in WAVEFORMATEXTENSIBLE; absent where the head does not say it. */
  readonly channelMask?: number;
  /** Whether decoding can begin with it. Defaults to whether it has its own samples. */
  readonly isStart?: boolean;
  /** Position of its first sample, modulo 65536; absent where frames do not state it. */
  readonly clock?: number;
}

/** Bytes that suffice for the head of any frame. */
export const FRAME_HEAD_BYTES = 32;

/** Reads the head of a frame, at most `FRAME_HEAD_BYTES`; null where there is none. */
export type ReadFrame = (head: Uint8Array) => RawFrame | null;

/** Creates a reader of frames, which may keep what an earlier frame stated. */
export type OpenFrames = () => ReadFrame;

/** More frames without samples of their own than any stream has in a row. */
const DEPENDENT_FRAMES_MAX = 8;
/** Bytes after the last frame that are no missing end: tags of players. */
const TAG_BYTES_MAX = 65_536;

/**
 * Measures a file by walking its frames, up to a length or to a place without one.
 * @throws OperationError `bad_request` when it does not begin with a frame
 */
export async function measureFrames(
  bytes: ByteReader,
  readFrame: ReadFrame,
  secondsMax: number,
): Promise<RawAudio> {
  const first = readFrame(await bytes.read(0, FRAME_HEAD_BYTES));
  if (!first) throw damagedAudio('its first frame makes no sense');
  const { codec, sampleRate, channelCount, channelMask } = first;
  let samples = 0;
  let dependentFrames = 0;
  let at = 0;
  while (at < bytes.size && samples <= secondsMax * sampleRate) {
    const frame = readFrame(await bytes.read(at, FRAME_HEAD_BYTES));
    // Tags may follow the last frame.
    if (!frame || at + frame.bytes > bytes.size) break;
    dependentFrames = frame.samples > 0 ? 0 : dependentFrames + 1;
    if (dependentFrames > DEPENDENT_FRAMES_MAX)
      throw damagedAudio(`too many dependent frames before byte ${at}`);
    samples += frame.samples;
    at += frame.bytes;
  }
  const isCutOff = bytes.size - at > TAG_BYTES_MAX && samples <= secondsMax * sampleRate;
  return {
    codec,
    sampleRate,
    channelCount,
    ...(channelMask !== undefined && { channelMask }),
    durationSeconds: samples / sampleRate,
    isCutOff,
    hasVideo: false,
  };
}

/** Reads the channel mask of a frame; null where there is none. */
export function readAc3Mask(head: Uint8Array): number | null {
  const frame = readAc3Frame(head);
  if (!frame) return null;
  const mode = frame.codec === 'ac3' ? (head[6] ?? 0) >> 5 : ((head[4] ?? 0) >> 1) & 7;
  const mask = MASKS[mode];
  return frame.channelCount > CHANNELS[mode] ? mask | EFFECTS : mask;
}

/** Reads a frame's head of 8 bytes, or null where there is none: ETSI TS 102 366, 4.4.1 and annex E.1.3. */
export function readAc3Frame(head: Uint8Array): RawFrame | null {
  if (head.length < HEAD_BYTES || head[0] !== 0x0b || head[1] !== 0x77) return null;
  const [, , c2, c3, c4, c5, c6, c7] = head as unknown as number[] & { length: 8 };
  const version = c5 >> 3;
  if (version > 10) return readEac3Frame(c2, c3, c4);
  const sampleRate = SAMPLE_RATES[c4 >> 6];
  const sizeCode = c4 & 63;
  const kilobits = KILOBITS[sizeCode >> 1];
  if (version > 8 || !sampleRate || !kilobits) return null;
  const words = Math.floor((kilobits * 1000 * 96) / sampleRate) + (sampleRate === 44_100 ? sizeCode & 1 : 0);
  const mode = c6 >> 5;
  // Mix levels or a Dolby Surround mark precede the bit for the bass effects.
  const skipped = (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0);
  const bits = (c6 << 8) | c7;
  const hasEffects = (bits >> (12 - skipped)) & 1;
  const channelCount = CHANNELS[mode] + hasEffects;
  return { codec: 'ac3', bytes: words * 2, sampleRate, channelCount, samples: 6 * SAMPLES_A_BLOCK };
}

function readEac3Frame(c2: number, c3: number, c4: number): RawFrame | null {
  const isDependent = c2 >> 6 === 1;
  const bytes = ((((c2 & 7) << 8) | c3) + 1) * 2;
  const rateCode = c4 >> 6;
  const isHalfRate = rateCode === 3;
  const sampleRate = isHalfRate ? (SAMPLE_RATES[(c4 >> 4) & 3] ?? 0) / 2 : SAMPLE_RATES[rateCode];
  if (!sampleRate || bytes < HEAD_BYTES) return null;
  const blocks = isHalfRate ? 6 : [1, 2, 3, 6][(c4 >> 4) & 3];
  const channelCount = CHANNELS[(c4 >> 1) & 7] + (c4 & 1);
  const samples = isDependent ? 0 : blocks * SAMPLES_A_BLOCK;
  return { codec: 'eac3', bytes, sampleRate, channelCount, samples };
}

/**
 * Opens a reader of access units of Dolby TrueHD or Meridian Lossless Packing: only some repeat the format, and are
 * told from other bytes by it, the others by the parity of their head.
 */
export function openTrueHd(): ReadFrame {
  let format: Format | null = null;
  return (head) => {
    if (head.length < UNIT_BYTES_MIN) return null;
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    const stated = readFormat(view);
    format = stated ?? format;
    const bytes = (view.getUint16(0) & 0xfff) * 2;
    if (!format || bytes < UNIT_BYTES_MIN || (!stated && !hasParity(view, format))) return null;
    const { substreams: _, ...frame } = format;
    return { ...frame, bytes, isStart: stated !== null, clock: view.getUint16(2) };
  };
}

/** Checks the parity of a unit's head and its directory, which follows where the format is not repeated. */
function hasParity(view: DataView, { substreams }: Format): boolean {
  let bits = 0;
  let end = UNIT_BYTES_MIN;
  for (let substream = 0; substream < substreams; substream++) {
    if (end + 2 > view.byteLength) return false;
    // The first bit tells that the entry has two more bytes.
    end += view.getUint8(end) & 0x80 ? 4 : 2;
  }
  if (end > view.byteLength) return false;
  for (let at = 0; at < end; at++) bits ^= view.getUint8(at);
  return (((bits >> 4) ^ bits) & 15) === 15;
}

function readFormat(view: DataView): Format | null {
  const sync = view.byteLength < FORMAT_BYTES ? 0 : view.getUint32(4);
  if (sync !== TRUE_HD && sync !== MLP) return null;
  const code = sync === TRUE_HD ? view.getUint8(8) >> 4 : view.getUint8(9) >> 4;
  const sampleRate = (code & 8 ? 44_100 : 48_000) * 2 ** (code & 7);
  return {
    codec: sync === TRUE_HD ? 'truehd' : 'mlp',
    samples: SAMPLES_MIN * 2 ** (code & 7),
    sampleRate,
    channelCount: sync === TRUE_HD ? trueHdChannels(view) : (MLP_CHANNELS[view.getUint8(11) & 31] ?? 2),
    substreams: view.getUint8(FORMAT_BYTES - 1) >> 4,
  };
}

/** Counts the channels of the largest presentation. */
function trueHdChannels(view: DataView): number {
  const bits = view.getUint32(8);
  const [six, eight] = [(bits >>> 15) & 0x1f, bits & 0x1fff];
  const groups = eight || six;
  return GROUPS.reduce((sum, channels, bit) => sum + ((groups >> bit) & 1 ? channels : 0), 0) || 2;
}

/** Reads the head of an ADTS frame of AAC: ISO 14496-3, 1.A.3.2; null where there is none. */
export function readAdtsFrame(head: Uint8Array): RawFrame | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0] = head;
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return null;
  const sampleRate = AAC_RATES[(third >> 2) & 15];
  const bytes = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (!sampleRate || bytes < ADTS_HEAD_BYTES) return null;
  const configuration = ((third & 1) << 2) | (fourth >> 6);
  const listed = configuration === 0 ? readOwnList(head) : null;
  return {
    codec: 'aac',
    bytes,
    samples: ((seventh & 3) + 1) * 1024,
    sampleRate,
    channelCount: listed?.channelCount ?? (configuration === 7 ? 8 : configuration || 2),
    ...(listed?.channelMask != null && { channelMask: listed.channelMask }),
  };
}

/** Reports whether the head of a frame leaves its channels to a list within, which only the first frames may have. */
export function listsChannels(head: Uint8Array): boolean {
  return readAdtsFrame(head) !== null && ((head[2] ?? 0) & 1) === 0 && (head[3] ?? 0) >> 6 === 0;
}

function readOwnList(head: Uint8Array) {
  const hasChecksum = ((head[1] ?? 0) & 1) === 0;
  const reader = new BitReader(head.subarray(ADTS_HEAD_BYTES + (hasChecksum ? CHECKSUM_BYTES : 0)));
  return reader.bits(3) === PROGRAM_CONFIG ? readProgramConfig(reader) : null;
}

/** Reads the head of a frame of DTS; null where there is none. */
export function readDtsFrame(head: Uint8Array): RawFrame | null {
  if (head.length < 12) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const sync = view.getUint32(0);
  if (sync === EXTENSION) return readExtension(view);
  if (sync !== CORE) return null;
  const blocks = ((view.getUint16(4) >> 2) & 0x7f) + 1;
  const bytes = ((view.getUint32(4) >> 4) & 0x3fff) + 1;
  const mode = (view.getUint16(7) >> 6) & 0x3f;
  const sampleRate = DTS_SAMPLE_RATES[(view.getUint8(8) >> 2) & 15];
  const hasEffects = ((view.getUint8(10) >> 1) & 3) !== 0;
  if (!sampleRate || bytes < 96) return null;
  return {
    codec: 'dts',
    bytes,
    samples: blocks * DTS_BLOCK_SAMPLES,
    sampleRate,
    channelCount: (DTS_CHANNELS[mode] ?? 8) + (hasEffects ? 1 : 0),
  };
}

/** Reads an extension, which adds to the core before it. */
function readExtension(view: DataView): RawFrame | null {
  const isLong = (view.getUint8(5) & 0x20) !== 0;
  const code = isLong ? (view.getUint32(6) >>> 5) & 0xfffff : (view.getUint32(5) >>> 5) & 0xffff;
  const bytes = code + 1;
  return bytes < 12 ? null : { codec: 'dts', bytes, samples: 0, sampleRate: 1, channelCount: 1 };
}

/** Reads the head of a frame of MPEG audio, layer I to III; null where there is none, or its size is left open. */
export function readMpegFrame(head: Uint8Array): RawFrame | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const fullRate = MPEG_SAMPLE_RATES[(third >> 2) & 3];
  if (version === 1 || layer === 4 || !fullRate) return null;
  const isFirst = version === 3;
  const table = isFirst ? BITRATES[layer - 1] : BITRATES[layer === 1 ? 3 : 4];
  const kilobits = table?.[(third >> 4) - 1];
  if (!kilobits) return null;
  const sampleRate = fullRate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  const slotBytes = layer === 1 ? 4 : 1;
  const padding = (third >> 1) & 1;
  const slots = Math.floor((samples / 8 / slotBytes) * ((kilobits * 1000) / sampleRate)) + padding;
  return {
    codec: `mp${layer}`,
    bytes: slots * slotBytes,
    samples,
    sampleRate,
    channelCount: fourth >> 6 === 3 ? 1 : 2,
  };
}

/** Readers of frames by the container that consists of them. */
export const FRAME_READERS = {
  ac3: () => readAc3Frame,
  mp2: () => readMpegFrame,
  dts: () => readDtsFrame,
  truehd: openTrueHd,
} as const satisfies Partial<Record<AudioContainer, OpenFrames>>;
