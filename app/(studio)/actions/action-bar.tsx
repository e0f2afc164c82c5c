'use client';

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { loadedShare } from '../../../models/runtime/progress.ts';
import { formatBytes, formatCount } from '../../text/quantities.ts';
import { describeSizeChange } from '../../text/size-change.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import type { BatchItem, ItemState } from '../batch/batch.ts';
import { describeProgress } from '../batch/describe-progress.ts';
import { resultsOf } from '../batch/results.ts';
import { countFiles, totalProgress } from '../batch/totals.ts';
import type { Downloads } from '../download/use-download.ts';
import type { Wording } from '../params/wording.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import styles from './action-bar.module.css';
import { ServerButton, ServerOffer } from './server-offer.tsx';
import { TimeLeft } from './time-left.tsx';

interface ActionBarProps {
  readonly runs: FileRuns;
  readonly wording: Wording;
  readonly downloads: Downloads;
  /** Warning of a loss by the chosen settings, shown before a run starts. */
  readonly notice?: ReactNode;
}

/** Shows a line of facts, the primary action (start, cancel or download) and below it the secondary ones. */
export function ActionBar(props: ActionBarProps) {
  const { items, isRunning } = props.runs;
  return (
    <div className={styles.bar}>
      {isRunning && (
        <div className={styles.progress}>
          <ProgressLine fraction={shownFraction(items)} label="Progress of all files" />
        </div>
      )}
      <div className={styles.line}>
        {/* One element throughout: a screen reader announces changes only of a region that it knows. */}
        <p role="status">{statusOf(props)}</p>
        {isRunning && <TimeLeft items={items} />}
      </div>
      {props.notice}
      <ExportProgress downloads={props.downloads} />
      {isRunning ? <Running work={props.runs} /> : <IdleActions {...props} />}
      {props.downloads.failure && <p role="alert">{props.downloads.failure}</p>}
    </div>
  );
}

function IdleActions(props: ActionBarProps) {
  const { runs, downloads, wording } = props;
  const { items, location, sendable, outdated } = runs;
  const results = downloads
    .usableItems(items)
    .flatMap((item) => resultsOf(item).slice(0, wording.savesOne ? 1 : undefined));
  const isAllDone = results.length > 0 && countOf(items, 'waiting') === 0 && outdated.length === 0;
  const earlier = countOf(outdated, 'done');
  const isServerNext = sendable.length > 0 && location === 'server';
  // A failure without a fault in the file would repeat here: then the server is the primary action.
  const isOfferFirst = sendable.length === items.length;
  const offer = sendable.length > 0 && location === 'device' && (
    <ServerOffer runs={runs} isPrimary={isOfferFirst} />
  );
  const take = () => downloads.save(items);
  return (
    <>
      {isOfferFirst && offer}
      {isAllDone && !isServerNext ? (
        <button
          type="button"
          className="button button-primary"
          disabled={downloads.progress !== null}
          onClick={take}
        >
          <Download size={20} strokeWidth={1.5} aria-hidden />
          {wordsFor(downloads, results.length, wording)}
        </button>
      ) : (
        <Start {...props} />
      )}
      {results.length > 0 && (!isAllDone || isServerNext) && (
        <button type="button" className="button" disabled={downloads.progress !== null} onClick={take}>
          Download {formatCount(results.length, 'result')}
        </button>
      )}
      {earlier > 0 && (
        <p className={styles.note}>
          {formatCount(earlier, 'result')} {earlier === 1 ? 'was' : 'were'} made with earlier settings.
        </p>
      )}
      {!isOfferFirst && offer}
      {downloads.warnings.map((warning) => (
        <p key={warning} className={styles.note}>
          {warning}
        </p>
      ))}
    </>
  );
}

