import { damagedAudio } from '../../../models/media/audio/formats/byte-reader.ts';
import {
  type MeasuredFile,
  type MeasuredStream,
  type MeasureOptions,
  PacketTimes,
} from '../../../models/media/audio/read/measure-file.ts';
import type { Loading } from '../loading/assets.ts';
import { loadFfmpeg } from './load-ffmpeg.ts';

const FOLDER = '/input';
const NAME = 'file';
const OUTPUT = 'measured';

/** Sections that ffprobe writes, with their fields. */
const SECTIONS = [
  'format_tags=encoder',
  'stream=index,codec_name,codec_type,sample_rate,channels,duration',
  'stream_disposition=attached_pic',
  'stream_tags=title',
  'packet=stream_index,pts_time,duration_time,flags',
].join(':');

/** Measures a file by the ffprobe of ffmpeg.wasm. @throws OperationError as `MeasureFile` and `loadFfmpeg` */
export async function measureFile(
  file: Blob,
  { demuxer, signal = new AbortController().signal }: MeasureOptions,
  loading: Loading,
): Promise<MeasuredFile> {
  const ffmpeg = await loadFfmpeg({ ...loading, signal }, 'Reading this file');
  const end = () => ffmpeg.terminate();
  signal.addEventListener('abort', end);
  try {
    await ffmpeg.createDir(FOLDER);
    await ffmpeg.mount('WORKERFS' as never, { blobs: [{ name: NAME, data: file }] }, FOLDER);
    await ffmpeg.ffprobe([
      ...['-v', 'error', '-f', demuxer, '-show_entries', SECTIONS, '-of', 'compact', '-o', OUTPUT],
      `${FOLDER}/${NAME}`,
    ]);
    // This build's ffprobe returns no code.
    const text = await ffmpeg.readFile(OUTPUT, 'utf8').catch(() => '');
    const measured = readSections(String(text));
    if (measured.streams.length === 0) throw damagedAudio('its header makes no sense');
    return measured;
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', end);
    ffmpeg.terminate();
  }
}

/** Reads the lines of ffprobe, of which those of packets come first. */
function readSections(text: string): MeasuredFile {
  const times = new Map<string, PacketTimes>();
  const streams: MeasuredStream[] = [];
  let encoder = '';
  for (const line of text.split('\n')) {
    const [section, ...fields] = line.split('|');
    const values = new Map(fields.map((field) => splitField(field)));
    const seconds = (name: string) => readNumber(values.get(name));
    const timesOf = (index = '') => times.get(index) ?? new PacketTimes();
    if (section === 'packet') {
      const index = values.get('stream_index') ?? '';
      const own = timesOf(index);
      times.set(index, own);
      const isCorrupt = values.get('flags')?.includes('C') ?? false;
      own.add(seconds('pts_time'), seconds('duration_time') ?? 0, isCorrupt);
    }
    const type = values.get('codec_type');
    const isShown = type === 'audio' || (type === 'video' && values.get('disposition:attached_pic') !== '1');
    if (section === 'stream' && isShown)
      streams.push({
        isAudio: type === 'audio',
        codec: values.get('codec_name') ?? '',
        sampleRate: seconds('sample_rate') ?? 0,
        channelCount: seconds('channels') ?? 0,
        name: values.get('tag:title') ?? '',
        declaredSeconds: seconds('duration'),
        times: timesOf(values.get('index')),
      });
    if (section === 'format') encoder = values.get('tag:encoder') ?? '';
  }
  return { streams, encoder };
}

function splitField(field: string): [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
}

/** Reads a number; null where ffprobe has none. */
function readNumber(text = 'N/A'): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
