import { OperationError } from '../../../../core/operation/errors.ts';
import { readFourCc } from '../../../bytes/read-four-cc.ts';
import type { ByteReader } from '../byte-reader.ts';
import { damagedAudio } from '../byte-reader.ts';
import type { RawAudio } from '../raw-audio.ts';
import { readWaveFormat, type WaveFormat, waveSeconds } from './wave-format.ts';

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
