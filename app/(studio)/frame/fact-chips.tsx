'use client';

import { probeUprightImage } from '../../../models/files/headers/upright-image.ts';
import type { BatchItem, FileResult } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { wasFetched } from '../links/links.ts';
import { bytes, change, seconds } from '../text/quantities.ts';
import styles from './fact-chips.module.css';
import { useFacts } from './use-facts.ts';

interface FactChipsProps {
  readonly item: BatchItem;
  /** Facts that only the tool itself knows. */
  readonly extra?: readonly string[];
  /** Whether the change in size is worth showing. */
  readonly isAboutSize?: boolean;
}

/** Shows facts about one file and its result. */
export function FactChips({ item, extra = [], isAboutSize = true }: FactChipsProps) {
  const [result] = resultsOf(item);
  const blob = result?.file.blob;
  const image = useFacts(blob ?? item.file, probeUprightImage);
  const facts = [
    image && `${image.format.toUpperCase()} · ${image.width} × ${image.height}`,
    blob && isAboutSize ? `${bytes(item.file.size)} → ${bytes(blob.size)}` : bytes((blob ?? item.file).size),
    blob && isAboutSize && change(item.file.size, blob.size),
    item.state.phase === 'done' && seconds(item.state.durationSeconds),
    wasFetched(item.file) && 'original fetched through our server',
    item.state.phase === 'done' && placeOf(item.state.result),
    ...extra,
  ].filter((fact) => typeof fact === 'string');
  const warnings = item.state.phase === 'done' ? item.state.result.warnings : [];
  return (
    <div>
      <ul className={`${styles.chips} facts`}>
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

function placeOf({ server }: FileResult): string {
  if (!server) return 'on this device · 0 bytes sent';
  return `on the server · ${bytes(server.sentBytes)} sent · $${server.chargedUsd}`;
}
