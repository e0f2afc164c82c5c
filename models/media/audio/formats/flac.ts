import { type ByteReader, damagedAudio } from '../../bytes/byte-reader.ts';
import { ascii, concat } from '../../bytes/byte-writer.ts';
import { crc8 } from '../../bytes/checksums.ts';
import type { RawAudio } from './raw-audio.ts';

const COMMENT = 4;
const COMMENT_BYTES_MAX = 1_000_000;
/** Code of a sample rate that stands in whole kilohertz behind the frame's head. */
const KILOHERTZ = 12;
/** Longest head of a frame: RFC 9639, 9.1. */
const HEAD_BYTES_MAX = 16;
/** Metadata blocks before the first frame. */
const BLOCKS_MAX = 1000;
/** Bytes at the end of a file within which its last frame begins: more than any encoder's frame has. */
const TAIL_BYTES = 8_388_608;

/** Facts in the first metadata block: RFC 9639, 8.2. */
export interface StreamInfo {
  readonly blockSamples: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Samples that the file declares; 0 where it declares none. */
  readonly declaredSamples: number;
}

/** Head of the only metadata block of a file: the last one, of 34 bytes of STREAMINFO. */
const ONLY_BLOCK = new Uint8Array([0x80, 0, 0, 34]);
/** Offsets within STREAMINFO: of the number of samples, 36 bits from the middle of a byte on, and of their checksum. */
const SAMPLES_AT = 13;
const DIGEST_AT = 18;

/**
 * Writes the head of a FLAC file.
 * @param info STREAMINFO as an encoder has it before the first sample, 34 bytes
 * @param samples of each channel
 */
export function writeFlacHead(info: Uint8Array, samples: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(info);
  block[SAMPLES_AT] = (block[SAMPLES_AT] & 0xf0) | Math.floor(samples / 2 ** 32);
  new DataView(block.buffer).setUint32(SAMPLES_AT + 1, samples % 2 ** 32);
  // Zeros say that it is unknown.
  block.fill(0, DIGEST_AT);
  return concat([ascii('fLaC'), ONLY_BLOCK, block]);
}

/** Head of a frame: RFC 9639, 9.1. */
export interface FlacFrameHead {
  /** Number of the frame, or of its first sample where frames vary in length. */
  readonly number: number;
  readonly isVariable: boolean;
  readonly rateCode: number;
  readonly samples: number;
}

/** FLAC audio, measured by its last frame. */
export interface FlacAudio {
  readonly raw: RawAudio;
  /** Length that the header declares; 0 where it declares none. */
  readonly declaredSeconds: number;
}

/**
 * Reads a FLAC file whose frames state their rate in kilohertz, as FFmpeg before 6 writes 192 kHz: mediabunny (1.61)
 * takes it for hertz and finds no frame.
 * @returns null for all other files
 * @throws OperationError `bad_request` when the file has no frames
 */
export async function readKilohertzFlac(bytes: ByteReader): Promise<FlacAudio | null> {
  const { info, firstFrame } = await readFlacHeader(bytes);
  const first = flacFrameHeadAt(await bytes.read(firstFrame, HEAD_BYTES_MAX), 0);
  if (first?.rateCode !== KILOHERTZ) return null;
  const last = await lastFrame(bytes, firstFrame, first);
  const before = getFirstSample(first, info);
  const start = getFirstSample(last, info) - before;
  const { sampleRate, channelCount } = info;
  const durationSeconds = (start + last.samples) / sampleRate;
  return {
    raw: { codec: 'flac', sampleRate, channelCount, durationSeconds, hasVideo: false },
    declaredSeconds: (info.declaredSamples - before) / sampleRate,
  };
}

/** Returns the number of a frame's first sample. */
export function getFirstSample(
  { isVariable, number }: FlacFrameHead,
  { blockSamples }: Pick<StreamInfo, 'blockSamples'>,
): number {
  return isVariable ? number : number * blockSamples;
}

/** Reads the time of the first frame, by its number: that of a file that was cut at its start is late. */
export async function readFlacStart(bytes: ByteReader): Promise<number> {
  const { info, firstFrame } = await readFlacHeader(bytes);
  const first = flacFrameHeadAt(await bytes.read(firstFrame, HEAD_BYTES_MAX), 0);
  return first && info.sampleRate > 0 ? getFirstSample(first, info) / info.sampleRate : 0;
}

/** Metadata of a file, and the offset of its first frame. */
export interface FlacHeader {
  readonly info: StreamInfo;
  readonly firstFrame: number;
}

/**
 * Reads the metadata of a FLAC file.
 * @throws OperationError `bad_request` when the metadata have no end
 */
