import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { readFourCc } from '../../bytes/text.ts';
import { readAmr } from '../formats/amr.ts';
import { readAsf } from '../formats/asf.ts';
import { readAvi } from '../formats/avi.ts';
import { type ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { readCaf } from '../formats/caf.ts';
import { readFlv } from '../formats/flv.ts';
import { readApe, readTrueAudio } from '../formats/lossless.ts';
import { readProgramStream } from '../formats/program-stream.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import {
  FRAME_HEAD_BYTES,
  listsChannels,
  measureFrames,
  type OpenFrames,
  openTrueHd,
  readAc3Frame,
  readAdtsFrame,
  readDtsFrame,
  readMpegFrame,
} from '../formats/raw-frames.ts';
import { readW64, readWav } from '../formats/wav.ts';
import { readWavPack } from '../formats/wavpack.ts';
import { readOggRaw } from './read-ogg-raw.ts';

const CHUNKS_MAX = 10_000;

/** More than any of the compressed codings puts into a byte: QDesign Music at 8 kbps is the densest. */
const FRAMES_A_BYTE_MAX = 64;

/** Uncompressed codings of AIFF-C and their bits per sample, where the header may differ. `NONE` is AIFF's own. */
const SAMPLE_BITS: Readonly<Record<string, number>> = {
  fl32: 32,
  FL32: 32,
  fl64: 64,
  FL64: 64,
  ulaw: 8,
  ULAW: 8,
  alaw: 8,
  ALAW: 8,
};

/** Bytes of each channel's block of a compressed coding, and its samples. */
const BLOCKS: Readonly<Record<string, readonly [bytes: number, samples: number]>> = {
  ima4: [34, 64],
  MAC3: [2, 6],
  MAC6: [1, 6],
  'GSM ': [33, 160],
  agsm: [33, 160],
  G722: [1, 2],
};

/** Codecs of Sun's AU files by their numbers, and bits of a sample. */
const ENCODINGS: Readonly<Record<number, readonly [codec: string, bits: number]>> = {
  1: ['ulaw', 8],
  2: ['pcm_8', 8],
  3: ['pcm_16', 16],
  4: ['pcm_24', 24],
  5: ['pcm_32', 32],
  6: ['pcm_f32', 32],
  7: ['pcm_f64', 64],
  23: ['adpcm_g726le', 4],
  24: ['adpcm_g722', 4],
  25: ['adpcm_g726le', 3],
  26: ['adpcm_g726le', 5],
  27: ['alaw', 8],
};

const HEADER_BYTES = 24;

/** Length that is left open. */
const UNKNOWN = 0xffff_ffff;

/** Reads a container; null for codecs in it that mediabunny reads. */
type ReadRaw = (bytes: ByteReader, options: RawOptions) => Promise<RawAudio | null>;

interface RawOptions {
  /** Length after which measuring may end. */
  readonly secondsMax: number;
  /** Audio track, from 1. */
  readonly trackNumber: number;
}

/** Returns a reader of a file that consists of frames only. */
function framed(open: OpenFrames): ReadRaw {
  return (bytes, { secondsMax }) => measureFrames(bytes, open(), secondsMax);
}

/** Measures ADTS whose head does not state its channels, which mediabunny refuses. */
async function readListedAdts(bytes: ByteReader, { secondsMax }: RawOptions): Promise<RawAudio | null> {
  const isListed = listsChannels(await bytes.read(0, FRAME_HEAD_BYTES));
  return isListed ? await measureFrames(bytes, readAdtsFrame, secondsMax) : null;
}

/** Readers of the containers that mediabunny does not know. */
const READERS: Partial<Record<AudioContainer, ReadRaw>> = {
  asf: (bytes, { trackNumber }) => readAsf(bytes, trackNumber),
  amr: (bytes, { secondsMax }) => readAmr(bytes, secondsMax),
  aiff: readAiff,
  aac: readListedAdts,
  ac3: framed(() => readAc3Frame),
  mp2: framed(() => readMpegFrame),
  dts: framed(() => readDtsFrame),
  truehd: framed(openTrueHd),
  w64: readW64,
  au: readAu,
  caf: readCaf,
  ogg: readOggRaw,
  mpeg: (bytes, { trackNumber }) => readProgramStream(bytes, trackNumber),
  avi: (bytes, { trackNumber }) => readAvi(bytes, trackNumber),
  flv: (bytes, { secondsMax }) => readFlv(bytes, secondsMax),
  tta: readTrueAudio,
  ape: readApe,
  wavpack: readWavPack,
};

/** Codings of WAV that mediabunny reads. */
const PLAIN_WAV = /^(pcm_|alaw$|ulaw$)/;

