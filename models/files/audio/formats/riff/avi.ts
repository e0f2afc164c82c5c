import { readFourCc } from '../../../bytes/read-four-cc.ts';
import { type ByteReader, damagedAudio } from '../byte-reader.ts';
import { noAudio } from '../no-audio.ts';
import { type RawAudio, trackAmong } from '../raw-audio.ts';
import { readWaveFormat } from './wave-format.ts';

const CHUNKS_MAX = 10_000;
const FORMAT_BYTES_MAX = 40;
const STREAM_HEADER_BYTES = 56;

interface AviStream {
  /** `auds` or `vids`. */
  readonly type: string;
  readonly seconds: number;
}

/**
 * Measures an audio stream of an AVI file (Microsoft, "AVI RIFF File Reference") by its stream header.
 * @param trackNumber audio stream, from 1
 * @throws OperationError `bad_request` when headers are missing or do not fit together, or there is no audio
 */
export async function readAvi(bytes: ByteReader, trackNumber: number): Promise<RawAudio> {
  let stream: AviStream | null = null;
  const audio: RawAudio[] = [];
  let hasVideo = false;
  let at = 12;
  for (let count = 0; at + 12 <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, 12);
    const [type, size, list] = [readFourCc(head, 0), head.getUint32(4, true), readFourCc(head, 8)];
    if (type === 'LIST' && list === 'movi') break;
    if (type === 'LIST' && (list === 'hdrl' || list === 'strl')) {
      at += 12;
      continue;
    }
    if (type === 'strh') stream = readStreamHeader(await bytes.view(at + 8, STREAM_HEADER_BYTES));
    if (type === 'strh' && stream?.type === 'vids') hasVideo = true;
    if (type === 'strf' && stream?.type === 'auds') {
      const format = readWaveFormat(await bytes.view(at + 8, Math.min(size, FORMAT_BYTES_MAX)));
      const { codec, channelCount, sampleRate } = format;
      audio.push({ codec, channelCount, sampleRate, durationSeconds: stream.seconds, hasVideo });
    }
    at += 8 + size + (size % 2);
  }
  const wanted = audio[trackNumber - 1];
  if (!wanted) throw noAudio();
  const track = trackAmong(
    audio.map(() => ''),
    trackNumber,
  );
  return { ...wanted, hasVideo, ...track };
}

/** Reads the kind of a stream and its length: its number of units over its rate. */
function readStreamHeader(view: DataView): AviStream {
  const [scale, rate] = [view.getUint32(20, true), view.getUint32(24, true)];
  const [start, length] = [view.getUint32(28, true), view.getUint32(32, true)];
  if (scale === 0 || rate === 0) throw damagedAudio('its stream makes no sense');
  return { type: readFourCc(view, 0), seconds: ((start + length) * scale) / rate };
}