/** Shows the progress of the file being prepared, or the count of prepared files. */
function ExportProgress({ downloads }: { readonly downloads: Downloads }) {
  if (!downloads.progress) return null;
  const { done, total, current } = downloads.progress;
  if (!current && total === 1) return null;
  const progress = current ?? { fraction: done / total };
  return (
    <>
      <ProgressLine
        fraction={progress.fraction}
        label="Progress of the file"
        words={describeProgress(progress)}
      />
      <div className={styles.line}>
        <p className={`${styles.note} facts`}>{describeProgress(progress)}</p>
        <button type="button" className="button" onClick={downloads.cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}

function wordsFor({ progress }: Downloads, resultCount: number, { downloads }: Wording): string {
  if (progress)
    return progress.total === 1 ? 'Preparing file…' : `Preparing ${progress.done} of ${progress.total}…`;
  if (resultCount === 1) return downloads ? `Download ${downloads}` : 'Download';
  return `Download all ${resultCount} as zip`;
}

/** Starts the remaining files in the chosen location. Nothing where this device can run none of them. */
function Start({ runs, wording }: ActionBarProps) {
  const { items, local, sendable, price } = runs;
  if (runs.location === 'server' && sendable.length > 0) {
    const label = `${wording.verb} ${countFiles(sendable)}`;
    return <ServerButton isPrimary label={label} price={price} onRun={runs.startOnServer} />;
  }
  const next = [...inPhase(local, 'waiting'), ...runs.outdated.filter((item) => local.includes(item))];
  if (next.length === 0 && countOf(local, 'failed') === 0) return null;
  const isPrimary = sendable.length < items.length;
  return (
    <button
      type="button"
      className={isPrimary ? 'button button-primary' : 'button'}
      onClick={() => runs.start()}
    >
      {next.length === 0 ? 'Try again' : `${wording.verb} ${countFiles(next)}`}
    </button>
  );
}

function Running({ work: { items, batch } }: { readonly work: FileRuns }) {
  const running = items.flatMap(({ state }) => (state.phase === 'running' ? [state] : []));
  const isServerAtWork = running.some(({ isOnServer }) => isOnServer);
  const [only] = running.length === 1 ? running : [];
  return (
    <>
      {only && <p className={`${styles.note} facts`}>{describeProgress(only)}</p>}
      <button type="button" className={`button ${styles.cancel}`} onClick={() => batch.cancel()}>
        Cancel
      </button>
      {isServerAtWork && (
        <p className={styles.note}>Cancel also ends the jobs on our server. They cost nothing then.</p>
      )}
    </>
  );
}

function statusOf({ runs: { items, isRunning }, wording }: ActionBarProps): ReactNode {
  const [done, failed] = [countOf(items, 'done'), countOf(items, 'failed')];
  if (isRunning) return `${done + failed} of ${items.length}${isLoading(items) ? ', loading…' : ''}`;
  if (done > 0) return summarise(items, failed, wording);
  if (failed > 0) return `${failed} failed`;
  return `${countFiles(items)}, ${formatBytes(items.reduce((sum, { file }) => sum + file.size, 0))}`;
}

function isLoading(items: readonly BatchItem[]): boolean {
  return items.some(({ state }) => state.phase === 'running' && state.loading !== undefined);
}

/** Returns the finished share of all files; of a single one that is loading, the share that is loaded. */
function shownFraction(items: readonly BatchItem[]): number {
  const [only, ...others] = inPhase(items, 'running');
  const loading = only?.state.phase === 'running' && others.length === 0 ? only.state.loading : undefined;
  return loading ? loadedShare(loading) : totalProgress(items);
}

function countOf(items: readonly BatchItem[], phase: ItemState['phase']): number {
  return inPhase(items, phase).length;
}

function inPhase(items: readonly BatchItem[], phase: ItemState['phase']): readonly BatchItem[] {
  return items.filter(({ state }) => state.phase === phase);
}

function summarise(items: readonly BatchItem[], failed: number, { showsSizeChange }: Wording): ReactNode {
  const done = items.filter(({ state }) => state.phase === 'done');
  const before = done.reduce((sum, { file }) => sum + file.size, 0);
  const after = done.flatMap(resultsOf).reduce((sum, { file }) => sum + file.blob.size, 0);
  const outcome = `${done.length} done${failed > 0 ? `, ${failed} failed` : ''}`;
  if (!showsSizeChange) return outcome;
  return (
    <>
      {`${outcome}: ${formatBytes(before)} → ${formatBytes(after)}, `}
      <span className={styles.change} data-tone={after > before ? 'warn' : 'good'}>
        {describeSizeChange(before, after)}
      </span>
    </>
  );
}
