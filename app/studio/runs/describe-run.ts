import type { Fit, RunFit } from '../../../models/core/runtime/fit.ts';
import { loadedShare, type Progress } from '../../../models/core/runtime/progress.ts';
import { formatBytes } from '../../ui/quantities.ts';
import type { ItemState } from './batch.ts';

const ON_SERVER = 'Files are sent when you press the button, at its price.';

/** Why something does not fit this device. */
export type Unfit = Extract<Fit, { reason: string }>;

/** Returns what a bar shows: the share of the download that a run waits for, else of its work. */
export function shownShare({ fraction, loading }: Progress): number {
  return loading ? loadedShare(loading) : fraction;
}

/** Describes progress in words: `frame 42 of about 180 · 23 %`. */
export function describeProgress(progress: Progress): string {
  return getParts(progress).join(' · ');
}

/** Describes progress where there may be no room for all of it: `23 % · frame 42 of about 180`. */
export function describeShortly(progress: Progress): string {
  return getParts(progress).toReversed().join(' · ');
}

/** Returns what goes on, where that is known, and how far it is. */
function getParts(progress: Progress): readonly string[] {
  const { fraction, count, loading, step, isEstimate } = progress;
  const percent = `${isEstimate ? 'about ' : ''}${Math.round(shownShare(progress) * 100)} %`;
  if (loading) return ['loading', percent];
  if (!count) return step ? [step, percent] : [percent];
  const { unit, done, total, isGuess } = count;
  // Parts are counted from 1.
  const counted = `${unit} ${Math.max(1, done)} of ${isGuess ? 'about ' : ''}${total}`;
  // After the last part the file is still to be put together.
  return [counted, fraction === 1 ? 'finishing the file' : percent];
}

/** Says why the last run of a file failed, which may have left an earlier result; undefined where it did not. */
export function failureOf(state: ItemState): string | undefined {
  if (state.phase === 'done') return state.rerunError;
  return state.phase === 'failed' ? state.message : undefined;
}

/** Says where a file can run, in one or two sentences. It most likely runs here as long as that is unknown. */
export function describeRunFit(fit: RunFit | undefined): string {
  if (!fit) return 'Free. Nothing leaves this device.';
  const { run } = fit;
  if (run.verdict === 'here') return 'Free. Nothing leaves this device.';
  if ('reason' in run) return run.verdict === 'server' ? `Needs our server. ${run.reason}` : run.reason;
  return `${describeDownload(run)}. Then free.`;
}

/**
 * Says what a choice of the server means.
 * @param engine what the server's engine means, in a sentence; empty where it is unknown
 * @param isSoldOut whether the files run here all the same
 */
export function describeServerRun(engine: string, isSoldOut: boolean): string {
  return isSoldOut ? `${engine} It runs here, free.` : `${ON_SERVER} ${engine}`.trim();
}

/** Says what must be downloaded first: `Needs 115 MB once`. */
function describeDownload(fit: Extract<Fit, { verdict: 'download' }>): string {
  const size = fit.bytes === null ? 'a download' : formatBytes(fit.bytes);
  return `Needs ${size} ${fit.isKept ? 'once' : 'each time'}`;
}

/** Returns why something does not fit this device; undefined where it does, or that is unknown. */
export function unfitReason(fit: Fit | undefined): Unfit | undefined {
  return fit && 'reason' in fit ? fit : undefined;
}
