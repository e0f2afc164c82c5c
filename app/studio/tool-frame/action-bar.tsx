'use client';

import { Download, Share } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { loadedShare } from '../../../models/core/runtime/progress.ts';
import type { OperationId } from '../../../models/registry.ts';
import { readerLoading } from '../../../workers/one-shot/reader-loading.ts';
import { useLoaded, useSecondsSpent } from '../../ui/hooks.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { describeSizeChange, formatBytes, formatCount, formatSeconds } from '../../ui/quantities.ts';
import type { DownloadOptions } from '../download/download-run.ts';
import { canShare } from '../download/share-files.ts';
import { type Downloads, useDownload } from '../download/use-download.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { describeProgress } from '../runs/describe-run.ts';
import { getResults } from '../runs/results.ts';
import {
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunPlaces,
  useRunSettings,
} from '../runs/runs-context.ts';
import {
  countFiles,
  countInPhase,
  itemsInPhase,
  paidFiles,
  runnableFiles,
  totalProgress,
} from '../runs/totals.ts';
import { mayRetry } from '../runs/use-sendable.ts';
import type { Wording } from '../tools/wording.ts';
import styles from './action-bar.module.css';
import { DeviceTimeEstimate, estimateOwnRuns } from './device-time-estimate.tsx';
import { PriceOffer, ServerButton, ServerOffer } from './server-offer.tsx';
import { TimeLeft } from './time-left.ts';
import { getAccept, type ToolState } from './use-tool.ts';

const TICK_MS = 1000;

interface RunStatusProps {
  readonly operationId: OperationId;
  readonly wording: Wording;
}

interface ActionBarProps {
  readonly operationId: OperationId;
  readonly tool: Pick<ToolState, 'add'>;
  readonly wording: Wording;
  readonly download: DownloadOptions;
  /** Warning of a loss by the chosen settings, shown before a run starts. */
  readonly notice: ReactNode;
}

/** Shows a line of facts, the primary action (start, cancel or download) and below it the secondary ones. */
export function ActionBar({ operationId, tool, wording, download, notice }: ActionBarProps) {
  const { isRunning } = useRunOutline();
  const downloads = useDownload(operationId, download);
  return (
    <div className={styles.bar}>
      <RunStatus operationId={operationId} wording={wording} />
      {notice}
      <ReaderProgress />
      <ExportProgress downloads={downloads} />
      {isRunning ? (
        <Running />
      ) : (
        <IdleActions operationId={operationId} tool={tool} wording={wording} downloads={downloads} />
      )}
      {downloads.failure && <p role="alert">{downloads.failure}</p>}
    </div>
  );
}

interface IdleActionsProps extends Pick<ActionBarProps, 'operationId' | 'tool' | 'wording'> {
  readonly downloads: Downloads;
}

function IdleActions({ operationId, tool, wording, downloads }: IdleActionsProps) {
  const { items, sendable, outdated } = useRunFiles();
  const { location } = useRunSettings();
  const results = downloads
    .usableItems(items)
    .flatMap((item) => getResults(item).slice(0, wording.savesOne ? 1 : undefined));
  const isAllDone = results.length > 0 && countInPhase(items, 'waiting') === 0 && outdated.length === 0;
  const isServerNext = sendable.length > 0 && location === 'server';
  // A failure without a fault in the file would repeat here: then the server is the primary action.
  const isOfferFirst = sendable.length === items.length;
  const offer = sendable.length > 0 && location === 'device' && <ServerOffer isPrimary={isOfferFirst} />;
  const button = { disabled: downloads.progress !== null, onClick: () => downloads.save(items) };
  return (
    <>
      {isOfferFirst && offer}
      {isAllDone && !isServerNext ? (
        <div className={styles.saving}>
          <button type="button" className="button button-primary" {...button}>
            <Download size={20} strokeWidth={1.5} aria-hidden />
            {wordsFor(downloads, results.length, wording)}
          </button>
          {canShare(results) && <ShareButton items={items} downloads={downloads} />}
        </div>
      ) : (
        <Start operationId={operationId} tool={tool} wording={wording} />
      )}
      {results.length > 0 && (!isAllDone || isServerNext) && (
        <button type="button" className="button" {...button}>
          Download {formatCount(results.length, 'result')}
        </button>
      )}
      <EarlierResults count={countInPhase(outdated, 'done')} />
      {!isOfferFirst && offer}
      <PriceOffer />
      {downloads.warnings.map((warning) => (
        <p key={warning} className={styles.note}>
          {warning}
        </p>
      ))}
    </>
  );
}

