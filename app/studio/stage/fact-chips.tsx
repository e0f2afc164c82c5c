'use client';

import { formatBytes, formatSeconds } from '../../text/quantities.ts';
import { describeConversionChange } from '../../text/size-change.ts';
import { wasFetched } from '../files/fetched-files.ts';
import { probeImageFile } from '../files/probe-image.ts';
import type { BatchItem, FileResult } from '../runs/batch.ts';
import { resultsOf } from '../runs/results.ts';
import styles from './fact-chips.module.css';
import { useFacts } from './use-facts.ts';

interface FactChipsProps {
  readonly item: BatchItem;
  /** Facts that only the tool itself knows. */
  readonly extra?: readonly string[] | undefined;
  /** Whether the change in size is worth showing. */
  readonly showsSizeChange?: boolean | undefined;
  /** File that will be saved, where it is not the result: null while it is unknown, and then nothing is said of it. */
  readonly saved?: Blob | null | undefined;
}

/** Shows facts about one file and its result, the most important first: a narrow row leaves out the last. */
export function FactChips({ item, extra = [], showsSizeChange = true, saved }: FactChipsProps) {
  const { file, state } = item;
  const [result] = resultsOf(item);
  const blob = saved ?? result?.file.blob;
  const image = useFacts(blob ?? file, probeImageFile);
  const isKnown = saved !== null;
  const facts = [
    isKnown &&
      (blob && showsSizeChange
        ? `${formatBytes(file.size)} → ${formatBytes(blob.size)}`
        : formatBytes((blob ?? file).size)),
    isKnown && blob && showsSizeChange && changeOf(file, blob, result?.file.mediaType ?? blob.type),
    state.phase === 'done' && placeOf(state.result),
    wasFetched(file) && 'original fetched through our server',
    isKnown && image && `${image.format.toUpperCase()} · ${image.width} × ${image.height}`,
    state.phase === 'done' && formatSeconds(state.durationSeconds),
    ...extra,
  ].filter((fact) => typeof fact === 'string');
  const warnings = state.phase === 'done' ? state.result.warnings : [];
  return (
    <div className={styles.facts}>
      <ul className={`${styles.chips} facts`} aria-label="Facts">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

function changeOf(file: File, saved: Blob, mediaType: string): string {
  const from = { mediaType: file.type, bytes: file.size };
  return describeConversionChange(from, { mediaType, bytes: saved.size });
}

function placeOf({ server }: FileResult): string {
  if (!server) return 'on this device · 0 bytes sent';
  return `on the server · ${formatBytes(server.sentBytes)} sent · $${server.chargedUsd}`;
}
