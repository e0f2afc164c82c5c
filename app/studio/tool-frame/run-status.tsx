'use client';

import type { ReactNode } from 'react';
import { loadedShare } from '../../../models/core/runtime/progress.ts';
import type { OperationId } from '../../../models/registry.ts';
import { formatBytes } from '../../text/quantities.ts';
import { describeSizeChange } from '../../text/size-change.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { resultsOf } from '../runs/results.ts';
import { useRunFiles, useRunOutline } from '../runs/runs-context.ts';
import { countFiles, countInPhase, itemsInPhase, totalProgress } from '../runs/totals.ts';
import type { Wording } from '../tools/wording.ts';
import styles from './action-bar.module.css';
import { DeviceTimeEstimate } from './device-time-estimate.tsx';
import { TimeLeft } from './time-left.tsx';

interface RunStatusProps {
  readonly operationId: OperationId;
  readonly wording: Wording;
}

/** Line of facts about all files, with the progress of their run. */
export function RunStatus({ operationId, wording }: RunStatusProps) {
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
          <TimeLeft items={items} />
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
