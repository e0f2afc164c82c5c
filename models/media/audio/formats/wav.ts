import { OperationError } from '../../../core/operation/errors.ts';
import { readFourCc } from '../../bytes/text.ts';
import { ambisonic } from './audio-errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** WAVEFORMATEX of Microsoft, which WAV, W64, AVI and ASF files share. */
export interface WaveFormat {
  /** FFmpeg's name, or the tag in hexadecimal digits for an unknown one. */
  readonly codec: string;
  readonly channelCount: number;
  readonly sampleRate: number;
  /** Mean rate; 0 where the header leaves it open. */
  readonly bytesASecond: number;
  readonly blockBytes: number;
  /** Samples of each channel in a block; null where blocks differ. */
  readonly blockSamples: number | null;
  /** Speakers of the channels; absent where the header does not say it. */
  readonly channelMask?: number;
}

/** Least bytes of the structure. */
const WAVE_FORMAT_BYTES = 16;
const EXTENSIBLE = 0xfffe;
/** Third part of the GUIDs of AMB files (R. Dobson, 2001), where all others have 0. */
const AMBISONIC = 0x0721;

/** Codecs by their tags: RFC 2361, and the registry that FFmpeg keeps. */
const CODECS: Readonly<Record<number, string>> = {
  2: 'adpcm_ms',
  6: 'alaw',
  7: 'ulaw',
  17: 'adpcm_ima_wav',
  32: 'adpcm_yamaha',
  34: 'truespeech',
  49: 'gsm_ms',
  64: 'adpcm_g726',
  66: 'g723_1',
  69: 'adpcm_g726',
  80: 'mp2',
  85: 'mp3',
  101: 'adpcm_g722',
  255: 'aac',
  352: 'wmav1',
  353: 'wmav2',
  354: 'wmapro',
  355: 'wmalossless',
  624: 'atrac3',
  655: 'adpcm_g722',
  5632: 'aac',
  5634: 'aac_latm',
  8192: 'ac3',
  8193: 'dts',
};

/** Tags of G.722, which packs two samples into a byte, whatever rate a header states. */
const G722 = [101, 655];
/** GSM 06.10 as Microsoft packs it: two frames. */
const GSM_BLOCK_SAMPLES = 320;
/** Difference between two measures of a length up to which the more exact one counts. */
const TOLERANCE = 0.1;
/** Format tag of AAC frames without heads. */
const UNFRAMED_AAC = 0xff;
const CHUNKS_MAX = 10_000;
const FORMAT_BYTES_MAX = 40;
/** Sizes from this on are left open: written to a pipe, or in the `ds64` chunk of RF64. */
const OPEN_BYTES = 0xffff_ffff;

/** Chunk of a file: `at` is the offset of its body. */
interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly bytes: number;
  readonly next: number;
}

/** Form of the chunks: RIFF has names of 4 bytes and sizes of 4, Wave64 has GUIDs and sizes of 8. */
interface ChunkForm {
  readonly firstAt: number;
  readonly headBytes: number;
  getChunk(head: DataView, at: number): Chunk;
}

const RIFF: ChunkForm = {
  firstAt: 12,
  headBytes: 8,
  getChunk(head, at) {
    const bytes = head.getUint32(4, true);
    return { type: readFourCc(head, 0), at: at + 8, bytes, next: at + 8 + bytes + (bytes % 2) };
  },
};

/** Sony's Wave64: sizes count the head, and chunks begin at multiples of 8. */
const WAVE64: ChunkForm = {
  firstAt: 40,
  headBytes: 24,
  getChunk(head, at) {
    const size = Number(head.getBigUint64(16, true));
    if (size < 24) throw damagedAudio('its chunks do not fit together');
    return { type: readFourCc(head, 0), at: at + 24, bytes: size - 24, next: at + Math.ceil(size / 8) * 8 };
  },
};

/** Measures a WAV file. Its length is that of the bytes that are there. @throws OperationError as `readWave` */
export function readWav(bytes: ByteReader): Promise<RawAudio> {
  return readWave(bytes, RIFF);
}

/** Measures a W64 file. @throws OperationError as `readWave` */
export function readW64(bytes: ByteReader): Promise<RawAudio> {
  return readWave(bytes, WAVE64);
}

