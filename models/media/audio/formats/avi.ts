import { decodeText, readFourCc } from '../../bytes/text.ts';
import { noAudio } from './audio-errors.ts';
import { type ByteReader, damagedAudio, printableName } from './byte-reader.ts';
import { type RawAudio, trackAmong } from './raw-audio.ts';
import { readWaveFormat, type WaveFormat } from './wav.ts';

const CHUNKS_MAX = 10_000;
const HEAD_BYTES = 8;
const LIST_HEAD_BYTES = 12;
const FORMAT_BYTES_MAX = 40;
const STREAM_HEADER_BYTES = 56;
const NAME_BYTES_MAX = 256;
const ENTRY_BYTES = 16;
/** Entries of the index that are read: more than the chunks of 4 hours. */
const ENTRIES_MAX = 1_000_000;
/** Names of the chunks of the list that holds the streams. */
const CHUNK_NAME = /^(\d\d(wb|dc|db|pc|tx)|ix\d\d|JUNK)$/;
/** Names of chunks of streams. An index also lists the lists that they are in. */
const STREAM_CHUNK_NAME = /^\d\d(wb|dc|db|pc|tx)$/;

interface StreamHeader {
  /** `auds` or `vids`. */
  readonly type: string;
  readonly seconds: number;
  /** Length of one unit: a sample, or a chunk where samples have no size. */
  readonly unitSeconds: number;
  readonly sampleBytes: number;
}

/** Audio stream of a file. */
export interface AviAudio {
  /** Name of its chunks. */
  readonly id: string;
  readonly format: WaveFormat;
  /** By its header. */
  readonly seconds: number;
  /** Rate by which its bytes count time; 0 where its chunks do. */
  readonly bytesASecond: number;
  readonly chunkSeconds: number;
  /** Name; empty where the file states none. */
  readonly label: string;
}

/** Chunk of the list that holds the streams. */
export interface AviChunk {
  /** Offset of its head. */
  readonly at: number;
  readonly id: string;
  readonly size: number;
}

interface AviStreams {
  readonly audio: readonly AviAudio[];
  readonly hasVideo: boolean;
  /** Offset of the list that holds their chunks; null without one. */
  readonly moviAt: number | null;
}

/** Places of the chunks of a file. */
export interface AviLayout extends AviStreams {
  readonly moviStart: number;
  readonly moviEnd: number;
  /** Chunks of streams that the index lists, one behind the other; none where it is missing or damaged. */
  readonly index: readonly AviChunk[];
}

/**
 * Measures an audio stream of an AVI file (Microsoft, "AVI RIFF File Reference") by its stream header.
 * @param trackNumber audio stream, from 1
 * @throws OperationError `bad_request` when headers are missing or do not fit together, or there is no audio
 */
export async function readAvi(bytes: ByteReader, trackNumber: number): Promise<RawAudio> {
  const { audio, hasVideo } = await readStreams(bytes);
  const wanted = audio[trackNumber - 1];
  if (!wanted) throw noAudio();
  const { codec, channelCount, sampleRate } = wanted.format;
  const track = trackAmong(
    audio.map(({ label }) => label),
    trackNumber,
  );
  return {
    codec,
    channelCount,
    sampleRate,
    durationSeconds: wanted.seconds - (await emptySeconds(bytes, wanted)),
    hasVideo,
    ...track,
  };
}

/**
 * Measures the empty chunks of a stream whose chunks count time, as the index lists them: FFmpeg plays nothing for
 * them, and its muxer writes one for each frame before a late start.
 */
async function emptySeconds(
  bytes: ByteReader,
  { id, bytesASecond, chunkSeconds }: AviAudio,
): Promise<number> {
  const layout = bytesASecond > 0 ? null : await readAviLayout(bytes);
  const empty = layout?.index.filter((chunk) => chunk.id === id && chunk.size === 0) ?? [];
  return empty.length * chunkSeconds;
}

/** Reads the places of chunks. @throws OperationError as `readAvi` */
export async function readAviLayout(bytes: ByteReader): Promise<AviLayout | null> {
  const streams = await readStreams(bytes);
  const { moviAt } = streams;
  if (moviAt === null) return null;
  const size = (await bytes.view(moviAt, LIST_HEAD_BYTES)).getUint32(4, true);
  const listEnd = moviAt + HEAD_BYTES + size;
  const moviStart = moviAt + LIST_HEAD_BYTES;
  const index = await readIndex(bytes, moviStart, listEnd);
  return { ...streams, moviStart, moviEnd: Math.min(listEnd, bytes.size), index };
}

