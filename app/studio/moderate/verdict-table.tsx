'use client';

import { useEffect, useRef } from 'react';
import type { Severity } from '../../../models/moderation/categories.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { Thumbnail } from '../files/thumbnail.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { describeProgress, shownShare } from '../runs/describe-run.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import {
  CATEGORY_NAMES,
  describeVerdict,
  getSeverities,
  isFlagged,
  SEVERITY_NAMES,
  SHOWN_CATEGORIES,
  type Threshold,
} from './verdict.ts';
import styles from './verdict-table.module.css';

interface SeverityStepsProps {
  /** Undefined for a category that was not analysed. */
  readonly severity: Severity | undefined;
  readonly threshold: Threshold;
}

const STEPS: readonly Threshold[] = [2, 4, 6];

interface VerdictTableProps {
  readonly items: readonly BatchItem[];
  readonly selectedId: number;
  readonly threshold: Threshold;
  readonly getShown: (item: BatchItem) => ShownFile;
  /** Shows one image alone. */
  readonly onOpen: (id: number) => void;
}

/** Shows the verdicts on many images below each other, and how many of them are flagged. */
export function VerdictTable({ items, selectedId, threshold, getShown, onOpen }: VerdictTableProps) {
  const selected = useRef<HTMLTableRowElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is the selected one
  useEffect(() => {
    selected.current?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);
  const judged = items.map(getSeverities).filter((severities) => severities !== undefined);
  const failures = new Set(items.flatMap((item) => getRerunError(getShown(item))));
  const flagged = judged.filter((severities) => isFlagged(severities, threshold));
  return (
    <div className={styles.view}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section className={styles.scroll} tabIndex={0} aria-label="Verdicts">
        <table>
          <thead>
            <tr>
              <th scope="col">{formatCount(items.length, 'image')}</th>
              {SHOWN_CATEGORIES.map((category) => (
                <th key={category} scope="col">
                  {CATEGORY_NAMES[category]}
                </th>
              ))}
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <VerdictRow
                key={item.id}
                ref={item.id === selectedId ? selected : undefined}
                shown={getShown(item)}
                isSelected={item.id === selectedId}
                threshold={threshold}
                onOpen={onOpen}
              />
            ))}
          </tbody>
        </table>
      </section>
      <p role="status" className={styles.sum}>
        {flagged.length} of {formatCount(judged.length, 'checked image')} flagged
      </p>
      {[...failures].map((failure) => (
        <p key={failure} role="alert" className={styles.later}>
          {failure}
        </p>
      ))}
    </div>
  );
}

/** Returns why a later run failed, while the earlier verdict stays. */
function getRerunError({ item: { state }, renewal }: ShownFile): readonly string[] {
  return !renewal && state.phase === 'done' && state.rerunError ? [state.rerunError] : [];
}

interface VerdictRowProps extends Pick<VerdictTableProps, 'threshold' | 'onOpen'> {
  readonly shown: ShownFile;
  readonly isSelected: boolean;
  readonly ref: React.Ref<HTMLTableRowElement> | undefined;
}

function VerdictRow({ shown: { item, renewal }, isSelected, threshold, onOpen, ref }: VerdictRowProps) {
  const { id, file, state } = item;
  const severities = getSeverities(item);
  const progress = renewal ?? (state.phase === 'running' ? state : undefined);
  return (
    <tr ref={ref} aria-current={isSelected ? 'true' : undefined}>
      <th scope="row">
        <button type="button" className={styles.open} onClick={() => onOpen(id)}>
          <Thumbnail blob={file} label={file.name.split('.').pop() ?? ''} />
          <span>{file.name}</span>
        </button>
      </th>
      {severities ? (
        SHOWN_CATEGORIES.map((category) => (
          <td key={category} data-category={CATEGORY_NAMES[category]}>
            <SeveritySteps severity={severities.get(category)} threshold={threshold} />
          </td>
        ))
      ) : (
        <td colSpan={SHOWN_CATEGORIES.length} className={styles.none} data-phase={state.phase}>
          {progress ? (
            <ProgressLine
              fraction={shownShare(progress)}
              label={`Progress of ${file.name}`}
              words={describeProgress(progress)}
            />
          ) : (
            state.phase === 'failed' && state.message
          )}
        </td>
      )}
      <td className={styles.words} data-flagged={severities && isFlagged(severities, threshold)}>
        {severities ? describeVerdict(severities, threshold) : PHASE_WORDS[state.phase]}
      </td>
    </tr>
  );
}

const PHASE_WORDS = {
  waiting: 'Not checked',
  running: 'Running',
  failed: 'Not checked',
  done: 'Not checked',
};

/** Shows a severity as three steps, with the threshold as a line before one of them, next to its word and number. */
export function SeveritySteps({ severity, threshold }: SeverityStepsProps) {
  if (severity === undefined) return <span className={styles.missing}>not checked</span>;
  return (
    <span className={styles.severity} data-flagged={severity >= threshold}>
      <span className={styles.steps} aria-hidden="true">
        {STEPS.map((step) => (
          <i key={step} data-reached={severity >= step} data-threshold={step === threshold} />
        ))}
      </span>
      {SEVERITY_NAMES[severity]} <span className="facts">{severity}</span>
    </span>
  );
}
