'use client';

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Category, Severity } from '../../../models/moderation/categories.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import { Thumbnail } from '../files/thumbnail.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { describeProgress, shownShare } from '../runs/describe-run.ts';
import { saveBlob } from '../runs/results.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { getAccept } from '../tool-frame/use-tool.ts';
import { TOOLS } from '../tools/tools.ts';
import {
  CATEGORY_NAMES,
  describeVerdict,
  getSeverities,
  isFlagged,
  SEVERITY_NAMES,
  type Threshold,
  verdictsCsv,
} from './verdict.ts';
import styles from './verdict-table.module.css';

interface SeverityStepsProps {
  /** Undefined for a category that was not analysed. */
  readonly severity: Severity | undefined;
  readonly threshold: Threshold;
}

const STEPS: readonly Threshold[] = [2, 4, 6];

interface VerdictTableProps {
  /** In the order of the rows. */
  readonly items: readonly BatchItem[];
  /** Categories with a column. */
  readonly columns: readonly Category[];
  readonly selectedId: number | undefined;
  readonly threshold: Threshold;
  readonly isRunning: boolean;
  readonly getShown: (item: BatchItem) => ShownFile;
  /** Shows one image alone. */
  readonly onOpen: (id: number) => void;
  readonly onAdd: (files: readonly File[]) => void;
  readonly onRemove: (id: number) => void;
}

const { slug: SLUG } = TOOLS['image-moderation'];

/** Shows the verdicts on many images below each other, how many are flagged, and what can be done with the list. */
export function VerdictTable(props: VerdictTableProps) {
  const { items, columns, selectedId, getShown } = props;
  const selected = useRef<HTMLTableRowElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is the selected one
  useEffect(() => {
    selected.current?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);
  const failures = new Set(items.flatMap((item) => getRerunError(getShown(item))));
  return (
    <div className={styles.view}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section className={styles.scroll} tabIndex={0} aria-label="Verdicts">
        <table>
          <thead>
            <tr>
              <th scope="col">{formatCount(items.length, 'image')}</th>
              {columns.map((category) => (
                <th key={category} scope="col">
                  {CATEGORY_NAMES[category]}
                </th>
              ))}
              <th scope="col">Verdict</th>
              <th scope="col">
                <span className="sr-only">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <VerdictRow
                key={item.id}
                {...props}
                ref={item.id === selectedId ? selected : undefined}
                shown={getShown(item)}
                isSelected={item.id === selectedId}
              />
            ))}
          </tbody>
        </table>
      </section>
      <TableFoot {...props} />
      {[...failures].map((failure) => (
        <p key={failure} role="alert" className={styles.later}>
          {failure}
        </p>
      ))}
    </div>
  );
}

function TableFoot({ items, columns, threshold, onAdd }: VerdictTableProps) {
  const judged = items.map(getSeverities).filter((severities) => severities !== undefined);
  const flagged = judged.filter((severities) => isFlagged(severities, threshold));
  const saveCsv = () =>
    saveBlob(
      new Blob([verdictsCsv(items, columns, threshold)], { type: 'text/csv' }),
      `darkroom-${SLUG}.csv`,
    );
  return (
    <div className={styles.foot}>
      <p role="status">
        {judged.length > 0 && `${flagged.length} of ${formatCount(judged.length, 'checked image')} flagged`}
      </p>
      <button type="button" className="button button-quiet" disabled={judged.length === 0} onClick={saveCsv}>
        Download CSV
      </button>
      <ChooseFiles
        accept={getAccept('image-moderation')}
        className="button button-quiet"
        label="Add more"
        onFiles={onAdd}
      />
    </div>
  );
}

/** Returns why a later run failed, while the earlier verdict stays. */
function getRerunError({ item: { state }, renewal }: ShownFile): readonly string[] {
  return !renewal && state.phase === 'done' && state.rerunError ? [state.rerunError] : [];
}

interface VerdictRowProps
  extends Pick<VerdictTableProps, 'columns' | 'threshold' | 'isRunning' | 'onOpen' | 'onRemove'> {
  readonly shown: ShownFile;
  readonly isSelected: boolean;
  readonly ref: React.Ref<HTMLTableRowElement> | undefined;
}

function VerdictRow({ shown: { item, renewal }, ref, ...props }: VerdictRowProps) {
  const { columns, isSelected, threshold, isRunning, onOpen, onRemove } = props;
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
        columns.map((category) => (
          <td key={category} data-category={CATEGORY_NAMES[category]}>
            <SeveritySteps severity={severities.get(category)} threshold={threshold} />
          </td>
        ))
      ) : (
        <td colSpan={columns.length} className={styles.none} data-phase={state.phase}>
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
      <td className={styles.remove}>
        <button
          type="button"
          className="button-icon"
          aria-label={`Remove ${file.name}`}
          disabled={isRunning}
          onClick={() => onRemove(id)}
        >
          <X size={16} strokeWidth={1.5} aria-hidden />
        </button>
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
