import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import { AUDIO_MEDIA_TYPES, type AudioFormat } from '../../../models/core/runtime/audio-codec.ts';
import { progressSpan, type ReportProgress } from '../../../models/core/runtime/progress.ts';
import { songSuffix } from '../../../models/operations/stems/song-facts.ts';
import { inWorker } from '../../../workers/one-shot/one-shot.ts';
import type { PrepareOptions } from '../download/download-run.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { NamedResult } from '../runs/result-names.ts';
import { getGains, type Mix } from './mix.ts';
import { getSongFacts, getStems, type Stem } from './stems.ts';

/** Content of a download: each stem as it came, the mix as set, or the chosen part of the mix. */
export type ExportContent = 'stems' | 'mix' | 'part';

/** Full scale, with room for the rounding of an encoder. */
const LOUDEST = 1.0001;

/**
 * Makes the files of a download.
 * @throws OperationError `cancelled` by the signal, or as the codec does
 */
export async function exportStems(
  item: BatchItem,
  saved: ExportContent,
  format: AudioFormat,
  mix: Mix,
  options: PrepareOptions,
): Promise<readonly NamedResult[]> {
  const stems = getStems(item);
  if (stems.length === 0) return [];
  if (saved === 'stems') {
    const files: OutputFile[] = [];
    for (const [at, stem] of stems.entries()) {
      const part = progressSpan(options.onProgress, at / stems.length, (at + 1) / stems.length);
      const onProgress: ReportProgress = (progress) => part({ ...progress, step: `saving ${stem.name}` });
      files.push(await encoded(stem, format, { ...options, onProgress }));
    }
    return getNames(item, files);
  }
  const gains = getGains(
    mix,
    stems.map(({ id }) => id),
  );
  const part = saved === 'part' ? mix.part : undefined;
  const files = stems.map(({ blob }) => blob);
  const { signal, onProgress } = options;
  const { file, peak } = await inWorker('mixStems', [{ files, gains, format, part }], {
    signal,
    onProgress: (progress) => onProgress({ ...progress, step: 'mixing' }),
  });
  if (peak > LOUDEST) {
    const over = (20 * Math.log10(peak)).toFixed(1);
    options.onWarning(
      `The mix of ${item.file.name} is ${over} dB too loud: its peaks are cut. Lower the gains.`,
    );
  }
  return getNames(item, [part ? { ...file, name: `part.${format}` } : file]);
}

/** Makes the file of one stem as it came. */
export async function exportStem(
  item: BatchItem,
  stem: Stem,
  format: AudioFormat,
  signal: AbortSignal,
): Promise<NamedResult> {
  const file = await encoded(stem, format, { signal, onProgress: () => {} });
  return getNames(item, [file])[0];
}

interface EncodeOptions {
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** Returns a stem in a format; in its own one, the same bytes. */
async function encoded(
  { id, mediaType, blob }: Stem,
  format: AudioFormat,
  options: EncodeOptions,
): Promise<OutputFile> {
  const name = `${id}.${format}`;
  if (mediaType === AUDIO_MEDIA_TYPES[format]) return { name, mediaType, blob };
  const { file } = await inWorker('mixStems', [{ files: [blob], gains: [1], format }], options);
  return { ...file, name };
}

/** Names files after the song, with its tempo and key: a single one says what it is, as several do. */
function getNames({ file, state }: BatchItem, files: readonly OutputFile[]): readonly NamedResult[] {
  const song = file.name.replace(/\.[^.]+$/, '') || 'song';
  const name = `${song}${songSuffix(getSongFacts({ state }))}`;
  return files.map((each) => ({ name: `${name}-${each.name}`, file: each }));
}
