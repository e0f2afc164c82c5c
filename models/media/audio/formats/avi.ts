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

interface StreamHeader {
  /** `auds` or `vids`. */
  readonly type: string;
  readonly seconds: number;
}

/** Audio stream of a file. */
interface AviAudio {
  readonly format: WaveFormat;
  /** By its header. */
  readonly seconds: number;
  /** Name; empty where the file states none. */
  readonly label: string;
}

interface AviStreams {
  readonly audio: readonly AviAudio[];
  readonly hasVideo: boolean;
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
    durationSeconds: wanted.seconds,
    hasVideo,
    ...track,
  };
}

async function readStreams(bytes: ByteReader): Promise<AviStreams> {
  let stream: StreamHeader | null = null;
  const audio: AviAudio[] = [];
  let hasVideo = false;
  let at = LIST_HEAD_BYTES;
  for (let count = 0; at + LIST_HEAD_BYTES <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, LIST_HEAD_BYTES);
    const [type, size, list] = [readFourCc(head, 0), head.getUint32(4, true), readFourCc(head, 8)];
    if (type === 'LIST' && list === 'movi') break;
    if (type === 'LIST' && (list === 'hdrl' || list === 'strl')) {
      at += LIST_HEAD_BYTES;
      continue;
    }
    if (type === 'strh') {
      stream = readStreamHeader(await bytes.view(at + HEAD_BYTES, STREAM_HEADER_BYTES));
      hasVideo ||= stream.type === 'vids';
    }
    if (type === 'strf' && stream?.type === 'auds') {
      const format = readWaveFormat(await bytes.view(at + HEAD_BYTES, Math.min(size, FORMAT_BYTES_MAX)));
      audio.push({ format, seconds: stream.seconds, label: '' });
    }
    const named = type === 'strn' && stream?.type === 'auds' ? audio.pop() : undefined;
    if (named) audio.push({ ...named, label: await readName(bytes, at + HEAD_BYTES, size) });
    at += HEAD_BYTES + size + (size % 2);
  }
  return { audio, hasVideo };
}

async function readName(bytes: ByteReader, at: number, size: number): Promise<string> {
  const text = await bytes.read(at, Math.min(size, NAME_BYTES_MAX));
  return printableName(decodeText(text.slice()));
}

/** Reads the kind of a stream and its length: its number of units over its rate. */
function readStreamHeader(view: DataView): StreamHeader {
  const [scale, rate] = [view.getUint32(20, true), view.getUint32(24, true)];
  const [start, length] = [view.getUint32(28, true), view.getUint32(32, true)];
  if (scale === 0 || rate === 0) throw damagedAudio('its stream makes no sense');
  return {
    type: readFourCc(view, 0),
    seconds: ((start + length) * scale) / rate,
  };
}