/** @throws OperationError `bad_request` when chunks are missing or do not fit together */
async function readWave(bytes: ByteReader, form: ChunkForm): Promise<RawAudio> {
  let format: WaveFormat | null = null;
  let factSamples = 0;
  let at = form.firstAt;
  for (let count = 0; at + form.headBytes <= bytes.size && count < CHUNKS_MAX; count++) {
    const chunk = form.getChunk(await bytes.view(at, form.headBytes), at);
    const available = Math.min(chunk.bytes, bytes.size - chunk.at);
    if (chunk.type === 'fmt ') await assertFramed(bytes, chunk.at, available);
    if (chunk.type === 'fmt ')
      format = readWaveFormat(await bytes.view(chunk.at, Math.min(available, FORMAT_BYTES_MAX)));
    if (chunk.type === 'fact' && available >= 4)
      factSamples = (await bytes.view(chunk.at, 4)).getUint32(0, true);
    if (chunk.type === 'data') {
      if (!format) break;
      const isOpen = chunk.bytes === 0 || chunk.bytes >= OPEN_BYTES;
      const dataBytes = isOpen ? bytes.size - chunk.at : available;
      const { codec, channelCount, channelMask, sampleRate } = format;
      const durationSeconds = waveSeconds(format, dataBytes, isOpen ? 0 : factSamples);
      const isCutOff = !isOpen && chunk.bytes > available;
      const raw = { codec, channelCount, sampleRate, durationSeconds, isCutOff, hasVideo: false };
      return channelMask === undefined ? raw : { ...raw, channelMask };
    }
    at = chunk.next;
  }
  throw damagedAudio(format ? 'its data is missing' : 'it has no format');
}

/** Refuses AAC whose packets nothing divides: in a WAV file the tag stands for frames without heads. */
async function assertFramed(bytes: ByteReader, at: number, available: number): Promise<void> {
  if (available < 2 || (await bytes.view(at, 2)).getUint16(0, true) !== UNFRAMED_AAC) return;
  throw new OperationError(
    'bad_request',
    'The file is AAC without frame headers in WAV, which is not supported. Export it as M4A.',
    { kind: 'unknown_format' },
  );
}

/**
 * Reads the structure, at most its first 40 bytes.
 * @throws OperationError `bad_request` when it is too short or makes no sense
 */
export function readWaveFormat(view: DataView): WaveFormat {
  if (view.byteLength < WAVE_FORMAT_BYTES) throw damagedAudio('its format is too short');
  const own = view.getUint16(0, true);
  const isExtensible = own === EXTENSIBLE && view.byteLength >= 26;
  const tag = isExtensible ? view.getUint16(24, true) : own;
  if (isExtensible && view.byteLength >= 30 && view.getUint16(28, true) === AMBISONIC) throw ambisonic();
  const channelMask = isExtensible ? view.getUint32(20, true) : 0;
  const channelCount = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const blockBytes = view.getUint16(12, true);
  const bits = view.getUint16(14, true);
  if (channelCount === 0 || sampleRate === 0) throw damagedAudio('its format makes no sense');
  const isPlain = tag === 1 || tag === 3;
  const kind = tag === 3 ? 'f' : '';
  return {
    codec: isPlain ? `pcm_${kind}${bits}` : (CODECS[tag] ?? `wave_${tag.toString(16)}`),
    channelCount,
    sampleRate,
    bytesASecond: view.getUint32(8, true),
    blockBytes,
    blockSamples:
      isPlain || tag === 6 || tag === 7 ? 1 : getBlockSamples(view, tag, channelCount, blockBytes),
    ...(channelMask > 0 && { channelMask }),
  };
}

function getBlockSamples(
  view: DataView,
  tag: number,
  channelCount: number,
  blockBytes: number,
): number | null {
  const stated = view.byteLength >= 20 && view.getUint16(16, true) >= 2 ? view.getUint16(18, true) : 0;
  if (tag === 49) return stated || GSM_BLOCK_SAMPLES;
  // Each channel of a block has a head, of 7 or 4 bytes, with its first samples.
  if (tag === 2) return stated || (blockBytes * 2) / channelCount - 12;
  if (tag === 32 || G722.includes(tag)) return (blockBytes * 2) / channelCount;
  return tag === 17 ? stated || (blockBytes * 2) / channelCount - 7 : null;
}

/**
 * Measures the length of coded bytes.
 * @param factSamples number that a header states; 0 for none
 */
function waveSeconds(format: WaveFormat, bytes: number, factSamples: number): number {
  const { blockBytes, blockSamples, sampleRate, bytesASecond } = format;
  const stated = factSamples / sampleRate;
  if (blockSamples !== null && blockSamples > 0 && blockBytes > 0) {
    const measured = ((bytes / blockBytes) * blockSamples) / sampleRate;
    // The last block may be filled up.
    return stated > 0 && blockSamples > 1 ? Math.min(measured, stated) : measured;
  }
  const mean = bytesASecond > 0 ? bytes / bytesASecond : stated;
  return Math.abs(stated - mean) < mean * TOLERANCE ? stated : mean;
}
