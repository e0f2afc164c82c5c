import { damagedAudio } from '../../../models/media/audio/formats/byte-reader.ts';
import type { MeasuredFile, MeasureOptions } from '../../../models/media/audio/read/measure-file.ts';
import type { Loading } from '../assets.ts';
import { loadFfmpeg } from './load-ffmpeg.ts';
import { readSections, SECTIONS } from './read-sections.ts';

const FOLDER = '/input';
const NAME = 'file';
const OUTPUT = 'measured';

/** Length that is read beyond the limit: the packets of a video come before those of the sound of the same time. */
const LEAD_SECONDS = 60;

/** Measures a file by the ffprobe of ffmpeg.wasm. @throws OperationError as `MeasureFile` and `loadFfmpeg` */
export async function measureFile(
  file: Blob,
  { demuxer, secondsMax, signal = new AbortController().signal }: MeasureOptions,
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
      ...(Number.isFinite(secondsMax) ? ['-read_intervals', `%+${secondsMax + LEAD_SECONDS}`] : []),
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
