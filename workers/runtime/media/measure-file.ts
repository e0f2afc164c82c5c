import type { FFmpeg } from '@ffmpeg/ffmpeg';
import type { MeasuredFile, MeasureOptions } from '../../../models/media/audio/read/measure-file.ts';
import { damagedAudio } from '../../../models/media/bytes/byte-reader.ts';
import type { Loading } from '../assets.ts';
import { loadFfmpeg } from './load-ffmpeg.ts';
import { readSections, SECTIONS } from './read-sections.ts';

const FOLDER = '/input';
const NAME = 'file';
const OUTPUT = 'measured';

/** Length that is read beyond the limit: the packets of a video come before those of the sound of the same time. */
const LEAD_SECONDS = 60;

/** FFmpeg for one file after another, of which at most one is measured at a time. */
export class FileMeter {
  #started: Promise<FFmpeg> | undefined;

  /**
   * Measures a file by the ffprobe of ffmpeg.wasm, which is started for the first one, and again after a failure.
   * @throws OperationError as `MeasureFile` and `loadFfmpeg`
   */
  async measure(
    file: Blob,
    { demuxer, secondsMax }: MeasureOptions,
    loading: Loading,
  ): Promise<MeasuredFile> {
    const { signal } = loading;
    const end = () => this.end();
    signal.addEventListener('abort', end);
    try {
      this.#started ??= startFfmpeg(loading);
      const ffmpeg = await this.#started;
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
      await ffmpeg.deleteFile(OUTPUT);
      await ffmpeg.unmount(FOLDER);
      return measured;
    } catch (thrown) {
      this.end();
      signal.throwIfAborted();
      throw thrown;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Frees the memory of FFmpeg. */
  end(): void {
    this.#started?.then(
      (ffmpeg) => ffmpeg.terminate(),
      () => {},
    );
    this.#started = undefined;
  }
}

async function startFfmpeg(loading: Loading): Promise<FFmpeg> {
  const ffmpeg = await loadFfmpeg(loading, 'Reading this file');
  await ffmpeg.createDir(FOLDER);
  return ffmpeg;
}