/** Hands the results to other apps, on systems whose sheet is at hand. */
function ShareButton({
  items,
  downloads,
}: {
  readonly items: readonly BatchItem[];
  readonly downloads: Downloads;
}) {
  const { progress, shareable, share, shareReady } = downloads;
  return (
    <button
      type="button"
      className="button for-touch"
      disabled={progress !== null}
      onClick={() => (shareable ? shareReady(shareable) : share(items))}
    >
      <Share size={20} strokeWidth={1.5} aria-hidden />
      {shareable ? 'Share now' : 'Share'}
    </button>
  );
}

function EarlierResults({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <p className={styles.note}>
      {formatCount(count, 'result')} {count === 1 ? 'was' : 'were'} made with earlier settings.
    </p>
  );
}

/** Shows the progress of the reader that rare kinds of files wait for. */
function ReaderProgress() {
  const loading = useSyncExternalStore(readerLoading.subscribe, readerLoading.get, () => undefined);
  if (!loading) return null;
  const words = `loading the reader · ${formatBytes(loading.receivedBytes)} of ${formatBytes(loading.totalBytes ?? 0)}`;
  return (
    <>
      <ProgressLine fraction={loadedShare(loading)} label="Progress of the reader" words={words} />
      <p className={`${styles.note} facts`}>{words}</p>
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

function wordsFor({ progress }: Downloads, resultCount: number, { downloads }: Wording): ReactNode {
  if (progress)
    return progress.total === 1 ? 'Preparing file…' : `Preparing ${progress.done} of ${progress.total}…`;
  const files = resultCount === 1 ? (downloads ?? '') : `all ${resultCount} as zip`;
  return (
    <span>
      <span className="for-mouse">Download</span>
      <span className="for-touch">Save</span> {files}
    </span>
  );
}

/**
 * Starts the remaining files in the chosen location, or asks for another file where no run can help those that failed.
 * Nothing where this device can run none of them.
 */
function Start({ operationId, tool, wording }: Omit<IdleActionsProps, 'downloads'>) {
  const { items, local, sendable, outdated, price } = useRunFiles();
  const { location } = useRunSettings();
  const { fits } = useRunPlaces();
  const { start, startOnServer } = useRunActions();
  if (location === 'server' && sendable.length > 0) {
    const label = `${wording.verb} ${countFiles(paidFiles(sendable, price))}`;
    return <ServerButton isPrimary label={label} price={price} onRun={startOnServer} />;
  }
  const next = [...itemsInPhase(local, 'waiting'), ...outdated.filter((item) => local.includes(item))];
  if (next.length === 0 && !local.some(({ state }) => mayRetry(state))) {
    return countInPhase(items, 'failed') < items.length ? null : (
      <ChooseFiles accept={getAccept(operationId)} label="Choose another file" onFiles={tool.add} />
    );
  }
  const isPrimary = sendable.length < items.length;
  return (
    <button type="button" className={isPrimary ? 'button button-primary' : 'button'} onClick={() => start()}>
      {next.length === 0 ? 'Try again' : `${wording.verb} ${countFiles(runnableFiles(next, fits))}`}
    </button>
  );
}

function Running() {
  const { items } = useRunFiles();
  const { batch } = useRunActions();
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

/** Line of facts about all files, with the progress of their run. */
function RunStatus({ operationId, wording }: RunStatusProps) {
  const { items } = useRunFiles();
  const { isRunning } = useRunOutline();
  return (
    <>
      {isRunning && (
        <div className={styles.progress}>
          <ProgressLine fraction={shownFraction(items)} label="Progress of all files" />
        </div>
      )}
      <div className={styles.line}>
        {/* One element throughout: a screen reader announces changes only of a region that it knows. */}
        <p role="status">{isRunning ? describeRun(items) : describeIdle(items, wording)}</p>
        {isRunning ? (
          <ShownTime operationId={operationId} items={items} />
        ) : (
          <DeviceTimeEstimate operationId={operationId} items={items} />
        )}
      </div>
    </>
  );
}

function describeRun(items: readonly BatchItem[]): string {
  const isLoading = items.some(({ state }) => state.phase === 'running' && state.loading !== undefined);
  const ended = countInPhase(items, 'done') + countInPhase(items, 'failed');
  return `${ended} of ${items.length}${isLoading ? ', loading…' : ''}`;
}

function describeIdle(items: readonly BatchItem[], wording: Wording): ReactNode {
  const failed = countInPhase(items, 'failed');
  if (countInPhase(items, 'done') > 0) return summarise(items, failed, wording);
  if (failed > 0) return `${failed} failed`;
  return `${countFiles(items)}, ${formatBytes(items.reduce((sum, { file }) => sum + file.size, 0))}`;
}

/** Returns the finished share of all files; of a single one that is loading, the share that is loaded. */
function shownFraction(items: readonly BatchItem[]): number {
  const [only, ...others] = itemsInPhase(items, 'running');
  const loading = only?.state.phase === 'running' && others.length === 0 ? only.state.loading : undefined;
  return loading ? loadedShare(loading) : totalProgress(items);
}

function summarise(items: readonly BatchItem[], failed: number, { showsSizeChange }: Wording): ReactNode {
  const done = itemsInPhase(items, 'done');
  const before = done.reduce((sum, { file }) => sum + file.size, 0);
  const after = done.flatMap(getResults).reduce((sum, { file }) => sum + file.blob.size, 0);
  const outcome = `${done.length} done${failed > 0 ? `, ${failed} failed` : ''}`;
  const words = showsSizeChange ? `${outcome}: ` : outcome;
  // Of one file that is done, the button below says it all.
  const shown = items.length === 1 ? <span className="sr-only">{words}</span> : words;
  if (!showsSizeChange) return shown;
  return (
    <>
      {shown}
      {`${formatBytes(before)} → ${formatBytes(after)} `}
      <span className={styles.change} data-tone={after > before ? 'warn' : 'good'}>
        {describeSizeChange(before, after)}
      </span>
    </>
  );
}

interface ShownTimeProps {
  readonly operationId: OperationId;
  readonly items: readonly BatchItem[];
}

/** Shows the time that a run has taken, and what is left of it, once that is known. */
function ShownTime({ operationId, items }: ShownTimeProps) {
  const isLoading = items.some(({ state }) => state.phase === 'running' && state.loading !== undefined);
  const isGuess = items.some(({ state }) => state.phase === 'running' && state.isEstimate === true);
  const fraction = totalProgress(items);
  const spent = useSecondsSpent();
  const expected = useExpectedSeconds(operationId, items);
  const [estimate] = useState(() => new TimeLeft());
  const [left, setLeft] = useState<number>();
  const measure = useEffectEvent(() =>
    setLeft(estimate.secondsLeft(fraction, performance.now(), expected, isGuess)),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured at each step, and each second between steps
  useEffect(() => {
    measure();
    const ticking = setInterval(measure, TICK_MS);
    return () => clearInterval(ticking);
  }, [fraction]);
  const facts = [
    ...(spent > 0 ? [formatSeconds(spent)] : []),
    ...(left === undefined || isLoading ? [] : [`${formatSeconds(Math.max(1, Math.ceil(left)))} left`]),
  ];
  if (facts.length === 0) return null;
  return <span className="facts">{facts.join(' · ')}</span>;
}

/** Returns the seconds of the files that run by earlier runs on this device; undefined until they are known, or without any. */
function useExpectedSeconds(operationId: OperationId, items: readonly BatchItem[]): number | undefined {
  const { paramsFor } = useRunActions();
  const isOnServer = items.some(({ state }) => state.phase === 'running' && state.isOnServer === true);
  const due = [...itemsInPhase(items, 'running'), ...itemsInPhase(items, 'waiting')];
  // Estimated at the beginning, and when files are added.
  const expected = useLoaded(items.length, () => estimateOwnRuns(operationId, due, paramsFor));
  return isOnServer ? undefined : expected;
}
