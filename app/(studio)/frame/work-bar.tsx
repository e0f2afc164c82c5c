'use client';

import { Download } from 'lucide-react';
import { bytes, change, count, seconds } from '../quantities.ts';
import { type BatchItem, progressOf } from './batch.ts';
import { resultsOf, saveResults } from './results.ts';
import type { Wording } from './wording.ts';
import styles from './work-bar.module.css';

interface WorkBarProps {
  readonly items: readonly BatchItem[];
  readonly isRunning: boolean;
  readonly startedAtMs: number;
  readonly wording: Wording;
  readonly zipName: string;
  readonly onStart: () => void;
  readonly onCancel: () => void;
}

/** The one thing to do now: start, cancel, or take the results. */
export function WorkBar(props: WorkBarProps) {
  const { items, isRunning, wording, zipName, onStart } = props;
  if (items.length === 0) return null;
  if (isRunning) return <Running {...props} />;
  const results = items.flatMap(resultsOf);
  const failed = items.filter(({ state }) => state.phase === 'failed').length;
  const waiting = items.filter(({ state }) => state.phase === 'waiting').length;
  return (
    <div className={styles.bar}>
      <p role="status">{results.length > 0 && summarise(items, failed)}</p>
      {waiting > 0 || results.length === 0 ? (
        <button type="button" className="button button-primary" onClick={onStart}>
          {failed > 0 && waiting === 0 ? 'Try again' : `${wording.verb} ${count(waiting, wording.noun)}`}
        </button>
      ) : (
        <button type="button" className="button button-primary" onClick={() => saveResults(results, zipName)}>
          <Download size={20} strokeWidth={1.5} aria-hidden />
          {results.length === 1 ? 'Download' : `Download all ${results.length} as zip`}
        </button>
      )}
      {waiting > 0 && results.length > 0 && (
        <button type="button" className="button" onClick={() => saveResults(results, zipName)}>
          Download {count(results.length, 'result')}
        </button>
      )}
    </div>
  );
}

function Running({ items, startedAtMs, onCancel }: WorkBarProps) {
  const fraction = progressOf(items);
  const done = items.filter(({ state }) => state.phase === 'done' || state.phase === 'failed').length;
  return (
    <div className={styles.bar}>
      <div className={styles.progressLine}>
        <span role="status">
          {done} of {items.length}
        </span>
        <span className="facts">{timeLeft(fraction, startedAtMs)}</span>
      </div>
      <progress className={styles.progress} value={fraction} max={1} aria-label="Progress of all files" />
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** Nothing is said before there is enough to go by. */
function timeLeft(fraction: number, startedAtMs: number): string {
  const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
  if (fraction < 0.05 || elapsedSeconds < 1) return '';
  return `${seconds(Math.ceil((elapsedSeconds * (1 - fraction)) / fraction))} left`;
}

function summarise(items: readonly BatchItem[], failed: number): string {
  const done = items.filter(({ state }) => state.phase === 'done');
  const before = done.reduce((sum, { file }) => sum + file.size, 0);
  const after = done.flatMap(resultsOf).reduce((sum, { file }) => sum + file.blob.size, 0);
  const trouble = failed > 0 ? `, ${failed} failed` : '';
  return `${done.length} done${trouble}: ${bytes(before)} → ${bytes(after)} (${change(before, after)})`;
}