export async function readFlacHeader(bytes: ByteReader): Promise<FlacHeader> {
  const view = await bytes.view(8, 18);
  const packed = view.getUint32(10);
  const info = {
    blockSamples: view.getUint16(2),
    sampleRate: packed >>> 12,
    channelCount: ((packed >>> 9) & 7) + 1,
    declaredSamples: (view.getUint8(13) & 15) * 2 ** 32 + view.getUint32(14),
  };
  for await (const { start, length, isLast } of metadataBlocks(bytes))
    if (isLast) return { info, firstFrame: start + length };
  throw damagedAudio('its header has no end');
}

/** Iterates over the metadata blocks before the first frame: RFC 9639, 8.1. */
async function* metadataBlocks(bytes: ByteReader) {
  let at = 4;
  for (let block = 0; block < BLOCKS_MAX && at + 4 <= bytes.size; block++) {
    const head = (await bytes.view(at, 4)).getUint32(0);
    const [start, length] = [at + 4, head & 0xff_ffff];
    const isLast = head >>> 31 === 1;
    yield { type: (head >>> 24) & 0x7f, start, length, isLast };
    if (isLast) return;
    at = start + length;
  }
}

/** Finds the last frame, of the kind that the first one is, from the end of the file. */
async function lastFrame(
  bytes: ByteReader,
  firstFrame: number,
  first: FlacFrameHead,
): Promise<FlacFrameHead> {
  const from = Math.max(firstFrame, bytes.size - TAIL_BYTES);
  const tail = await bytes.read(from, bytes.size - from);
  for (let at = tail.length - 1; at >= 0; at--) {
    if (tail[at] !== 0xff) continue;
    const head = flacFrameHeadAt(tail, at);
    if (head && head.isVariable === first.isVariable && head.rateCode === first.rateCode) return head;
  }
  throw damagedAudio('its last samples are missing');
}

/** Reads the head of a frame; null where there is none, which its checksum tells. */
export function flacFrameHeadAt(bytes: Uint8Array, at: number): FlacFrameHead | null {
  const [first = 0, second = 0, codes = 0, format = 0] = bytes.subarray(at, at + 4);
  if (first !== 0xff || (second & 0xfe) !== 0xf8 || (format & 1) !== 0) return null;
  const number = readNumber(bytes, at + 4);
  if (!number) return null;
  const [sizeCode, rateCode] = [codes >> 4, codes & 15];
  const size = readSize(bytes, number.end, sizeCode);
  const rateBytes = rateCode === KILOHERTZ ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const end = size.end + rateBytes;
  if (size.samples === 0 || crc8(bytes.subarray(at, end)) !== bytes[end]) return null;
  return { number: number.value, isVariable: (second & 1) === 1, rateCode, samples: size.samples };
}

interface CodedNumber {
  readonly value: number;
  /** Offset of the byte after it. */
  readonly end: number;
}

/** Reads a number of up to 36 bits, coded as UTF-8 is: RFC 9639, 9.1.5. */
function readNumber(bytes: Uint8Array, at: number): CodedNumber | null {
  const first = bytes[at] ?? 0xff;
  const ones = Math.clz32(~(first << 24));
  if (ones === 1 || ones > 7) return null;
  let value = first & (0x7f >> ones);
  const end = at + Math.max(1, ones);
  for (let next = at + 1; next < end; next++) value = value * 64 + ((bytes[next] ?? 0) & 63);
  return { value, end };
}

/** Reads the number of samples of a frame: RFC 9639, 9.1.1 and 9.1.6. It is 0 for a code that does not exist. */
function readSize(bytes: Uint8Array, at: number, code: number): { samples: number; end: number } {
  const [high = 0, low = 0] = bytes.subarray(at, at + 2);
  if (code === 6) return { samples: high + 1, end: at + 1 };
  if (code === 7) return { samples: high * 256 + low + 1, end: at + 2 };
  const samples = code === 0 ? 0 : code === 1 ? 192 : code < 6 ? 144 * 2 ** code : 2 ** code;
  return { samples, end: at };
}

/**
 * Reads the channel mask that a comment of a FLAC file states, as its reference encoder writes it for layouts that are
 * not the usual one of their number of channels; null without one.
 */
export async function readFlacMask(bytes: ByteReader): Promise<number | null> {
  for await (const { type, start, length } of metadataBlocks(bytes))
    if (type === COMMENT) return findFlacMask(await bytes.read(start, Math.min(length, COMMENT_BYTES_MAX)));
  return null;
}

/** Finds the channel mask among comments; null where there is none. */
function findFlacMask(comments: Uint8Array): number | null {
  const [, mask] =
    /WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x([0-9a-f]{1,8})/i.exec(new TextDecoder().decode(comments)) ?? [];
  return mask === undefined ? null : Number.parseInt(mask, 16);
}