/**
 * Measures the audio of a file that mediabunny cannot read; null for one that it can.
 * @throws OperationError `bad_request` when the file has no audio, or is damaged
 */
export async function readRawAudio(
  container: AudioContainer,
  bytes: ByteReader,
  options: RawOptions,
): Promise<RawAudio | null> {
  if (container === 'wav') {
    // Of a damaged file mediabunny knows better what is left.
    const wav = await readWav(bytes).catch((thrown: unknown) => {
      if (thrown instanceof OperationError && thrown.kind === 'damaged') return null;
      throw thrown;
    });
    return wav === null || PLAIN_WAV.test(wav.codec) ? null : wav;
  }
  return (await READERS[container]?.(bytes, options)) ?? null;
}

/**
 * Measures an AU file by the bytes that are in it.
 * @throws OperationError `bad_request` when its header makes no sense
 */
async function readAu(bytes: ByteReader): Promise<RawAudio> {
  const view = await bytes.view(0, HEADER_BYTES);
  const [dataAt, declared, encoding] = [view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  const [sampleRate, channelCount] = [view.getUint32(16), view.getUint32(20)];
  const [codec, bits] = ENCODINGS[encoding] ?? [`au_${encoding}`, 0];
  if (bits === 0 || sampleRate === 0 || channelCount === 0) throw damagedAudio('its header makes no sense');
  const available = Math.max(0, bytes.size - dataAt);
  const dataBytes = declared === UNKNOWN ? available : Math.min(declared, available);
  const durationSeconds = (dataBytes * 8) / (bits * channelCount * sampleRate);
  const isCutOff = declared !== UNKNOWN && declared > available;
  return { codec, sampleRate, channelCount, durationSeconds, isCutOff, hasVideo: false };
}

/**
 * Measures an AIFF or AIFF-C file (Apple, "Audio Interchange File Format" 1.3) by the samples that are in it, not by
 * the number that its header claims.
 * @throws OperationError `bad_request` when chunks are missing or do not fit together
 */
async function readAiff(bytes: ByteReader): Promise<RawAudio> {
  let common: {
    channelCount: number;
    frames: number;
    bits: number;
    sampleRate: number;
    coding: string;
  } | null = null;
  let sampleBytes = 0;
  let at = 12;
  for (let count = 0; at + 8 <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, 8);
    const [type, size] = [readFourCc(head, 0), head.getUint32(4)];
    if (type === 'COMM') common = readCommon(await bytes.view(at + 8, Math.min(22, size)));
    if (type === 'SSND') sampleBytes = Math.max(0, Math.min(at + 8 + size, bytes.size) - at - 16);
    at += 8 + size + (size % 2);
  }
  if (!common) throw damagedAudio('it has no common chunk');
  const { channelCount, sampleRate, coding, frames } = common;
  const bits = SAMPLE_BITS[coding] ?? Math.ceil(common.bits / 8) * 8;
  const isPlain = ['NONE', 'twos', 'sowt', 'in24', 'in32', 'raw '].includes(coding) || coding in SAMPLE_BITS;
  const block = isPlain ? ([bits / 8, 1] as const) : BLOCKS[coding];
  const measured = block ? Math.floor(sampleBytes / (block[0] * channelCount)) * block[1] : frames;
  if (measured > sampleBytes * FRAMES_A_BYTE_MAX) throw damagedAudio('it claims more samples than it holds');
  // Block codings count blocks in place of samples, some programs samples.
  const durationSeconds = (isPlain ? Math.min(frames || measured, measured) : measured) / sampleRate;
  return {
    codec: isPlain ? `pcm_${/^fl/i.test(coding) ? 'f' : ''}${bits}` : coding.trim(),
    sampleRate,
    channelCount,
    durationSeconds,
    hasVideo: false,
  };
}

function readCommon(view: DataView) {
  if (view.byteLength < 18) throw damagedAudio('its common chunk is too short');
  const channelCount = view.getUint16(0);
  const bits = view.getUint16(6);
  const sampleRate = Math.round(readExtended(view, 8));
  if (channelCount === 0 || bits === 0 || !(sampleRate > 0))
    throw damagedAudio('its common chunk makes no sense');
  const coding = view.byteLength >= 22 ? readFourCc(view, 18) : 'NONE';
  return { channelCount, frames: view.getUint32(2), bits, sampleRate, coding };
}

/** IEEE 754's 80-bit format: sign and exponent, then a mantissa whose first bit is written out. */
function readExtended(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16_383;
  const mantissa = view.getUint32(at + 2) * 2 ** -31 + view.getUint32(at + 6) * 2 ** -63;
  return mantissa * 2 ** exponent;
}