/** Reads the chunk at a place; null where there is none. Of a list, its own head is passed over. */
export async function readAviChunk(
  bytes: ByteReader,
  at: number,
  end: number,
): Promise<(AviChunk & { readonly next: number }) | null> {
  const head = await bytes.read(at, LIST_HEAD_BYTES);
  if (head.length < HEAD_BYTES) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const [id, size] = [readFourCc(view, 0), view.getUint32(4, true)];
  if (id === 'LIST' && head.length === LIST_HEAD_BYTES && readFourCc(view, 8) === 'rec ') {
    return { at, id, size, next: at + LIST_HEAD_BYTES };
  }
  const next = at + HEAD_BYTES + size + (size % 2);
  // The last chunk may lack what makes its size even.
  return CHUNK_NAME.test(id) && next <= end + 1 ? { at, id, size, next } : null;
}

async function readStreams(bytes: ByteReader): Promise<AviStreams> {
  let stream: StreamHeader | null = null;
  const audio: AviAudio[] = [];
  let [hasVideo, streams] = [false, 0];
  let at = LIST_HEAD_BYTES;
  for (let count = 0; at + LIST_HEAD_BYTES <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, LIST_HEAD_BYTES);
    const [type, size, list] = [readFourCc(head, 0), head.getUint32(4, true), readFourCc(head, 8)];
    if (type === 'LIST' && list === 'movi') return { audio, hasVideo, moviAt: at };
    if (type === 'LIST' && (list === 'hdrl' || list === 'strl')) {
      at += LIST_HEAD_BYTES;
      continue;
    }
    if (type === 'strh') {
      stream = readStreamHeader(await bytes.view(at + HEAD_BYTES, STREAM_HEADER_BYTES));
      streams += 1;
      hasVideo ||= stream.type === 'vids';
    }
    if (type === 'strf' && stream?.type === 'auds') {
      const format = readWaveFormat(await bytes.view(at + HEAD_BYTES, Math.min(size, FORMAT_BYTES_MAX)));
      audio.push(getAudio(stream, format, streams - 1));
    }
    const named = type === 'strn' && stream?.type === 'auds' ? audio.pop() : undefined;
    if (named) audio.push({ ...named, label: await readName(bytes, at + HEAD_BYTES, size) });
    at += HEAD_BYTES + size + (size % 2);
  }
  return { audio, hasVideo, moviAt: null };
}

async function readName(bytes: ByteReader, at: number, size: number): Promise<string> {
  const text = await bytes.read(at, Math.min(size, NAME_BYTES_MAX));
  return printableName(decodeText(text.slice()));
}

function getAudio(
  { seconds, unitSeconds, sampleBytes }: StreamHeader,
  format: WaveFormat,
  number: number,
): AviAudio {
  return {
    id: `${String(number).padStart(2, '0')}wb`,
    format,
    seconds,
    bytesASecond: sampleBytes > 0 ? sampleBytes / unitSeconds : 0,
    chunkSeconds: unitSeconds,
    label: '',
  };
}

/** Reads the kind of a stream and its length: its number of units over its rate. */
function readStreamHeader(view: DataView): StreamHeader {
  const [scale, rate] = [view.getUint32(20, true), view.getUint32(24, true)];
  const [start, length] = [view.getUint32(28, true), view.getUint32(32, true)];
  if (scale === 0 || rate === 0) throw damagedAudio('its stream makes no sense');
  return {
    type: readFourCc(view, 0),
    seconds: ((start + length) * scale) / rate,
    unitSeconds: scale / rate,
    sampleBytes: view.getUint32(44, true),
  };
}

/** Reads the index behind the list, whose offsets count from the list's name or from the start of the file. */
async function readIndex(bytes: ByteReader, moviStart: number, listEnd: number): Promise<AviChunk[]> {
  const at = listEnd + ((listEnd - moviStart) % 2);
  const head = await bytes.read(at, HEAD_BYTES);
  if (String.fromCharCode(...head.subarray(0, 4)) !== 'idx1') return [];
  const size = new DataView(head.buffer, head.byteOffset, head.length).getUint32(4, true);
  const count = Math.min(Math.floor(size / ENTRY_BYTES), ENTRIES_MAX);
  const body = await bytes.read(at + HEAD_BYTES, count * ENTRY_BYTES);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const entries = Array.from({ length: Math.floor(body.length / ENTRY_BYTES) }, (_, entry) => ({
    id: readFourCc(view, entry * ENTRY_BYTES),
    at: view.getUint32(entry * ENTRY_BYTES + 8, true),
    size: view.getUint32(entry * ENTRY_BYTES + 12, true),
  }));
  const base = (entries[0]?.at ?? 0) < moviStart ? moviStart - 4 : 0;
  return distinctChunks(
    entries.map((entry) => ({ ...entry, at: entry.at + base })),
    listEnd,
  );
}

/** Puts chunks of streams in order. An index may list a place again and again, or one within another chunk. */
function distinctChunks(entries: readonly AviChunk[], listEnd: number): AviChunk[] {
  let free = 0;
  return entries
    .filter(({ id, at, size }) => STREAM_CHUNK_NAME.test(id) && at + HEAD_BYTES + size <= listEnd)
    .sort((one, other) => one.at - other.at)
    .filter(({ at, size }) => {
      if (at < free) return false;
      free = at + HEAD_BYTES + size;
      return true;
    });
}
